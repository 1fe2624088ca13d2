import type { PurgeKind } from './purge-kinds.ts';

/** Number of removed records by name: `{ batches: 3, rows: 5000 }`. Each kind has the same names every time. */
export type PurgeCounts = Readonly<Record<string, number>>;

/** Scope of a purge. */
export interface PurgeScope {
  readonly kind: PurgeKind;
  /** Removes what ended before that moment, by the database's clock; at least a day ago. */
  readonly before: Date;
  /** Null: of all accounts. */
  readonly accountId: number | null;
}

/** One round of a purge. */
export interface PurgeRound {
  readonly counts: PurgeCounts;
  /** Cursor of the next round; null when nothing is left. */
  readonly next: string | null;
}

/** Versions of ads that nobody refers to any more, and ads without any version left. */
export interface SweptAds {
  readonly versions: number;
  readonly ads: number;
}

/** Port: takes away what is old enough. */
export interface PurgeStore {
  /** The moment so many milliseconds ago. */
  momentAgo(ageMs: number): Promise<Date>;
  /** Counts what a purge would remove. Changes nothing. */
  count(scope: PurgeScope): Promise<PurgeCounts>;
  /** Counts the ads that would lose their last reference. Changes nothing. */
  countUnseen(scopes: readonly PurgeScope[]): Promise<SweptAds>;
  /**
   * A round: one short transaction. Safe at any time, beside workers and other purges, and any number of times: what is not finished,
   * or still needed, is left alone.
   */
  purgeSome(scope: PurgeScope, from: string | null): Promise<PurgeRound>;
  /** Takes some ads away that nobody refers to; null when that cannot be told for certain at the moment. */
  sweepSome(): Promise<SweptAds | null>;
}
