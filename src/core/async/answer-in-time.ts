import { raceAbort } from './race-abort.ts';

/**
 * Waits for the work for `msMax`; then it aborts the signal of the work and rejects with "no answer". What has been sent continues.
 */
export async function answerInTime<T>(msMax: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('no answer')), msMax);
  try {
    return await raceAbort(work(late.signal), late.signal);
  } finally {
    clearTimeout(timer);
  }
}
