import { StorageUnavailable } from '../../core/errors.ts';
import { abortReason, onAbort, raceAbort } from '../../core/async/race-abort.ts';
import { openDeadline } from '../http/deadline.ts';

/** Time limits of a storage, in milliseconds. */
export interface StorageTimes {
  /** Until a storage answers, and between two pieces of a file. */
  readonly answerMs: number;
  /** From the beginning to the end of a file. */
  readonly transferMs: number;
}

/** Our choice: a file of some hundred megabytes passes a line of 1 Mbit/s within the hour. */
export const standardTimes: StorageTimes = { answerMs: 60_000, transferMs: 3_600_000 };

/** One operation on a storage, as a time limit needs it. */
export interface Timed {
  /** Signal of the caller; its reason is thrown unchanged. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** Name of the operation in messages, without secrets. */
  readonly where: string;
}

/**
 * Runs an operation until its deadline. The operation receives a signal that aborts with the caller's and at the deadline.
 *
 * @throws StorageUnavailable when the time is up.
 */
export async function withinTime<T>(
  { signal, deadlineMs, where }: Timed,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = openDeadline(signal, deadlineMs);
  try {
    return await raceAbort(work(deadline.signal), deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.passed()) throw error;
    throw new StorageUnavailable(`${where} gave no answer within ${deadlineMs / 1000} s.`, { cause: error });
  } finally {
    deadline.close();
  }
}

/**
 * Runs the transfer of a file, which calls `moved` with each piece: it may take `transferMs`, and pause for `answerMs`.
 *
 * @throws StorageUnavailable when the time is up.
 */
export async function whileMoving<T>(
  {
    signal,
    times,
    where,
  }: { readonly signal: AbortSignal; readonly times: StorageTimes; readonly where: string },
  work: (signal: AbortSignal, moved: () => void) => Promise<T>,
): Promise<T> {
  const { answerMs, transferMs } = times;
  return withinTime({ signal, deadlineMs: transferMs, where }, async (inner) => {
    const stop = new AbortController();
    const stalled = () => new StorageUnavailable(`${where} gave no answer within ${answerMs / 1000} s.`);
    const forget = onAbort(inner, () => stop.abort(abortReason(inner)));
    const timer = setTimeout(() => stop.abort(stalled()), answerMs);
    try {
      return await raceAbort(
        work(stop.signal, () => timer.refresh()),
        stop.signal,
      );
    } finally {
      clearTimeout(timer);
      forget();
    }
  });
}
