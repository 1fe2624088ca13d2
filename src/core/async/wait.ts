import { abortReason } from './race-abort.ts';

/** Resolves after the delay; rejects with the signal's reason if it aborts first. */
export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    function abort() {
      clearTimeout(timer);
      reject(abortReason(signal));
    }
    signal.addEventListener('abort', abort, { once: true });
  });
}
