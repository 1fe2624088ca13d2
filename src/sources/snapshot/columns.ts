/** Columns of a CSV, in any order; other columns are ignored. `region_stats` as JSON may replace the last two. */
export const snapshotColumns = [
  'advertiser_id',
  'creative_id',
  'ad_format_type',
  'advertiser_disclosed_name',
  'advertiser_legal_name',
  'advertiser_location',
  'first_shown',
  'last_shown',
] as const;

/** Name of one of them, or of the nested column. */
export type SnapshotColumn = (typeof snapshotColumns)[number] | 'region_stats';

/** Position of each column in a line; -1 for a missing column. */
export type ColumnPlaces = Readonly<Record<SnapshotColumn, number>>;

const placesByHeader = new WeakMap<readonly string[], ColumnPlaces>();

/**
 * Finds the columns in a header; case, surrounding blanks and a byte order mark are ignored.
 *
 * Cached per header array, because it is called for every line of a file with millions.
 */
export function placesOf(header: readonly string[]): ColumnPlaces {
  const known = placesByHeader.get(header);
  if (known !== undefined) return known;
  const names = header.map((name) => name.trim().toLowerCase());
  const places = {
    advertiser_id: names.indexOf('advertiser_id'),
    creative_id: names.indexOf('creative_id'),
    ad_format_type: names.indexOf('ad_format_type'),
    advertiser_disclosed_name: names.indexOf('advertiser_disclosed_name'),
    advertiser_legal_name: names.indexOf('advertiser_legal_name'),
    advertiser_location: names.indexOf('advertiser_location'),
    first_shown: names.indexOf('first_shown'),
    last_shown: names.indexOf('last_shown'),
    region_stats: names.indexOf('region_stats'),
  };
  placesByHeader.set(header, places);
  return places;
}

/** Columns that seem to hold the days of an ad under another name, if the file has none of the known columns. */
export function daysElsewhere(header: readonly string[]): readonly string[] {
  const places = placesOf(header);
  const found = [places.first_shown, places.last_shown, places.region_stats];
  return found.some((place) => place !== -1)
    ? []
    : header.filter((name) => /shown|region_?stats/i.test(name));
}
