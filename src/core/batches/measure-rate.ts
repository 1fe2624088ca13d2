/** Measures a rate from samples of progress. */
export interface RateMeter {
  /** Records the progress so far. A lower value than before restarts the measurement. */
  readonly note: (done: number) => void;
  /** Records the progress at an earlier moment, from which the work has been running. */
  readonly begin: (done: number, atMs: number) => void;
  /** Rate over the last window; null without enough samples, and while nothing moves. */
  readonly perSecond: () => number | null;
  /** Drops earlier samples, after a standstill. */
  readonly reset: () => void;
}

/**
 * Measures over the last `windowMs`. The last sample before the window is kept too, because slow work may have none within it.
 *
 * For the progress of batches in a terminal and in a browser.
 */
export function createRateMeter(nowMs: () => number, windowMs = 30_000): RateMeter {
  let samples: { readonly atMs: number; readonly done: number }[] = [];

  function note(done: number): void {
    const before = samples.at(-1)?.done ?? -1;
    if (before === done) return;
    if (done < before) samples = [];
    samples.push({ atMs: nowMs(), done });
    const edgeMs = nowMs() - windowMs;
    while ((samples[1]?.atMs ?? Infinity) <= edgeMs) samples.shift();
  }

  function begin(done: number, atMs: number): void {
    const [first] = samples;
    if (first === undefined || (atMs < first.atMs && done <= first.done)) samples.unshift({ atMs, done });
  }

  function perSecond(): number | null {
    const [first] = samples;
    const last = samples.at(-1);
    if (first === undefined || last === undefined || last.done <= first.done) return null;
    const seconds = (nowMs() - first.atMs) / 1000;
    return seconds > 0 ? (last.done - first.done) / seconds : null;
  }

  return { note, begin, perSecond, reset: () => void (samples = []) };
}
