const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Delays after the first failed attempt, the second, and so on (Standard Webhooks 1.0, "Retries"); some three days in all. */
export const retryWaitsMs: readonly number[] = [
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** A wait is so much shorter or longer, at most: what failed together does not come back together. Our choice. */
const jitter = 0.2;

/**
 * Delay after a failed attempt, in milliseconds; null after the last. The delay that the receiver asks for counts when it is longer.
 * `attempt` counts from 1; `random` is from 0 to below 1.
 */
export function waitAfter(attempt: number, retryAfterMs: number | null, random: number): number | null {
  const waitMs = retryWaitsMs[attempt - 1];
  if (waitMs === undefined) return null;
  return Math.max(Math.round(waitMs * (1 - jitter + 2 * jitter * random)), retryAfterMs ?? 0);
}
