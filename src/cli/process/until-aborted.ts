/** Resolves when the signal aborts; keeps the process alive until then. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Nothing else may be pending while a worker is idle.
    const keepAlive = setInterval(() => undefined, 60_000);
    const end = () => {
      clearInterval(keepAlive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
