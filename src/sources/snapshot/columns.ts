/** The columns of a CSV, in any order; other columns beside them are ignored. In place of the last two `region_stats` as JSON will do. */
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

/** The name of one of them, or of the nested one. */
export type SnapshotColumn = (typeof snapshotColumns)[number] | 'region_stats';

/** Position of each column in a line; -1 for a missing column. */
export type ColumnPlaces = Readonly<Record<SnapshotColumn, number>>;

const placesByHeader = new WeakMap<readonly string[], ColumnPlaces>();

/**
 * Finds the columns in a header; case, blanks around a name and a byte order mark do not count.
 *
 * Worked out once per header array, since it is asked for with every line of a file of millions.
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

/** The columns that seem to hold the days of an ad under another name, where the file has none of those that do. */
export function daysElsewhere(header: readonly string[]): readonly string[] {
  const places = placesOf(header);
  const found = [places.first_shown, places.last_shown, places.region_stats];
  return found.some((place) => place !== -1)
    ? []
    : header.filter((name) => /shown|region_?stats/i.test(name));
}
