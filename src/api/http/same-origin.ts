import type { ApiContext, ApiMiddleware } from './api-env.ts';
import { Problem } from './problem.ts';

const reading = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses a request that another site has a browser make with the session of its user (cross-site request forgery). Browsers say where a
 * request comes from (Fetch Metadata, W3C); one that does not say it has to name its origin to change anything.
 *
 * @throws Problem
 */
export function requireSameOrigin(c: ApiContext): void {
  if (!isOwn(c)) throw new Problem('foreign_origin');
}

/** The same before a route looks at what it was sent. */
export const ownPagesOnly: ApiMiddleware = (c, next) => {
  requireSameOrigin(c);
  return next();
};

function isOwn(c: ApiContext): boolean {
  const site = c.req.header('sec-fetch-site');
  const isReading = reading.includes(c.req.method);
  // "none": typed, or from a bookmark. That may read, but nothing of ours is changed so.
  if (site !== undefined) return site === 'same-origin' || (isReading && site === 'none');
  const origin = c.req.header('origin');
  if (origin === undefined) return isReading;
  return hostOf(origin) === c.req.header('host');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
