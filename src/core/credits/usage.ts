import type { Operation } from './price-book.ts';

/**
 * Reason why a lookup was free. `none`: there are no ads; `no_match`: no source could identify the company; `unknown`: there is
 * no evidence for or against the address; `failed`; `cancelled`: no source was called; `repeated`: an earlier answer was
 * reused; `no_price`: answers had no price at the time.
 */
export type FreeReason = 'none' | 'no_match' | 'unknown' | 'failed' | 'cancelled' | 'repeated' | 'no_price';

/** Outcomes of ended lookups. Each counts once: as charged, or as free for one reason. */
export interface Usage {
  readonly lookups: number;
  readonly charged: number;
  readonly chargedMicro: bigint;
  readonly free: Readonly<Record<FreeReason, number>>;
}

/** Days in a time zone, first and last, `YYYY-MM-DD`; null: no bound on that side. */
export interface UsageSpan {
  readonly from: string | null;
  readonly to: string | null;
  /** IANA name. */
  readonly timeZone: string;
}

export interface UsageFilter extends UsageSpan {
  /** Null: both. */
  readonly operation: Operation | null;
}

export interface DayUsage extends Usage {
  readonly day: string;
}

export interface OperationUsage extends Usage {
  readonly operation: Operation;
}

export interface BatchUsage extends Usage {
  /** Public id; null: all single searches and validations together. */
  readonly batch: string | null;
  readonly fileName: string | null;
}

/** Port: charged and free lookups of an account, by the time at which they ended. */
export interface UsageList {
  /** Lists days with lookups, oldest first. @throws ValidationError for a zone that Postgres does not know. */
  byDay(accountId: number, filter: UsageFilter): Promise<readonly DayUsage[]>;
  byOperation(accountId: number, filter: UsageFilter): Promise<readonly OperationUsage[]>;
  /**
   * Lists batches with lookups, newest first, and at the end the lookups without a batch. `after` is the public id of the last
   * batch of the previous page.
   *
   * @throws NotFound when the account has no such batch.
   */
  byBatch(
    accountId: number,
    filter: UsageFilter,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<readonly BatchUsage[]>;
}
