import { intervalMsOf, type SourcePace } from './source-call.ts';

/** Time that a caller waits for reservations. */
export interface WaitBudget {
  /** Maximum duration of the next wait for a source with this pace, or, with null, whatever its pace; milliseconds. */
  readonly leftMs: (pace: SourcePace | null) => number;
  /** Counts the time spent waiting. */
  readonly waiting: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** Budget for each wait, however many there are. */
export function waitEachTime(waitMsMax: number): WaitBudget {
  return { leftMs: () => waitMsMax, waiting: (wait) => wait() };
}

/** Step to which wait times are rounded: callers with the same time share a queue of the rate limiter. */
const stepMs = 1000;

/**
 * Maximum distance of a slot that a call of a batch takes, so that a single search waits no longer than this and one interval
 * (docs/architecture/decisions/0029-fair-shares.md).
 */
export const batchSlotMsMax = 1000;

/**
 * Budget for all waits together, because a caller waits for the answer. `nowMs` is a monotonic clock.
 *
 * For a source whose interval is longer, it is the wait for the first slot that batches leave: with less, a search would get none
 * as long as a batch uses the source.
 */
export function totalWaitBudget(waitMsMax: number, nowMs: () => number): WaitBudget {
  let spentMs = 0;
  return {
    leftMs: (pace) => {
      const leftMs = Math.max(waitMsMax, firstSlotMsOf(pace)) - spentMs;
      return Math.max(0, Math.floor(leftMs / stepMs) * stepMs);
    },
    waiting: async (wait) => {
      const beganMs = nowMs();
      try {
        return await wait();
      } finally {
        spentMs += nowMs() - beganMs;
      }
    },
  };
}

/** Budget for the calls of a lookup after its first one: what that one returned is an answer, so a slow source gets no more time. */
export function forFurtherCalls(budget: WaitBudget): WaitBudget {
  return { ...budget, leftMs: () => budget.leftMs(null) };
}

/** Maximum wait for the first slot of a slow source: proxies commonly end a request after a minute without an answer. */
const firstSlotMsMax = 55_000;

/** Longest wait for a slot beside batches, with a step for what the rounding takes away. */
function firstSlotMsOf(pace: SourcePace | null): number {
  return Math.min(intervalMsOf(pace) + batchSlotMsMax + stepMs, firstSlotMsMax);
}
