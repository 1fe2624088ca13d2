/** Controls that the service has answered well of late, by what they ask: shared by all lookups of a process. */
export interface Controls {
  /** True when the control question was answered well within the last five minutes. */
  readonly isFresh: (about: string) => boolean;
  /** It was answered well just now. */
  readonly note: (about: string) => void;
}

/** Our choice: a change of the interface may go unnoticed for so long; without it every company without ads would cost a call more. */
const freshMs = 5 * 60_000;

/** `nowMs`: a monotonic clock in milliseconds. */
export function createControls(nowMs: () => number = () => performance.now()): Controls {
  const answeredMs = new Map<string, number>();
  return {
    isFresh: (about) => nowMs() - (answeredMs.get(about) ?? -Infinity) < freshMs,
    note: (about) => void answeredMs.set(about, nowMs()),
  };
}
