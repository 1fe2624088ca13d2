import type { MatchedBy, SearchOptions } from '../ads/ads-answer.ts';
import type { CompanyQuery } from '../companies/company.ts';

/** A company whose lookup waits for its outcome. */
export interface OpenLookup {
  readonly lookupId: bigint;
  readonly company: CompanyQuery;
  /** Names the lookup at a live source: the same for every call that is made for it. */
  readonly requestKey: string;
  /** Calls so far that failed in a way worth another try. */
  readonly tries: number;
  /** The calls to live sources that were made for it already: a worker died, or another source failed. */
  readonly earlier: readonly EarlierCall[];
  /** Answers of sources from before a reschedule: these sources are not called again. */
  readonly reported: readonly PriorAnswer[];
  /** Only replies that were kept are read; no source is asked. */
  readonly repliesOnly: boolean;
}

/** Answer of a source for a lookup that stays open. */
export type PriorAnswer =
  | { readonly source: string; readonly reported: 'none'; readonly matchedBy: MatchedBy }
  | { readonly source: string; readonly reported: 'no_match' };

/** A call to a live source that was made for an open lookup, and may have been charged. */
export interface EarlierCall {
  readonly callId: bigint;
  readonly source: string;
  readonly about: string;
  /**
   * `kept`: its reply is there to be read again. Otherwise what is known of it: `lost`, when its answer never came or told of ads
   * that were never committed; `candidates`, when it only led to another call; or an answer without ads, which is on record whole.
   */
  readonly state: 'kept' | 'lost' | 'candidates' | 'none' | 'no_match';
}

/** An address whose lookup waits for its outcome. */
export interface OpenAddress {
  readonly lookupId: bigint;
  /** As it was first written; null when the person was forgotten meanwhile. */
  readonly email: string | null;
  /** Number of reschedules because DNS gave no answer. */
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
  readonly search: SearchOptions;
  readonly lookups: readonly OpenLookup[];
}

/** Addresses to validate: those of the chunk that are still open. */
export interface EmailClaim extends ClaimedChunk {
  readonly operation: 'email_validation';
  readonly lookups: readonly OpenAddress[];
}

/** The right to work on a chunk, and the work itself. */
export type Claim = AdsClaim | EmailClaim;
