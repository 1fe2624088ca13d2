/** Recent successful control calls, by their subject; shared by all lookups of a process. */
export interface Controls {
  /** True when the control call succeeded within the last five minutes. */
  readonly isFresh: (about: string) => boolean;
  /** Records a successful control call. */
  readonly note: (about: string) => void;
}

/**
 * Our choice: a change of the interface may stay undetected for this long; without it, every company without ads would cost
 * another call.
 */
const freshMs = 5 * 60_000;

/** `nowMs`: a monotonic clock in milliseconds. */
export function createControls(nowMs: () => number = () => performance.now()): Controls {
  const answeredMs = new Map<string, number>();
  return {
    isFresh: (about) => nowMs() - (answeredMs.get(about) ?? -Infinity) < freshMs,
    note: (about) => void answeredMs.set(about, nowMs()),
  };
}
