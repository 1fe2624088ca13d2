import { abortReason } from './abort-reason.ts';
import { onAbort } from './on-abort.ts';

/** Waits for the work, or rejects with the signal's reason when it aborts first; the work goes on for others. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(abortReason(signal)));
    work.then(resolve, reject).finally(stop);
  });
}
