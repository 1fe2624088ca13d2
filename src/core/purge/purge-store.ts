import type { PurgeKind } from './purge-kinds.ts';

/** Number of removed records by name: `{ batches: 3, rows: 5000 }`. Each kind has the same names every time. */
export type PurgeCounts = Readonly<Record<string, number>>;

/** Scope of a purge. */
export interface PurgeScope {
  readonly kind: PurgeKind;
  /** Purges what ended before this moment, by the database clock; at least a day ago. */
  readonly before: Date;
  /** Null: all accounts. */
  readonly accountId: number | null;
}

/** One round of a purge. */
export interface PurgeRound {
  readonly counts: PurgeCounts;
  /** Cursor of the next round; null when nothing is left. */
  readonly next: string | null;
}

/** Unreferenced versions of ads, and ads without any version. */
export interface SweptAds {
  readonly versions: number;
  readonly ads: number;
}

/** Port: purges old data. */
export interface PurgeStore {
  /** Moment this many milliseconds ago, by the database clock. */
  momentAgo(ageMs: number): Promise<Date>;
  /** Counts what a purge would remove. Changes nothing. */
  count(scope: PurgeScope): Promise<PurgeCounts>;
  /** Counts the ads that would lose their last reference. Changes nothing. */
  countUnseen(scopes: readonly PurgeScope[]): Promise<SweptAds>;
  /**
   * Purges one round in a short transaction. Safe at any time, beside workers and other purges, and any number of times: data
   * that is unfinished or still needed stays.
   */
  purgeSome(scope: PurgeScope, from: string | null): Promise<PurgeRound>;
  /** Purges up to `rounds` rounds of the batches that people deleted, a day after their end at the earliest. */
  purgeDeleted(rounds: number): Promise<void>;
  /** Removes some unreferenced ads; null when their references cannot be determined at the moment. */
  sweepSome(): Promise<SweptAds | null>;
}

/** Port: the space that purged records took on the disk. */
export interface PurgedSpace {
  /**
   * Gives back the space of tables from which a purge deleted much: where nothing is left at the end of a table, and the indexes of one that
   * lost at least half of its rows. The database reuses the rest. Does nothing without the right for it.
   *
   * @throws the signal's reason after it aborted.
   */
  release(counts: PurgeCounts, signal?: AbortSignal): Promise<void>;
}
