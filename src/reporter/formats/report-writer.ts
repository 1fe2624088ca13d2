import type { Cell } from '../report-row.ts';

/**
 * Turns the blocks of one report into text. The file is `head`, then `block` of each block in order, then `tail`.
 *
 * A writer serves one report: it may remember whether it has written a line. It is pure otherwise; the same blocks give
 * the same text, however the lines are divided into blocks.
 */
export interface ReportWriter {
  readonly head: string;
  readonly block: (lines: readonly (readonly Cell[])[]) => string;
  readonly tail: string;
}
