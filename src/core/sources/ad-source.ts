import type { CompanyQuery } from '../companies/company.ts';
import type { Ad } from '../ads/ad.ts';
import type { CompanyMapping } from '../companies/company-mapping.ts';
import type { Relation } from '../ads/relate.ts';
import type { SourceCallExecutor, SourceLimits } from './source-call.ts';

/** Evidence by which the company was matched. */
export type MatchedBy = 'mapping' | 'domain' | 'name' | 'domain_label';

/** An advertiser as a source knows it. */
export interface Advertiser {
  /** Text, always: leading zeros count. */
  readonly id: string;
  readonly name: string | null;
  /** ISO 3166-1 alpha-2, where the source says it. */
  readonly country: string | null;
}

/** Extent of an answer. */
export interface Extent {
  /** A later page could not be had: what came before it is kept, and there may be more. */
  readonly partial: boolean;
  /** There is more, and no more was asked for. */
  readonly truncated: boolean;
  /** Estimated number of ads at the source; Google rounds its own counts. */
  readonly estimate: { readonly low: number; readonly high: number } | null;
}

/** Everything there is, as far as the source says. */
export const wholeExtent: Extent = { partial: false, truncated: false, estimate: null };

/** Ads as a live source reported them. */
export interface FoundAds {
  readonly kind: 'found';
  readonly ads: readonly Ad[];
  readonly matchedBy: MatchedBy;
  /** Absent: everything there is. */
  readonly extent?: Extent;
  /** The domain that was searched for, where that is not the company's own: one that was chosen for its name. */
  readonly searchedDomain?: string;
  /** Relation of each advertiser to the company; an absent advertiser is the company itself. Evaluated by Nightshift, never by a source. */
  readonly relations?: ReadonlyMap<string, Relation>;
}

/** Ads of an own data set: linked in the commit instead of travelling (docs/architecture/data-model.md). */
export interface StoredAds {
  readonly kind: 'stored';
  readonly advertisers: readonly StoredAdvertiser[];
  readonly matchedBy: MatchedBy;
  /** No more of them are wanted; null or absent: all. */
  readonly adsMax?: number | null;
}

/** An advertiser of an own data set, by its key there. */
export interface StoredAdvertiser {
  readonly key: bigint;
  readonly relation: Relation;
}

/** The same search, answered for this account a short while ago: its answer is shown again, free of charge. */
export interface RepeatedAnswer {
  readonly kind: 'repeated';
  /** Lookup of the answer. */
  readonly lookupId: bigint;
}

/**
 * Answer of a source for one company. Errors are thrown, never answered: an answer is knowledge. `none` means "searched, there are none";
 * `no_match` means "could not identify the company". Neither may stand for an error.
 */
export type AdsAnswer =
  | FoundAds
  | StoredAds
  | RepeatedAnswer
  | { readonly kind: 'none'; readonly matchedBy: MatchedBy }
  | { readonly kind: 'no_match' };

/** Options of every search of a batch or a request. */
export interface SearchOptions {
  /** Only ads shown in this country, ISO 3166-1 alpha-2; null: anywhere. */
  readonly region: string | null;
  /** At most so many ads of a company; null: as many as the source gives by itself. */
  readonly adsMax: number | null;
  /** Ads of third parties are left out. */
  readonly ownOnly: boolean;
  /** An answer of this account that is no older is shown again, free; null: the sources are asked. Milliseconds. */
  readonly ageMsMax: number | null;
}

export const anySearch: SearchOptions = { region: null, adsMax: null, ownOnly: false, ageMsMax: null };

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
