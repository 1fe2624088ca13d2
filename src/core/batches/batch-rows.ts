import type { SearchOptions } from '../ads/ads-answer.ts';
import type { Operation } from '../credits/price-book.ts';

/** A batch as it was submitted, to submit it once more. */
export interface SubmittedBatch {
  readonly batchId: number;
  /** Name that people gave it, else null. */
  readonly name: string | null;
  readonly fileName: string;
  readonly tags: readonly string[];
  /** Names of the columns, in order. */
  readonly header: readonly string[];
  /** Column (0-based) of each field. */
  readonly columnMap: Readonly<Record<string, number>>;
  readonly operations: readonly Operation[];
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  /** Text between two cells of the first file; null if it is unknown. */
  readonly delimiter: string | null;
}

/** A row as it was submitted. */
export interface SubmittedRow {
  /** Line of the file where it begins, from 1. */
  readonly lineNo: number;
  readonly cells: readonly string[];
  /** Reason why it is rejected; null if it is not. */
  readonly problem: string | null;
  /** Remark about its form; null without one. */
  readonly warning: string | null;
}

/** Port: the submitted rows of batches. */
export interface BatchRows {
  /** @throws NotFound; Conflict for a batch that is still being loaded, or whose rows are purged */
  readSubmitted(accountId: number, publicId: string): Promise<SubmittedBatch>;
  /** Reads all rows in input order, rejected ones too, a page at a time. */
  read(batchId: number): AsyncIterable<readonly SubmittedRow[]>;
}
