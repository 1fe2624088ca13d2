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

/** Durations in one line: median, 99th percentile and longest, in ms. The percentiles are those of the nearest rank. */
export function summarizeDurations(durationsMs: readonly number[]): string {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  const percentile = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
  const [median, p99, longest] = [percentile(0.5), percentile(0.99), percentile(1)];
  return `median ${median} ms, p99 ${p99} ms, longest ${longest} ms of ${sorted.length}`;
}
