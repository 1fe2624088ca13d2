import type { SearchOptions } from '../sources/ad-source.ts';
import type { HitRate } from '../credits/estimate.ts';
import type { Operation } from '../credits/price-book.ts';
import type { BatchState } from './batch.ts';

/** How an account read a list with the same columns the last time. */
export interface RememberedColumns {
  /** The batch that it became. */
  readonly batch: string;
  readonly fileName: string;
  readonly createdAt: Date;
  /** By field, the name of the column that held it. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A list as it is about to be handed in: what is looked up in which columns, where, and how. */
export interface ListUse {
  /** SHA-256 of the decompressed content, hexadecimal. */
  readonly contentSha256: string;
  readonly operations: readonly Operation[];
  /** By field, the index of the column that holds it. */
  readonly columnMap: Readonly<Record<string, number>>;
  /** Empty where no companies are looked up. */
  readonly sources: readonly string[];
  readonly search: SearchOptions;
}

/** A batch of the same file, used in the same way. */
export interface EarlierBatch {
  readonly batch: string;
  readonly fileName: string;
  readonly createdAt: Date;
  readonly state: BatchState;
  readonly chargedMicro: bigint;
}

/** Port: what an account's earlier lists tell of the next one. Only its newest lists are looked at, so that asking stays cheap. */
export interface SavedColumnMappings {
  /** The newest of its last 500 batches that has exactly these columns, in this order; null when there is none. */
  findColumns(accountId: number, header: readonly string[]): Promise<RememberedColumns | null>;
  /**
   * The newest of its last 500 batches that was made of the same file in the same way, so that what it was charged would be charged
   * again. The age of answers plays no part in what the same way is. Null when there is none, or it was cancelled or purged.
   */
  findEarlier(accountId: number, use: ListUse): Promise<EarlierBatch | null>;
  /**
   * How often its lookups of late had a result that costs, by operation: those of its last 50 batches, of companies those that asked
   * the same sources. Failed and cancelled ones say nothing. An operation without any is not there.
   */
  readHitRates(
    accountId: number,
    sources: readonly string[],
  ): Promise<Readonly<Partial<Record<Operation, HitRate>>>>;
}
