import { sleep } from '../../core/async/wait.ts';

/** Resolves when a call may be sent, with the milliseconds waited; rejects with the signal's reason when it aborts. */
export type CallGap = (signal: AbortSignal) => Promise<number>;

export interface CallGapOptions {
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** Minimum time between the starts of two calls; clients that were not blocked kept 0.6 to 2 s (recorded replies). */
const gapMsMin = 2_000;
/** Maximum random delay of a call, so that calls are not regular. */
const jitterMsMax = 1_000;

const systemOptions: CallGapOptions = { nowMs: () => performance.now(), random: Math.random, sleep };

/**
 * Keeps the calls of this process at least 2 s apart, each up to 1 s later at random. It does not know other processes:
 * `transparencyLimits` keeps those apart.
 */
export function createCallGap({ nowMs, random, sleep: wait }: CallGapOptions = systemOptions): CallGap {
  let earliestMs = -Infinity;
  return async (signal) => {
    const askedMs = nowMs();
    await wait(random() * jitterMsMax, signal);
    // Another call may have started meanwhile, and timers can fire early.
    while (nowMs() < earliestMs) await wait(earliestMs - nowMs(), signal);
    earliestMs = nowMs() + gapMsMin;
    return nowMs() - askedMs;
  };
}
