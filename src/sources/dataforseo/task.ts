/** A task in DataForSEO's format; a request holds one. */
export type Task = Readonly<Record<string, unknown>>;

/** Subject of a search for ads. */
export type Whose = { readonly domain: string } | { readonly advertiserIds: readonly string[] };

export interface AdsTaskOptions {
  /** Null: anywhere. */
  readonly locationCode: number | null;
  /** Maximum number of ads. */
  readonly depth: number;
}

/** The task of the ads search. */
export function adsTask(whose: Whose, { locationCode, depth }: AdsTaskOptions): Task {
  const target = 'domain' in whose ? { target: whose.domain } : { advertiser_ids: whose.advertiserIds };
  return { ...target, ...placeOf(locationCode), depth };
}

/** Task of the advertiser search. DataForSEO decodes `%##` and `+` in a keyword (its docs, field `keyword`), so they are escaped here. */
export function advertisersTask(name: string, locationCode: number | null): Task {
  return { keyword: name.replaceAll('%', '%25').replaceAll('+', '%2B'), ...placeOf(locationCode) };
}

function placeOf(locationCode: number | null): Task {
  return locationCode === null ? {} : { location_code: locationCode };
}
