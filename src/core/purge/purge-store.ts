import type { PurgeKind } from './purge-kinds.ts';

/** How many of what went, or would go: `{ batches: 3, rows: 5000, … }`. Each kind has the same names every time. */
export type PurgeCounts = Readonly<Record<string, number>>;

/** What is old enough to go. */
export interface PurgeScope {
  readonly kind: PurgeKind;
  /** What ended before that moment. By the database's clock, and at least a day ago. */
  readonly before: Date;
  /** Null: of all accounts. */
  readonly accountId: number | null;
}

/** One round of a purge. */
export interface PurgeRound {
  readonly counts: PurgeCounts;
  /** Where the next round goes on; null when nothing is left. */
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
  /** What of a kind would go. Changes nothing. */
  count(scope: PurgeScope): Promise<PurgeCounts>;
  /** What nobody would refer to any more, were all of these purged. Changes nothing. */
  countUnseen(scopes: readonly PurgeScope[]): Promise<SweptAds>;
  /**
   * A round: one short transaction. Safe at any time, beside workers and other purges, and any number of times: what is not finished,
   * or still needed, is left alone.
   */
  purgeSome(scope: PurgeScope, from: string | null): Promise<PurgeRound>;
  /** Takes some ads away that nobody refers to; null when that cannot be told for certain at the moment. */
  sweepSome(): Promise<SweptAds | null>;
}
