/** Time that a caller waits for reservations. */
export interface WaitBudget {
  /** Maximum duration of the next wait; milliseconds. */
  readonly leftMs: () => number;
  /** Counts the time spent waiting. */
  readonly waiting: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** Budget for each wait, however many there are. */
export function waitEachTime(waitMsMax: number): WaitBudget {
  return { leftMs: () => waitMsMax, waiting: (wait) => wait() };
}

/** Step to which wait times are rounded: callers with the same time share a queue of the rate limiter. */
const stepMs = 1000;

/** Budget for all waits together, because a caller waits for the answer. `nowMs` is a monotonic clock. */
export function totalWaitBudget(waitMsMax: number, nowMs: () => number): WaitBudget {
  let spentMs = 0;
  return {
    leftMs: () => Math.max(0, Math.floor((waitMsMax - spentMs) / stepMs) * stepMs),
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
