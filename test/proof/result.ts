import { z } from 'zod';

/** Result of a case. `not run` means that its tests were skipped, as without a tool they need, or that it has none. */
export const caseResult = z.object({
  name: z.string(),
  state: z.enum(['passed', 'failed', 'over time', 'not run']),
  /** The first failures in one line each, or the cause of a case that did not run; empty after a pass. */
  reason: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** Figures that the tests recorded, in order. */
  figures: z.array(
    z.object({ title: z.string(), figures: z.record(z.string(), z.union([z.number(), z.string()])) }),
  ),
  seed: z.string(),
  seconds: z.number(),
  /** Day of the end, in UTC: `2026-11-28`. */
  date: z.string(),
  /** Commit, with `and changes` if the tree differed from it. */
  commit: z.string(),
  machine: z.string(),
});
export type CaseResult = z.infer<typeof caseResult>;

/** Result in one line: the state with the numbers of tests, and the reason. */
export function resultText({ state, passed, failed, skipped, reason }: CaseResult): string {
  const counts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
  return [state, ...(counts === '' ? [] : [` (${counts})`]), ...(reason === '' ? [] : [`: ${reason}`])].join(
    '',
  );
}

/** A line for each set of figures: its title, and its names and figures. */
export function figureLines({ figures }: Pick<CaseResult, 'figures'>): readonly string[] {
  return figures.map(({ title, figures: named }) => {
    const texts = Object.entries(named).map(([name, figure]) => `${name} ${figure}`);
    return `${title}: ${texts.join(', ')}`;
  });
}
