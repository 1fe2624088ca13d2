import type { UncertainAdvertiser } from '../companies/advertiser-candidates.ts';
import type { AdvertiserMatch } from '../companies/match/evaluate-advertiser.ts';
import type { Ad } from './ad.ts';
import type { KnownAdvertiser } from './evaluate-reported.ts';
import type { Relation } from './relate.ts';

/** Evidence by which the company was matched. */
export type MatchedBy = 'mapping' | 'domain' | 'name' | 'domain_label';

/** An advertiser as a source knows it. */
export interface Advertiser {
  /** Always text: leading zeros count. */
  readonly id: string;
  readonly name: string | null;
  /** ISO 3166-1 alpha-2, if the source reports it. */
  readonly country: string | null;
  /** True if the platform has verified it; null or absent if the source does not say. */
  readonly verified?: boolean | null;
  /** Number of its ads, about; null or absent if the source does not say. */
  readonly adsCount?: number | null;
}

/**
 * Reason of a partial answer. `page_failed`: a later page failed, and the ads of earlier pages are kept. `uncertain_advertisers`: ads of
 * advertisers that may belong to the company are left out. `too_many_advertisers`: so many advertisers have the company's words in their names
 * that only those with its exact name were evaluated.
 */
export const partialReasons = ['page_failed', 'uncertain_advertisers', 'too_many_advertisers'] as const;
export type PartialReason = (typeof partialReasons)[number];

/** Extent of an answer. */
export interface Extent {
  /** There may be more ads of the company than these; see `partialReason`. */
  readonly partial: boolean;
  /** Absent: `page_failed` for a partial answer. */
  readonly partialReason?: PartialReason;
  /** Number of advertisers that may belong to the company, and whose ads are left out; absent: none. */
  readonly uncertainAdvertisers?: number;
  /** There are more ads than were requested. */
  readonly truncated: boolean;
  /** Estimated number of ads at the source; Google rounds its own counts. */
  readonly estimate: { readonly low: number; readonly high: number } | null;
}

/** A complete answer, as far as the source reports. */
export const wholeExtent: Extent = { partial: false, truncated: false, estimate: null };

/** Ads as a live source reported them. */
export interface FoundAds {
  readonly kind: 'found';
  readonly ads: readonly Ad[];
  readonly matchedBy: MatchedBy;
  /** Default: complete. */
  readonly extent?: Extent;
  /** The domain that was searched, if it is not the company's own but was inferred from its name. */
  readonly searchedDomain?: string;
  /** Facts about advertisers that the source gives elsewhere than in their ads, such as in its suggestions for a name. */
  readonly knownAdvertisers?: readonly KnownAdvertiser[];
  /**
   * Relation of each advertiser to the company; an advertiser without an entry is the company itself. Evaluated by Nightshift,
   * never by a source.
   */
  readonly relations?: ReadonlyMap<string, Relation>;
  /** Advertisers of which it is uncertain that they belong to the company. Their ads may be in the answer, with this relation. */
  readonly candidates?: readonly UncertainAdvertiser[];
  /** The evaluations from which the relations follow; an advertiser of the mapping has none. */
  readonly matches?: ReadonlyMap<string, AdvertiserMatch>;
}

/** Ads of a data set of ours: the commit links them instead of storing them again (docs/architecture/data-model.md). */
export interface StoredAds {
  readonly kind: 'stored';
  readonly advertisers: readonly StoredAdvertiser[];
  readonly matchedBy: MatchedBy;
  /** Maximum number of ads; null or absent: all. */
  readonly adsMax?: number | null;
  /** Only ads shown there, with their days there. Absent: all ads. */
  readonly shownIn?: ShownIn;
  /** Advertisers whose ads are not in the answer, because it is uncertain that they belong to the company. */
  readonly candidates?: readonly UncertainAdvertiser[];
  /** True if there were so many candidates that only those with the exact name were evaluated. */
  readonly isBounded?: boolean;
}

/** A region or a surface, or both: the surface in the region. */
export type ShownIn = Pick<SearchOptions, 'region' | 'surface'>;

/** An advertiser of a data set of ours, by its key there. */
export interface StoredAdvertiser {
  readonly key: bigint;
  readonly relation: Relation;
  /** The evaluation that the relation follows from; null or absent if it follows from the mapping. */
  readonly match?: AdvertiserMatch | null;
}

/** The company could not be identified at the source. */
export interface NoMatch {
  readonly kind: 'no_match';
  /** Advertisers that may belong to the company. */
  readonly candidates?: readonly UncertainAdvertiser[];
}

/** A recent answer of the account to the same search, reused free of charge. */
export interface RepeatedAnswer {
  readonly kind: 'repeated';
  /** Lookup of the answer. */
  readonly lookupId: bigint;
}

/**
 * Answer of a source for one company. Errors are thrown, never returned. `none` means "searched, and there are no ads";
 * `no_match` means "the company could not be identified". Neither may stand for an error.
 */
export type AdsAnswer =
  | FoundAds
  | StoredAds
  | RepeatedAnswer
  | {
      readonly kind: 'none';
      readonly matchedBy: MatchedBy;
      readonly candidates?: readonly UncertainAdvertiser[];
    }
  | NoMatch;

/** Options of every search of a batch or a request. */
export interface SearchOptions {
  /** Only ads shown in this country, ISO 3166-1 alpha-2; null: anywhere. */
  readonly region: string | null;
  /** Only ads shown on this surface, as `parseSurface` returns it; null: on any. */
  readonly surface: string | null;
  /** Maximum number of ads per company; null: the default of the source. */
  readonly adsMax: number | null;
  /** True to leave out ads of third parties. */
  readonly ownOnly: boolean;
  /** Maximum age of an answer of this account that may be reused free of charge, in milliseconds; null: always call the sources. */
  readonly ageMsMax: number | null;
}

export const anySearch: SearchOptions = {
  region: null,
  surface: null,
  adsMax: null,
  ownOnly: false,
  ageMsMax: null,
};

/** Completes stored options, which lack those that did not exist when they were stored. */
export function wholeSearch(stored: SearchOptions | null | undefined): SearchOptions {
  return stored === null || stored === undefined ? anySearch : { ...anySearch, ...stored };
}
