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

/** Figures of the pauses from each promotion to the next outcome. The percentile is that of the nearest rank. */
export function pauseFigures(pausesMs: readonly number[]): Figures {
  const sorted = [...pausesMs].sort((a, b) => a - b);
  const percentile = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
  return {
    'first outcome after each promotion, ms': pausesMs.join(', '),
    'median, ms': percentile(0.5),
    'p99, ms': percentile(0.99),
  };
}
