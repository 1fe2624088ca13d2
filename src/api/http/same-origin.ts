import type { ApiContext, ApiMiddleware } from './api-env.ts';
import { Problem } from './problem.ts';

const reading = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects a request that another site makes in the browser of a user (cross-site request forgery). Browsers send the site of a request
 * (Fetch Metadata, W3C). A request without it needs the header Origin to change anything.
 *
 * @throws Problem
 */
export function requireSameOrigin(c: ApiContext): void {
  if (!isOwn(c)) throw new Problem('foreign_origin');
}

/** Middleware of `requireSameOrigin`, before a route validates its input. */
export const ownPagesOnly: ApiMiddleware = (c, next) => {
  requireSameOrigin(c);
  return next();
};

function isOwn(c: ApiContext): boolean {
  const site = c.req.header('sec-fetch-site');
  const isReading = reading.includes(c.req.method);
  // "none": typed, or from a bookmark. Such a request can only read.
  if (site !== undefined) return site === 'same-origin' || (isReading && site === 'none');
  const origin = c.req.header('origin');
  if (origin === undefined) return isReading;
  return hostOf(origin) === c.req.header('host');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
