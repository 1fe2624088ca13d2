/** One value that results have, and how many have it. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

/** An advertiser, and how many ads are its. */
export interface AdvertiserCount {
  readonly advertiserId: string;
  /** As one of the ads names it. */
  readonly name: string | null;
  readonly count: number;
}

/**
 * Values by which the results of a batch can be filtered, in descending order. Counts are lines of an export: rows, and ads once for each
 * row that names their company.
 */
export interface Facets {
  readonly rows: number;
  readonly outcomes: readonly FacetCount[];
  /** Why rows were rejected or lookups failed: the 20 that are given most often. */
  readonly reasons: readonly FacetCount[];
  readonly emailStatuses: readonly FacetCount[];
  readonly recommendations: readonly FacetCount[];
  readonly ads: number;
  /** Ads were counted in so many rows, the first: of a long list that still runs, not in all of them. */
  readonly adsOfRows: number;
  /** The 20 that there are most ads of, and the 100 who have most. */
  readonly formats: readonly FacetCount[];
  readonly advertisers: readonly AdvertiserCount[];
}

/** Port: what there is in a batch. */
export interface FacetStore {
  /** @throws NotFound when the account has no such batch. @throws Conflict for one that was purged. */
  read(accountId: number, batch: string): Promise<Facets>;
}
