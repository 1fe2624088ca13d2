import type { HitRate } from '../credits/estimate.ts';
import type { Operation } from '../credits/price-book.ts';

/** How an account read a list with the same columns the last time. */
export interface RememberedColumns {
  /** The batch that it became. */
  readonly batch: string;
  readonly fileName: string;
  readonly createdAt: Date;
  /** By field, the name of the column that held it. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Port: what an account's earlier lists tell of the next one. Only its newest lists are looked at, so that asking stays cheap. */
export interface ListMemory {
  /** The newest of its last 500 batches that has exactly these columns, in this order; null when there is none. */
  findColumns(accountId: number, header: readonly string[]): Promise<RememberedColumns | null>;
  /**
   * How often its lookups of late had a result that costs, by operation: those of its last 50 batches, of companies those that asked
   * the same sources. Failed and cancelled ones say nothing. An operation without any is not there.
   */
  readHitRates(
    accountId: number,
    sources: readonly string[],
  ): Promise<Readonly<Partial<Record<Operation, HitRate>>>>;
}
