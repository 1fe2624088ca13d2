import type { AdRegion, AdSurface, TimesShown } from '../../core/ads/ad-details.ts';
import { wholeEea } from '../../core/ads/reach.ts';
import { isFields, parseCount, parseObjects, parseShown, parseText, type Fields } from './fields.ts';

/** Regions of a row, and the first and the last day on which the ad was shown in any. */
export interface ShownRegions {
  readonly start: string | null;
  readonly lastSeen: string | null;
  /** Without regions that have no code, which count for the days only. */
  readonly regions: readonly AdRegion[];
}

const nowhere: ShownRegions = { start: null, lastSeen: null, regions: [] };

/**
 * Parses `region_stats`. The `EEA`, which contains other regions, counts for the days only if no other region has one.
 *
 * @throws ValidationError that names the field.
 */
export function parseRegions(given: unknown): ShownRegions {
  const items = parseObjects(given, 'region_stats');
  if (items === null) return nowhere;
  const all = items.map(parseRegion);
  const parts = all.filter(({ region }) => region !== wholeEea);
  return {
    start: earliest(parts) ?? earliest(all),
    lastSeen: latest(parts) ?? latest(all),
    regions: all.flatMap(({ region, ...rest }) => (region === null ? [] : [{ region, ...rest }])),
  };
}

interface ParsedRegion extends Omit<AdRegion, 'region'> {
  readonly region: string | null;
}

function parseRegion(fields: Fields, i: number): ParsedRegion {
  const at = `region_stats[${i}]`;
  return {
    region: parseText(fields.region_code, `${at}.region_code`)?.toUpperCase() ?? null,
    firstShown: parseShown(fields.first_shown, `${at}.first_shown`),
    lastShown: parseShown(fields.last_shown, `${at}.last_shown`),
    timesShown: parseTimes(fields, at),
    timesShownFrom: parseShown(fields.times_shown_start_date, `${at}.times_shown_start_date`),
    timesShownTo: parseShown(fields.times_shown_end_date, `${at}.times_shown_end_date`),
    surfaces: parseSurfaces(fields.surface_serving_stats, `${at}.surface_serving_stats`),
  };
}

function parseTimes(fields: Fields, at: string): TimesShown | null {
  const lower = parseCount(fields.times_shown_lower_bound, `${at}.times_shown_lower_bound`);
  const upper = parseCount(fields.times_shown_upper_bound, `${at}.times_shown_upper_bound`);
  const availableOn = parseShown(fields.times_shown_availability_date, `${at}.times_shown_availability_date`);
  return lower === null && upper === null && availableOn === null ? null : { lower, upper, availableOn };
}

/** The list is in an object with a field of the same name; a plain list is accepted, too. A surface without a name is left out. */
function parseSurfaces(given: unknown, at: string): readonly AdSurface[] {
  const items = parseObjects(isFields(given) ? given.surface_serving_stats : given, at) ?? [];
  return items.flatMap((fields, i) => {
    const surface = parseText(fields.surface ?? fields.surface_code, `${at}[${i}].surface`);
    return surface === null
      ? []
      : [{ surface: surface.toUpperCase(), timesShown: parseTimes(fields, `${at}[${i}]`) }];
  });
}

function earliest(regions: readonly ParsedRegion[]): string | null {
  return regions.reduce<string | null>(
    (first, { firstShown: day }) => (day !== null && (first === null || day < first) ? day : first),
    null,
  );
}

function latest(regions: readonly ParsedRegion[]): string | null {
  return regions.reduce<string | null>(
    (last, { lastShown: day }) => (day !== null && (last === null || day > last) ? day : last),
    null,
  );
}
