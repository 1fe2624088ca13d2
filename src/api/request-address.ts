import { getConnInfo } from '@hono/node-server/conninfo';
import type { ApiContext } from './api-env.ts';

/**
 * Where a request came from. Behind a proxy that is trusted, the last address of `X-Forwarded-For`: the one that the proxy itself
 * saw. Whatever stands before it anybody may have written.
 */
export function requestAddress(c: ApiContext, trustProxy: boolean): string {
  const own = getConnInfo(c).remote.address ?? 'unknown';
  if (!trustProxy) return own;
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return forwarded === undefined || forwarded === '' ? own : forwarded;
}
