/** One value of the results, and how many results have it. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

/** An advertiser, and its number of ads. */
export interface AdvertiserCount {
  readonly advertiserId: string;
  /** Name of the advertiser in one of the ads. */
  readonly name: string | null;
  readonly count: number;
}

/**
 * Values by which the results of a batch can be filtered, in descending order of their counts. Counts are lines of an export:
 * rows, and ads once for each row that names their company.
 */
export interface Facets {
  readonly rows: number;
  readonly outcomes: readonly FacetCount[];
  /** The 20 most frequent reasons why rows were rejected or lookups failed. */
  readonly reasons: readonly FacetCount[];
  readonly emailStatuses: readonly FacetCount[];
  readonly recommendations: readonly FacetCount[];
  readonly ads: number;
  /** Ads were counted in this many rows from the first; a long batch that still runs is not counted completely. */
  readonly adsOfRows: number;
  /** The 20 most frequent formats, and the 100 advertisers with the most ads. */
  readonly formats: readonly FacetCount[];
  readonly advertisers: readonly AdvertiserCount[];
}

/** Port: the facets of a batch. */
export interface FacetStore {
  /** @throws NotFound when the account has no such batch. @throws Conflict for a purged batch. */
  read(accountId: number, batch: string): Promise<Facets>;
}
