/** Resolves after so many milliseconds; rejects with the signal's reason when it aborts first. */
export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    function abort() {
      clearTimeout(timer);
      reject(reasonOf(signal));
    }
    signal.addEventListener('abort', abort, { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('Stopped.');
}
