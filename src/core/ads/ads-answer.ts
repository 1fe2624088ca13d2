import type { Ad } from './ad.ts';
import type { Relation } from './relate.ts';

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
