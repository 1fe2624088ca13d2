import { messageWithVendor, type SourceThrottled } from '../errors.ts';
import type { Throttle } from '../work/wait-cause.ts';
import type { Allowance } from './allowance.ts';
import { namedDelay } from '../work/retry-policies.ts';
import { intervalMsOf, type SourcePace } from './source-call.ts';

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
  const ours = intervalMsOf(pace);
  return {
    holdOffMs: isUsedUp ? Math.min(resetMs, namedDelay.delayMsMax) : null,
    intervalMs: theirs > ours ? theirs : null,
  };
}

/** Distance of the next slot, and the interval between slots; milliseconds. */
export interface SlotWait {
  readonly delayMs: number;
  readonly intervalMs: number;
}

/** Delays below it are part of every rate, and nothing that a person has to know. */
const shownMsMin = 2000;

/** Wait after the source asked for fewer calls. */
export function rateLimitWait(error: SourceThrottled, delayMs: number): Throttle | null {
  return shown({ cause: 'rate_limit', bound: null, reason: messageWithVendor(error), delayMs });
}

/** Wait for the next window of the source's rate limit, by its headers; null if the window has calls left. */
export function windowWait(allowance: Allowance | null, pace: SourcePace | null): Throttle | null {
  const { holdOffMs } = applyRateLimitHeaders(allowance, pace);
  if (holdOffMs === null) return null;
  const reason = 'its headers say that no calls are left in this window';
  return shown({ cause: 'rate_limit', bound: null, reason, delayMs: holdOffMs });
}

/** Wait for a slot: of the configured pace, or of the lower rate that the source named. */
export function paceWait(pace: SourcePace | null, { delayMs, intervalMs }: SlotWait): Throttle | null {
  const cause = intervalMs > intervalMsOf(pace) ? ('rate_limit' as const) : ('pace' as const);
  const bound = intervalMs === 0 ? null : `${perMinute(intervalMs)} calls a minute`;
  return shown({ cause, bound, reason: null, delayMs });
}

function perMinute(intervalMs: number): string {
  return String(Number((60_000 / intervalMs).toPrecision(2)));
}

function shown(throttle: Throttle): Throttle | null {
  return throttle.delayMs < shownMsMin ? null : throttle;
}
