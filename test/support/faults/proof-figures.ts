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
