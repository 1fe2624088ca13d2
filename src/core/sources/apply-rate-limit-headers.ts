import type { Allowance } from './allowance.ts';
import { namedDelay } from '../work/retry-policies.ts';
import type { SourcePace } from './source-call.ts';

/** Consequences of the rate limit headers of a source. Milliseconds; null: none. */
export interface RateLimitAdvice {
  /** No call to the source within this time. */
  readonly holdOffMs: number | null;
  /** Minimum interval between calls from now on. */
  readonly intervalMs: number | null;
}

/**
 * Derives the consequences of rate limit headers. A used-up window is waited for. A limit below the configured rate becomes the
 * rate; a higher one changes nothing, because the configured rate is a promise to the source.
 */
export function applyRateLimitHeaders(allowance: Allowance | null, pace: SourcePace | null): RateLimitAdvice {
  if (allowance === null) return { holdOffMs: null, intervalMs: null };
  const { limit, windowMs, remaining, resetMs } = allowance;
  const isUsedUp = remaining === 0 && resetMs !== null && resetMs > 0;
  const theirs = limit === null || windowMs === null || limit === 0 ? 0 : windowMs / limit;
  const ours = pace === null ? 0 : 1000 / pace.requestsPerSecond;
  return {
    holdOffMs: isUsedUp ? Math.min(resetMs, namedDelay.delayMsMax) : null,
    intervalMs: theirs > ours ? theirs : null,
  };
}
