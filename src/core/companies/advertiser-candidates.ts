import type { MatchReason } from './match/reasons.ts';

/** An advertiser of which the evidence does not decide whether it belongs to a company. Its ads are in no answer to a search by name. */
export interface UncertainAdvertiser {
  /** Always text: leading zeros count. */
  readonly advertiserId: string;
  readonly name: string | null;
  /** Name in the register, if the source has it. */
  readonly legalName: string | null;
  /** Country, ISO 3166-1 alpha-2, as the source gives it. */
  readonly location: string | null;
  /** State of its verification, in capitals: `VERIFIED`, `UNVERIFIED` or another word of the source. */
  readonly verification: string | null;
  /** Number of its ads at the source; null if unknown. */
  readonly adsCount: number | null;
  /** Probability that it is the company's own, from 0.01 to 0.99. Stored in hundredths. */
  readonly confidence: number;
  readonly reasons: readonly MatchReason[];
}

/** A candidate as a lookup reports it. */
export interface ReportedCandidate extends UncertainAdvertiser {
  readonly accountId: number;
  /** `CompanyQuery.key`. */
  readonly companyKey: string;
  /** Source that reported the advertiser. */
  readonly source: string;
  readonly lookupId: bigint;
}

/** A candidate that waits for a decision. */
export interface AdvertiserCandidate extends UncertainAdvertiser {
  readonly companyKey: string;
  readonly source: string;
  /** Times of the first and the last lookup that reported it, by the database clock. */
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** Lookup that reported it last. The candidate is purged with it. */
  readonly lookupId: bigint;
}

/** Position in the list of candidates: those after it come next. */
export type CandidatePosition = Pick<AdvertiserCandidate, 'confidence' | 'companyKey' | 'advertiserId'>;

/** Candidates to list or count. Default: all of the account. */
export interface CandidateFilter {
  /** Only those of this company. */
  readonly companyKey?: string | undefined;
  /** Only those that a lookup of this batch reported last; by its public id. */
  readonly batch?: string | undefined;
}

/** Part of the list of candidates. */
export interface CandidatesWanted extends CandidateFilter {
  /** Default: from the beginning. */
  readonly after?: CandidatePosition | undefined;
  /** Maximum number of candidates. */
  readonly limit: number;
}

/** Number of candidates that wait for a decision. */
export interface CandidateCounts {
  readonly advertisers: number;
  /** Number of companies that have one. */
  readonly companies: number;
}

/**
 * Port: advertisers that wait for a decision, per account. A decision is an entry of the company's mapping (`CompanyMappingStore`): a mapped
 * advertiser, whatever its role, is no longer a candidate, and is one again when the entry is removed.
 */
export interface AdvertiserCandidateStore {
  /** Lists candidates, the most likely first, then by company and advertiser. */
  list(accountId: number, wanted: CandidatesWanted): Promise<readonly AdvertiserCandidate[]>;
  /** Finds the candidates of several companies in one query, by company key, each company's most likely first. */
  listOf(
    accountId: number,
    companyKeys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly AdvertiserCandidate[]>>;
  count(accountId: number, filter?: CandidateFilter): Promise<CandidateCounts>;
  /** Finds a reported advertiser of a company, also one that is decided; null if no lookup has reported it. */
  find(accountId: number, companyKey: string, advertiserId: string): Promise<AdvertiserCandidate | null>;
}
