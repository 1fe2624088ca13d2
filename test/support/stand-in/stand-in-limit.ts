/** Rate limit of a source: this many requests in any window, plus a burst. Further requests get a 429. */
export interface RateLimit {
  readonly requestsPerSecond: number;
  /** Requests allowed in a window beyond the rate. Default 0. */
  readonly burst?: number;
  /** Length of the sliding window in milliseconds. Default 1000. */
  readonly windowMs?: number;
  /** True when a 429 carries `Retry-After` (whole seconds). Default true. */
  readonly retryAfter?: boolean;
}

/**
 * Counts the accepted calls of the last window and decides whether another one is allowed.
 *
 * Returns null if it is, otherwise the headers of the 429. Rejected calls do not count.
 */
export function createLimiter(limit: RateLimit | undefined): (at: number) => Record<string, string> | null {
  if (limit === undefined) return () => null;
  const { requestsPerSecond, burst = 0, windowMs = 1000, retryAfter = true } = limit;
  const allowed = (requestsPerSecond * windowMs) / 1000 + burst;
  let accepted: readonly number[] = [];
  return (at) => {
    accepted = accepted.filter((earlier) => earlier > at - windowMs);
    const [oldest] = accepted;
    if (oldest === undefined || accepted.length + 1 <= allowed) {
      accepted = [...accepted, at];
      return null;
    }
    return retryAfter ? { 'retry-after': String(Math.ceil((oldest + windowMs - at) / 1000)) } : {};
  };
}
