/** Median; for an even number of values the mean of the two in the middle. Throws without values. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing.');
  return (upper + lower) / 2;
}

/** Percentile by the nearest-rank method; `part` from 0 to 1. */
export function percentile(figures: readonly number[], part: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** Rounds a value to at most `digits` decimal places for output. */
export function rounded(figure: number, digits = 3): number {
  return Number(figure.toFixed(digits));
}

/** Measures the seconds of `work`, and returns them with its result. */
export async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly seconds: number; readonly value: T }> {
  const startMs = performance.now();
  const value = await work();
  return { seconds: (performance.now() - startMs) / 1000, value };
}

/** Maximum resident set size of this process so far, in MB of 10^6 bytes. */
export function peakRssMb(): number {
  return Math.round((process.resourceUsage().maxRSS * 1024) / 1e6);
}
