/** Time that a caller waits for reservations. */
export interface WaitBudget {
  /** The next wait may take so long; milliseconds. */
  readonly leftMs: () => number;
  /** Counts what is spent with waiting. */
  readonly waiting: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** Every wait may take so long, however many there are. */
export function waitEachTime(waitMsMax: number): WaitBudget {
  return { leftMs: () => waitMsMax, waiting: (wait) => wait() };
}

/** Step to which wait times are rounded: callers with the same time share a line at the rate limiter. */
const stepMs = 1000;

/** All waits together may take so long: somebody is there who waits for the answer. `nowMs` is a monotonic clock. */
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
