import type { Cell } from './report-row.ts';

/** Some lines of a report, in order. */
export type Lines = readonly (readonly Cell[])[];

/** Turns the lines of one report, whatever blocks they come in, into the bytes of its file. The same lines give the same bytes. */
export type ReportEncoder = (blocks: AsyncIterable<Lines>) => AsyncIterable<Uint8Array>;

/**
 * Turns the blocks of one report into text. The file is `head`, then `block` of each block in order, then `tail`.
 *
 * A writer serves one report: it may remember whether it has written a line. It is pure otherwise; the same blocks give
 * the same text, however the lines are divided into blocks.
 */
export interface ReportWriter {
  readonly head: string;
  readonly block: (lines: Lines) => string;
  readonly tail: string;
}
