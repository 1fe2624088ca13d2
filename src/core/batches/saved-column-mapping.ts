import type { SearchOptions } from '../ads/ads-answer.ts';
import type { HitRate } from '../credits/estimate.ts';
import type { Operation } from '../credits/price-book.ts';
import type { BatchState } from './batch.ts';

/** Column mapping of the last batch with the same columns. */
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
   * Hit rate by operation: the share of recent lookups with a result that costs. It covers the last 50 batches of the account, for
   * companies those with the same sources. Failed and cancelled lookups do not count. An operation without any is absent.
   */
  readHitRates(
    accountId: number,
    sources: readonly string[],
  ): Promise<Readonly<Partial<Record<Operation, HitRate>>>>;
}
