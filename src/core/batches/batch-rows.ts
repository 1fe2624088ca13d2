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
}

/** Port: the submitted rows of batches. */
export interface BatchRows {
  /** @throws NotFound; Conflict for a batch that is still being loaded, or whose rows are purged */
  readSubmitted(accountId: number, publicId: string): Promise<SubmittedBatch>;
  /** Reads the cells of all rows in input order, rejected ones too, in constant memory. */
  cells(batchId: number): AsyncIterable<readonly (readonly string[])[]>;
}
