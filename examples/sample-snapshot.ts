import type { AdDetails, AdRegion, AdSurface, TimesShown } from '../src/core/ads/ad-details.ts';
import { numbersOf, pick, type Numbers } from '../src/core/sample/numbers.ts';
import { sampleRows } from '../src/core/sample/sample-ads.ts';
import type { SnapshotRow } from '../src/core/sources/snapshot-store.ts';

/** Day of the sample in the file, `YYYY-MM-DD`. */
export const sampleSnapshotDay = '2026-09-30';

const duplicates = 8;

/**
 * Formats the generated sample of one day as newline-delimited JSON, in the shape of an export of Google's `creative_stats`.
 *
 * As in the export: nested `region_stats` with the aggregate `EEA`, integers as strings, null columns omitted, `<`, `>` and `&`
 * escaped, unordered rows, a few of them duplicates, and no texts. Every call returns the same bytes.
 */
export function sampleSnapshot(): string {
  const numbers = numbersOf('snapshot');
  const rows = sampleRows(sampleSnapshotDay).map(exportedRow);
  const repeated = Array.from({ length: duplicates }, (_, i) => pick(rows, numbers(`duplicate ${i}`)));
  return shuffle([...rows, ...repeated], numbers)
    .map((row) => `${escapeHtml(JSON.stringify(row))}\n`)
    .join('');
}

/** One row. JSON omits undefined fields like the export omits NULL. */
function exportedRow(row: SnapshotRow, i: number): object {
  const { advertiserId, creativeId, details } = row;
  const page = `https://adstransparency.google.com/advertiser/${advertiserId}/creative/${creativeId}`;
  return {
    advertiser_id: advertiserId,
    creative_id: creativeId,
    creative_page_url: i % 7 === 0 ? page : undefined,
    ad_format_type: row.format?.toUpperCase(),
    advertiser_disclosed_name: row.disclosedName ?? undefined,
    advertiser_legal_name: row.legalName ?? undefined,
    advertiser_location: row.location ?? undefined,
    advertiser_verification_status: details?.advertiser?.verification ?? undefined,
    topic: details?.topic ?? undefined,
    is_funded_by_google_ad_grants: details?.isGrantFunded ?? undefined,
    ad_funded_by: details?.payer ?? undefined,
    region_stats: details?.regions.map(exportedRegion),
    audience_selection_approach_info: exportedTargeting(details?.targeting ?? null),
  };
}

/** Surfaces are a list inside a record of the same name, as in the data set. */
function exportedRegion({ region, firstShown, lastShown, timesShown, surfaces }: AdRegion): object {
  const list = surfaces.map((each: AdSurface) => ({ surface: each.surface, ...bounds(each.timesShown) }));
  return {
    region_code: region,
    first_shown: firstShown ?? undefined,
    last_shown: lastShown ?? undefined,
    ...bounds(timesShown),
    surface_serving_stats: list.length === 0 ? undefined : { surface_serving_stats: list },
  };
}

function exportedTargeting(targeting: AdDetails['targeting']): object | undefined {
  if (targeting === null) return undefined;
  return {
    demographic_info: targeting.demographicInfo,
    geo_location: targeting.geoLocation,
    contextual_signals: targeting.contextualSignals,
    customer_lists: targeting.customerLists,
    topics_of_interest: targeting.topicsOfInterest,
  };
}

/** Counts are given only as a range, and an INTEGER of the data set is exported as a string. */
function bounds(times: TimesShown | null): object {
  return {
    times_shown_lower_bound: String(times?.lower ?? 0),
    times_shown_upper_bound: String(times?.upper ?? 0),
  };
}

/** Escapes like BigQuery's JSON. The three characters occur only in strings, so the whole text can be replaced. */
function escapeHtml(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

/** The values in an order that the numbers decide. */
function shuffle<T>(values: readonly T[], numbers: Numbers): readonly T[] {
  return values
    .map((value, i) => ({ value, order: numbers(`order ${i}`) }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ value }) => value);
}
