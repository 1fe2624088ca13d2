/** The columns of the flat CSV form, in any order; other columns beside them are ignored. */
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

/** The name of one of them. */
export type SnapshotColumn = (typeof snapshotColumns)[number];

/** Where each column stands in a line; -1, when the file has none of that name. */
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
  };
  placesByHeader.set(header, places);
  return places;
}
