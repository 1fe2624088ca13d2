import type { Cell } from './report-row.ts';

/** Some lines of a report, in order. */
export type Lines = readonly (readonly Cell[])[];

/** Converts the lines of one report, in blocks of any size, into the bytes of its file. The same lines give the same bytes. */
export type ReportEncoder = (blocks: AsyncIterable<Lines>) => AsyncIterable<Uint8Array>;

/**
 * Converts the blocks of one report to text. The file is `head`, then `block` of each block in order, then `tail`.
 *
 * A writer serves one report: it may store whether it has written a line. Otherwise it is pure: the same lines give the same
 * text, however they are divided into blocks.
 */
export interface ReportWriter {
  readonly head: string;
  readonly block: (lines: Lines) => string;
  readonly tail: string;
}
