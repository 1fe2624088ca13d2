import type { UncertainAdvertiser } from '../companies/advertiser-candidates.ts';
import type { Ad } from './ad.ts';
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
}

/** Extent of an answer. */
export interface Extent {
  /** A later page failed. The ads of earlier pages are kept, and there may be more. */
  readonly partial: boolean;
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
  /**
   * Relation of each advertiser to the company; an advertiser without an entry is the company itself. Evaluated by Nightshift,
   * never by a source.
   */
  readonly relations?: ReadonlyMap<string, Relation>;
  /** Advertisers whose ads are not in the answer, because it is uncertain that they belong to the company. */
  readonly candidates?: readonly UncertainAdvertiser[];
}

/** Ads of a data set of ours: the commit links them instead of storing them again (docs/architecture/data-model.md). */
export interface StoredAds {
  readonly kind: 'stored';
  readonly advertisers: readonly StoredAdvertiser[];
  readonly matchedBy: MatchedBy;
  /** Maximum number of ads; null or absent: all. */
  readonly adsMax?: number | null;
}

/** An advertiser of a data set of ours, by its key there. */
export interface StoredAdvertiser {
  readonly key: bigint;
  readonly relation: Relation;
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
  FoundAds | StoredAds | RepeatedAnswer | { readonly kind: 'none'; readonly matchedBy: MatchedBy } | NoMatch;

/** Options of every search of a batch or a request. */
export interface SearchOptions {
  /** Only ads shown in this country, ISO 3166-1 alpha-2; null: anywhere. */
  readonly region: string | null;
  /** Maximum number of ads per company; null: the default of the source. */
  readonly adsMax: number | null;
  /** True to leave out ads of third parties. */
  readonly ownOnly: boolean;
  /** Maximum age of an answer of this account that may be reused free of charge, in milliseconds; null: always call the sources. */
  readonly ageMsMax: number | null;
}

export const anySearch: SearchOptions = { region: null, adsMax: null, ownOnly: false, ageMsMax: null };
