import type { CompanyQuery } from '../company.ts';

/** A lookup that waits for its outcome. */
export interface OpenLookup {
  readonly lookupId: bigint;
  readonly company: CompanyQuery;
  /** Names the lookup at a live source: the same for every call that is made for it. */
  readonly requestKey: string;
  /** Calls so far that failed in a way worth another try. */
  readonly tries: number;
  /** What calls to live sources have left behind for this lookup, by source: a worker died, or another source failed. */
  readonly earlier: ReadonlyMap<string, EarlierCall>;
}

/**
 * What is known of the earlier calls to one source. `lost`: a call was sent and its answer never came, or its ads were never
 * committed, so the source may have charged for it. An answer without ads is on record whole and need not be asked for again.
 */
export type EarlierCall = 'lost' | 'none' | 'no_match';

/** The right to work on a chunk until its lease ends, and the work itself: its lookups that are still open. */
export interface Claim {
  readonly chunkId: number;
  readonly generation: number;
  /** The fence: only who holds it may commit. */
  readonly token: string;
  readonly accountId: number;
  /** Null for the chunk of a single request. */
  readonly batchId: number | null;
  /** The price of a find, fixed when the credits were held. */
  readonly priceMicro: bigint;
  /** The attempt of the holds in the ledger. */
  readonly attempt: number;
  readonly sources: readonly string[];
  readonly lookups: readonly OpenLookup[];
}
