/** A task as DataForSEO takes it; a request holds one. */
export type Task = Readonly<Record<string, unknown>>;

/** Subject of a search for ads. */
export type Whose = { readonly domain: string } | { readonly advertiserIds: readonly string[] };

export interface AdsTaskOptions {
  /** Null: anywhere. */
  readonly locationCode: number | null;
  /** Ads at most. */
  readonly depth: number;
}

/** The task of the ads search. */
export function adsTask(whose: Whose, { locationCode, depth }: AdsTaskOptions): Task {
  const target = 'domain' in whose ? { target: whose.domain } : { advertiser_ids: whose.advertiserIds };
  return { ...target, ...placeOf(locationCode), depth };
}

/**
 * The task of the advertiser search. DataForSEO decodes `%##` and `+` in a keyword (its docs, field `keyword`), so that they are written
 * here as they have to be for the name to arrive as it is.
 */
export function advertisersTask(name: string, locationCode: number | null): Task {
  return { keyword: name.replaceAll('%', '%25').replaceAll('+', '%2B'), ...placeOf(locationCode) };
}

function placeOf(locationCode: number | null): Task {
  return locationCode === null ? {} : { location_code: locationCode };
}
