import type { MatchedBy, SearchOptions } from '../ads/ads-answer.ts';
import type { CompanyQuery } from '../companies/company.ts';

/** A company with an open lookup. */
export interface OpenLookup {
  readonly lookupId: bigint;
  readonly company: CompanyQuery;
  /** Identifies the lookup at a live source: the same for every call of it. */
  readonly requestKey: string;
  /** Number of failed calls that used up a try. */
  readonly tries: number;
  /** Earlier calls to live sources for this lookup, after which a worker died or another source failed. */
  readonly earlier: readonly EarlierCall[];
  /** Answers of sources from before a reschedule: these sources are not called again. */
  readonly reported: readonly PriorAnswer[];
  /** True when only stored replies are parsed, and no source is called. */
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
   * `kept`: the reply is stored and can be parsed again. Otherwise: `lost`, when the answer never came or contained ads that
   * were never committed; `candidates`, when it only led to another call; or an answer without ads, which is recorded
   * completely.
   */
  readonly state: 'kept' | 'lost' | 'candidates' | 'none' | 'no_match';
}

/** An address with an open lookup. */
export interface OpenAddress {
  readonly lookupId: bigint;
  /** As first written; null when the person was erased meanwhile. */
  readonly email: string | null;
  /** Number of reschedules because DNS gave no answer. */
  readonly tries: number;
}

/** The right to work on a chunk until its lease ends. */
interface ClaimedChunk {
  readonly chunkId: number;
  readonly generation: number;
  /** Fencing token: only its holder may commit. */
  readonly token: string;
  readonly accountId: number;
  /** Null for the chunk of a single request. */
  readonly batchId: number | null;
  /** Price of a result, fixed when the credits were held. */
  readonly priceMicro: bigint;
  /** Attempt number of the holds in the ledger. */
  readonly attempt: number;
}

/** Companies to look up: the open lookups of the chunk. */
export interface AdsClaim extends ClaimedChunk {
  readonly operation: 'ads_search';
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  readonly lookups: readonly OpenLookup[];
}

/** Addresses to validate: the open lookups of the chunk. */
export interface EmailClaim extends ClaimedChunk {
  readonly operation: 'email_validation';
  readonly lookups: readonly OpenAddress[];
}

/** The right to work on a chunk, and the work itself. */
export type Claim = AdsClaim | EmailClaim;
