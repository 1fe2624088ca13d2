import type { Allowance } from './allowance.ts';
import { namedDelay } from '../work/retry-policies.ts';
import type { SourcePace } from './source-call.ts';

/** Consequences of the rate limit headers of a source. Milliseconds; null: none. */
export interface RateLimitAdvice {
  /** Nobody asks the source for so long. */
  readonly holdOffMs: number | null;
  /** Its requests have to be so far apart from now on. */
  readonly intervalMs: number | null;
}

/**
 * A window that is used up is waited for. A limit that is slower than our own pace becomes the pace; one that is faster changes
 * nothing, because the operator's setting is a promise to the source.
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
