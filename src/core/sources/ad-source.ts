import type { CompanyQuery } from '../companies/company.ts';
import type { CompanyMapping } from '../companies/company-mapping.ts';
import type { AdsAnswer } from '../ads/ads-answer.ts';
import type { SourceCallExecutor, SourceLimits } from './source-call.ts';

/** One company to look up. */
export interface AdsQuestion {
  readonly company: CompanyQuery;
  /** The operator's mapping of the company. */
  readonly mapping: CompanyMapping;
  /** Country, ISO 3166-1 alpha-2; null: anywhere. Always null for a live source without `regions` in its definition. */
  readonly region: string | null;
  /** Surface on which the ads are shown; null or absent: any. Always null for a source without `surfaces` in its definition. */
  readonly surface?: string | null;
  /** Maximum number of ads; null: the default of the source. */
  readonly adsMax: number | null;
  /** True when ads of third parties will be left out, so that the source need not return them. Absent: false. */
  readonly ownOnly?: boolean;
  /** Identifies this lookup at the source, so that a repeat is the same order: sent as `Idempotency-Key`. */
  readonly requestKey: string;
  /** Installations that have passed on the lookup, to detect loops. */
  readonly via: readonly string[];
}

/**
 * Port: a source of ads. Everything that Nightshift knows about a source is stated here or in its answers. A `local` source
 * answers a whole chunk from Nightshift's own database; a `live` source is called per company, under its limits, and may
 * charge; a `batched` source is live and answers a whole chunk for the price of one company.
 */
export type AdSource = LocalAdSource | LiveAdSource | BatchedAdSource;

/** Selection of mapped advertisers that a source knows. */
interface KnowsAdvertisers {
  /**
   * Filters the mapping to advertisers whose ids this source can know. The source is called only with these; without any, the
   * company counts as not mapped.
   */
  readonly ownMapping: (mapping: CompanyMapping) => CompanyMapping;
}

export interface LocalAdSource extends KnowsAdvertisers {
  readonly kind: 'local';
  readonly name: string;
  /** Returns one answer per lookup, in the given order; null if the source has nothing to say and counts as not called. */
  findAds(questions: readonly AdsQuestion[], signal: AbortSignal): Promise<readonly (AdsAnswer | null)[]>;
}

/** Properties of every source that is called over the network. */
export interface CalledSource {
  readonly name: string;
  /** Identifies the credential to whose rate limit the calls count; contains no secret. */
  readonly bucket: string;
  readonly limits: SourceLimits;
  /** True when the source honours `Idempotency-Key`: a call that was cut off may be sent again under the same key. */
  readonly idempotent: boolean;
}

export interface LiveAdSource extends CalledSource, KnowsAdvertisers {
  readonly kind: 'live';
  /**
   * Finds the ads of one company. Every call to the source goes through `executor`.
   *
   * @throws SourceThrottled | SourceUnavailable | SourceRefused | SourceUnreadable | SourceBlocked | Misconfigured, and the
   * errors of `executor`.
   */
  findAds(question: AdsQuestion, executor: SourceCallExecutor): Promise<AdsAnswer>;
}

export interface BatchedAdSource extends CalledSource, KnowsAdvertisers {
  readonly kind: 'batched';
  /** Returns one answer per lookup, in the given order; throws as `LiveAdSource.findAds` does, for all of them. */
  findAds(questions: readonly AdsQuestion[], executor: SourceCallExecutor): Promise<readonly AdsAnswer[]>;
}
