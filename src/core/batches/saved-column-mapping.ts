import type { SearchOptions } from '../ads/ads-answer.ts';
import type { HitRate } from '../credits/estimate.ts';
import type { Operation } from '../credits/price-book.ts';
import type { BatchState } from './batch.ts';

/** Column mapping of the last batch with the same columns. */
export interface RememberedColumns {
  /** The batch that was created with it. */
  readonly batch: string;
  readonly fileName: string;
  readonly createdAt: Date;
  /** Name of the column, by field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A batch about to be submitted: its content, its columns, and where and how they are looked up. */
export interface ListUse {
  /** SHA-256 of the decompressed content, hexadecimal. */
  readonly contentSha256: string;
  /** Name of the sheet that is read; null for a file without sheets. */
  readonly sheet: string | null;
  readonly operations: readonly Operation[];
  /** Index of the column, by field. */
  readonly columnMap: Readonly<Record<string, number>>;
  /** Empty if no companies are looked up. */
  readonly sources: readonly string[];
  readonly search: SearchOptions;
}

/** An earlier batch of the same file with the same settings. */
export interface EarlierBatch {
  readonly batch: string;
  readonly fileName: string;
  readonly createdAt: Date;
  readonly state: BatchState;
  readonly chargedMicro: bigint;
}

/** Port: what earlier batches of an account tell about the next one. Only its newest batches are searched, so that a call stays cheap. */
export interface SavedColumnMappings {
  /** The newest of its last 500 batches with exactly these columns, in this order; null without one. */
  findColumns(accountId: number, header: readonly string[]): Promise<RememberedColumns | null>;
  /**
   * The newest of its last 500 batches that was created from the same file with the same settings, which would therefore be
   * charged again. The maximum age of answers is ignored. Null without one, and for a cancelled or purged batch.
   */
  findEarlier(accountId: number, use: ListUse): Promise<EarlierBatch | null>;
  /**
   * Hit rate by operation: the share of recent lookups with a result that costs. It covers the last 50 batches of the account;
   * for companies, those with the same sources. Failed and cancelled lookups do not count. An operation without lookups is
   * absent.
   */
  readHitRates(
    accountId: number,
    sources: readonly string[],
  ): Promise<Readonly<Partial<Record<Operation, HitRate>>>>;
}
