import { sampleAdvertisers } from './sample-advertisers.ts';
import type { SampleAdvertiser } from './sample-advertisers.ts';

/** Text of every row in `ad_funded_by`, so that the sample cannot be mistaken for Google's data. */
export const sampleLabel = 'GENERATED SAMPLE DATA';

const seed = 20_260_930;
const adsMin = 5;
const adsMax = 18;
const duplicates = 8;
const formats = ['TEXT', 'TEXT', 'TEXT', 'IMAGE', 'IMAGE', 'VIDEO'];
const topics = [
  'Apparel',
  'Computers & Consumer Electronics',
  'Finance',
  'Food & Groceries',
  'Health',
  'Travel',
];
const regions = [
  'AT',
  'BE',
  'CZ',
  'DE',
  'DK',
  'ES',
  'FI',
  'FR',
  'GR',
  'IE',
  'IT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SE',
];
const surfaces = ['SEARCH', 'YOUTUBE', 'SHOPPING', 'MAPS', 'PLAY'];
const criteria = [
  'CRITERIA_INCLUDED',
  'CRITERIA_EXCLUDED',
  'CRITERIA_INCLUDED_AND_EXCLUDED',
  'CRITERIA_UNUSED',
];
/** First day of the public data set. */
const firstDay = '2023-03-01';
const days = 1_300;

/** Returns the next pseudo-random number, at least 0 and below 1. */
type Random = () => number;

/**
 * Returns the bundled sample: newline-delimited JSON in the shape of an export of Google's `creative_stats`, generated from a
 * fixed seed.
 *
 * As in the export: nested `region_stats` with the aggregate `EEA`, integers as strings, null columns omitted, `<`, `>` and `&`
 * escaped, unordered rows, a few of them duplicates. Every call returns the same bytes.
 */
export function sampleSnapshot(): string {
  const random = mulberry32(seed);
  const rows = sampleAdvertisers.flatMap((advertiser, index) => rowsOf(advertiser, index, random));
  const repeated = Array.from({ length: duplicates }, () => pick(rows, random));
  return shuffle([...rows, ...repeated], random)
    .map((row) => `${escapeHtml(JSON.stringify(row))}\n`)
    .join('');
}

function rowsOf(advertiser: SampleAdvertiser, index: number, random: Random): object[] {
  const count = adsMin + Math.floor(random() * (adsMax - adsMin + 1));
  return Array.from({ length: count }, (_, ad) => rowOf(advertiser, index, ad, random));
}

/** One row. JSON omits undefined fields like the export omits NULL. */
function rowOf(
  [disclosedName, location, legalName]: SampleAdvertiser,
  index: number,
  ad: number,
  random: Random,
): object {
  const advertiserId = idOf('AR', index + 1);
  const creativeId = idOf('CR', (index + 1) * 1_000 + ad + 1);
  const page = `https://adstransparency.google.com/advertiser/${advertiserId}/creative/${creativeId}`;
  return {
    advertiser_id: advertiserId,
    creative_id: creativeId,
    creative_page_url: maybe(0.15, random, () => page),
    ad_format_type: pick(formats, random),
    advertiser_disclosed_name: disclosedName,
    advertiser_legal_name: legalName,
    advertiser_location: location,
    advertiser_verification_status: legalName === undefined ? undefined : 'VERIFIED',
    topic: maybe(0.4, random, () => pick(topics, random)),
    is_funded_by_google_ad_grants: maybe(0.2, random, () => false),
    ad_funded_by: sampleLabel,
    region_stats: regionStats(random),
    audience_selection_approach_info: maybe(0.04, random, () => audience(random)),
  };
}

interface RegionStats {
  readonly region_code: string;
  readonly first_shown: string;
  readonly last_shown: string;
  readonly times_shown_lower_bound: string;
  readonly times_shown_upper_bound: string;
  readonly surface_serving_stats: object | undefined;
}

/** One to three countries, and their aggregate, which the real data has as region `EEA`. */
function regionStats(random: Random): RegionStats[] {
  const chosen = shuffle(regions, random).slice(0, 1 + Math.floor(random() * 3));
  const countries = chosen.sort().map((region) => countryStats(region, random));
  const total = countries.reduce((sum, country) => sum + Number(country.times_shown_lower_bound), 0);
  const aggregate = {
    region_code: 'EEA',
    first_shown: countries.map((country) => country.first_shown).sort()[0] ?? firstDay,
    last_shown:
      countries
        .map((country) => country.last_shown)
        .sort()
        .at(-1) ?? firstDay,
    ...bounds(total),
    surface_serving_stats: undefined,
  };
  return [aggregate, ...countries];
}

function countryStats(region: string, random: Random): RegionStats {
  // Negative days are ads older than the data set: they show its first day, like the real ones.
  const first = Math.max(0, Math.floor(random() * days) - 100);
  const last = first + Math.floor(random() * (days - first));
  const shown = 1_000 * Math.floor(1 + random() * 900);
  return {
    region_code: region,
    first_shown: dayAfterFirst(first),
    last_shown: dayAfterFirst(last),
    ...bounds(shown),
    surface_serving_stats: maybe(0.04, random, () => surfaceStats(shown, random)),
  };
}

/** A list inside a record of the same name, as in the data set. */
function surfaceStats(shown: number, random: Random): object {
  const list = shuffle(surfaces, random).slice(0, 2);
  return { surface_serving_stats: list.map((surface) => ({ surface, ...bounds(Math.floor(shown / 2)) })) };
}

function audience(random: Random): object {
  return {
    demographic_info: pick(criteria, random),
    geo_location: pick(criteria, random),
    contextual_signals: pick(criteria, random),
    customer_lists: pick(criteria, random),
    topics_of_interest: pick(criteria, random),
  };
}

/** Counts are given only as a range, and an INTEGER of the data set is exported as a string. */
function bounds(shown: number): { times_shown_lower_bound: string; times_shown_upper_bound: string } {
  return { times_shown_lower_bound: String(shown), times_shown_upper_bound: String(shown + 1_000) };
}

/** A prefix and 20 digits; every other number begins with zeros, which a parser must keep. */
function idOf(prefix: string, number: number): string {
  return `${prefix}${number % 2 === 0 ? '1' : '0'}${String(number).padStart(19, '0')}`;
}

function dayAfterFirst(offset: number): string {
  return new Date(Date.parse(firstDay) + offset * 86_400_000).toISOString().slice(0, 10);
}

/** Escapes like BigQuery's JSON. The three characters occur only in strings, so the whole text can be replaced. */
function escapeHtml(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

function maybe<T>(probability: number, random: Random, make: () => T): T | undefined {
  return random() < probability ? make() : undefined;
}

function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('cannot pick from an empty list');
  return value;
}

/** The values in random order: sorted by a random number each. */
function shuffle<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

/** Mulberry32, a small generator with the same numbers on every machine (public domain, by Tommy Ettinger). */
function mulberry32(start: number): Random {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
