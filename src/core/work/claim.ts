import type { CompanyQuery } from '../company.ts';

/** A company whose lookup waits for its outcome. */
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

/** An address whose lookup waits for its outcome. */
export interface OpenAddress {
  readonly lookupId: bigint;
  /** As it was first written; null when the person was forgotten meanwhile. */
  readonly email: string | null;
  /** How often a mail server has put us off so far. */
  readonly tries: number;
}

/** The right to work on a chunk until its lease ends. */
interface ClaimedChunk {
  readonly chunkId: number;
  readonly generation: number;
  /** The fence: only who holds it may commit. */
  readonly token: string;
  readonly accountId: number;
  /** Null for the chunk of a single request. */
  readonly batchId: number | null;
  /** The price of a result, fixed when the credits were held. */
  readonly priceMicro: bigint;
  /** The attempt of the holds in the ledger. */
  readonly attempt: number;
}

/** Companies to look up: those of the chunk that are still open. */
export interface AdsClaim extends ClaimedChunk {
  readonly operation: 'ads_search';
  readonly sources: readonly string[];
  readonly lookups: readonly OpenLookup[];
}

/** Addresses to validate: those of the chunk that are still open. */
export interface EmailClaim extends ClaimedChunk {
  readonly operation: 'email_validation';
  readonly lookups: readonly OpenAddress[];
}

/** The right to work on a chunk, and the work itself. */
export type Claim = AdsClaim | EmailClaim;
