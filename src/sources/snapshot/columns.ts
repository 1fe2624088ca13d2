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

/** Further columns: `region_stats`, `audience_selection_approach_info` and `disapproval` are nested, in a CSV as JSON. */
const otherColumns = [
  'creative_page_url',
  'advertiser_verification_status',
  'topic',
  'ad_funded_by',
  'is_funded_by_google_ad_grants',
  'audience_selection_approach_info',
  'region_stats',
  'disapproval',
] as const;

/** Name of a column that is read. */
export type SnapshotColumn = (typeof snapshotColumns)[number] | (typeof otherColumns)[number];

/** Position of each column in a line. A missing column is absent. */
export type ColumnPlaces = ReadonlyMap<SnapshotColumn, number>;

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
  const places = new Map(
    [...snapshotColumns, ...otherColumns].flatMap((column) =>
      names.includes(column) ? [[column, names.indexOf(column)] as const] : [],
    ),
  );
  placesByHeader.set(header, places);
  return places;
}

/** Columns that seem to hold the days of an ad under another name, if the file has none of the known columns. */
export function daysElsewhere(header: readonly string[]): readonly string[] {
  const places = placesOf(header);
  const known = ['first_shown', 'last_shown', 'region_stats'] as const;
  return known.some((column) => places.has(column))
    ? []
    : header.filter((name) => /shown|region_?stats/i.test(name));
}

/** Columns of the ids that a header lacks. The page of an ad has both ids; exports of removed ads have no others. */
export function missingIds(header: readonly string[]): readonly string[] {
  const places = placesOf(header);
  if (places.has('disapproval') && places.has('creative_page_url')) return [];
  return (['advertiser_id', 'creative_id'] as const).filter((column) => !places.has(column));
}
