/** A clock that advances only when code waits for it. */
export interface FakeClock {
  readonly nowMs: () => number;
  /** Replacement for `sleep` of `src/core/async/wait.ts`, on this clock. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Advances from one sleeper to the next until the work is done. Fails when the work waits for anything but time. */
  readonly runUntil: <T>(work: Promise<T>) => Promise<T>;
  readonly moveTo: (nowMs: number) => void;
}

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** Starts at 0. */
export function createClock(): FakeClock {
  let nowMs = 0;
  const sleepers = new Set<Sleeper>();

  function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { untilMs: nowMs + delayMs, wake };
      sleepers.add(sleeper);
      const abort = () => {
        sleepers.delete(sleeper);
        reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped.'));
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }

  async function runUntil<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const noteDone = () => {
      isDone = true;
    };
    work.then(noteDone, noteDone);
    for (;;) {
      // Runs everything that does not wait for time.
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return work;
      const [next] = [...sleepers].sort((a, b) => a.untilMs - b.untilMs);
      if (next === undefined) throw new Error('The work waits for something else than the clock.');
      sleepers.delete(next);
      nowMs = Math.max(nowMs, next.untilMs);
      next.wake();
    }
  }

  return { nowMs: () => nowMs, sleep, runUntil, moveTo: (toMs) => void (nowMs = toMs) };
}
