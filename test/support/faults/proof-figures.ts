import { appendFileSync } from 'node:fs';

/** Figures of a run by their names, with their units in the names or texts. */
export type Figures = Readonly<Record<string, number | string>>;

/** Prints the figures of a run. In the proof, `NIGHTSHIFT_PROOF_FIGURES` names the file that takes them, as one line of JSON. */
export function recordFigures(title: string, figures: Figures): void {
  const text = Object.entries(figures).map(([name, figure]) => `${name}: ${figure}`);
  process.stderr.write(`  ${title}: ${text.join('; ')}\n`);
  const file = process.env['NIGHTSHIFT_PROOF_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, figures })}\n`);
}

/** Durations in one line: median, 99th percentile and longest, in ms. */
export function summarizeDurations(durationsMs: readonly number[]): string {
  const [median, p99, longest] = [0.5, 0.99, 1].map((part) => percentileOf(durationsMs, part));
  return `median ${median} ms, p99 ${p99} ms, longest ${longest} ms of ${durationsMs.length}`;
}

/** Percentile of the nearest rank; `part` is from 0 to 1. */
export function percentileOf(durationsMs: readonly number[], part: number): number {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
