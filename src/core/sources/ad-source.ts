import type { CompanyQuery } from '../companies/company.ts';
import type { CompanyMapping } from '../companies/company-mapping.ts';
import type { AdsAnswer } from '../ads/ads-answer.ts';
import type { SourceCallExecutor, SourceLimits } from './source-call.ts';

/** One company to look up. */
export interface AdsQuestion {
  readonly company: CompanyQuery;
  /** The operator's mapping of the company. */
  readonly mapping: CompanyMapping;
  readonly region: string | null;
  /** No more ads are wanted; null: as many as the source gives by itself. */
  readonly adsMax: number | null;
  /** Ads of third parties will be left out: they need not be asked for. Absent: they are wanted too. */
  readonly ownOnly?: boolean;
  /** Names this lookup at the source, so that a repeat is the same order there: sent as `Idempotency-Key`. */
  readonly requestKey: string;
  /** The installations through which the question has come here, so that it does not go round in a circle. */
  readonly via: readonly string[];
}

/**
 * Port: a source of ads. Everything Nightshift knows about a source is stated here or in its answers. A `local` source answers a whole
 * chunk in one go from Nightshift's own database; a `live` one is asked per company, under its limits, and may charge for it; a `batched`
 * one is live, and answers a whole chunk for the price of one company.
 */
export type AdSource = LocalAdSource | LiveAdSource | BatchedAdSource;

/** Selection of mapped advertisers that a source knows. */
interface KnowsAdvertisers {
  /**
   * Filters the mapping to advertisers whose ids can be this source's. The source is called with these alone; without any, the company
   * counts as not mapped.
   */
  readonly ownMapping: (mapping: CompanyMapping) => CompanyMapping;
}

export interface LocalAdSource extends KnowsAdvertisers {
  readonly kind: 'local';
  readonly name: string;
  /** One answer per question, in the order asked; null where it has nothing to say, and is as if it had not been asked. */
  findAds(questions: readonly AdsQuestion[], signal: AbortSignal): Promise<readonly (AdsAnswer | null)[]>;
}

/** Properties of every source that is called over the network. */
export interface CalledSource {
  readonly name: string;
  /** Names the credential whose limits hold for the calls; carries no secret. */
  readonly bucket: string;
  readonly limits: SourceLimits;
  /** The source honours `Idempotency-Key`: a call cut off in the middle may be sent again under the same key. */
  readonly idempotent: boolean;
}

export interface LiveAdSource extends CalledSource, KnowsAdvertisers {
  readonly kind: 'live';
  /**
   * The ads of one company. Every call to the source goes through `exchange`.
   *
   * @throws SourceThrottled | SourceUnavailable | SourceRefused | SourceUnreadable | SourceBlocked | Misconfigured, and whatever
   *   `exchange` throws.
   */
  findAds(question: AdsQuestion, exchange: SourceCallExecutor): Promise<AdsAnswer>;
}

export interface BatchedAdSource extends CalledSource, KnowsAdvertisers {
  readonly kind: 'batched';
  /** One answer per question, in the order asked; throws as `LiveAdSource.findAds` does, for all of them. */
  findAds(questions: readonly AdsQuestion[], exchange: SourceCallExecutor): Promise<readonly AdsAnswer[]>;
}
