import type { AdRegion, TimesShown } from '../../../src/core/ads/ad-details.ts';
import { advertiserId, creativeId } from '../sources/snapshots.ts';
import type { RowTruth } from './export-histories.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A row with its advertiser. */
export interface WrittenRow {
  readonly advertiser: number;
  readonly truth: RowTruth;
}

/** Decides by the bits of a number, one after the other: the same number writes the same row. */
function coin(style: number): () => boolean {
  let bits = style;
  return () => {
    const isUp = bits % 2 === 1;
    bits = Math.floor(bits / 2);
    return isUp;
  };
}

/** Rows as NDJSON: numbers as texts or not, nulls or no field, nested columns as objects or as JSON, both names of surfaces. */
export function writeLines(rows: readonly WrittenRow[]): string {
  return rows.map((row) => `${JSON.stringify(fieldsOf(row, coin(row.truth.style)))}\n`).join('');
}

/** Rows of one kind as a CSV, with nested columns as JSON. */
export function writeCsv(rows: readonly WrittenRow[]): string {
  const all = rows.map((row) => fieldsOf(row, coin(row.truth.style)));
  const header = [...new Set(all.flatMap((fields) => Object.keys(fields)))];
  const lines = all.map((fields) => header.map((name) => cellOf(fields[name])).join(','));
  return [header.join(','), ...lines, ''].join('\n');
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const cell = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${cell.replaceAll('"', '""')}"`;
}

function fieldsOf({ advertiser, truth }: WrittenRow, flip: () => boolean): Fields {
  const nested = (value: unknown) => (value !== null && flip() ? JSON.stringify(value) : value);
  const advertiserText = advertiserId(advertiser);
  const creativeText = creativeId(advertiser * 10 + truth.ad);
  const page = `https://adstransparency.google.com/advertiser/${advertiserText}/creative/${creativeText}`;
  const both = {
    audience_selection_approach_info: nested(targetingOf(truth, flip)),
    region_stats: nested(truth.regions.map((region) => regionOf(region, flip))),
  };
  if (truth.isRemoved)
    return {
      creative_page_url: flip() ? page : `${page}?region=anywhere`,
      ...both,
      disapproval: nested(decisionsOf(truth, flip)),
    };
  return withoutSome(
    {
      advertiser_id: advertiserText,
      creative_id: creativeText,
      last_shown: truth.lastShown,
      topic: truth.topic,
      ad_funded_by: truth.payer,
      is_funded_by_google_ad_grants: booleanOf(truth.isGrantFunded, flip),
      advertiser_legal_name: truth.legalName,
      advertiser_location: truth.location,
      advertiser_verification_status: truth.verification,
      ...both,
    },
    flip,
  );
}

function targetingOf({ targeting }: RowTruth, flip: () => boolean): Fields | null {
  if (targeting === null) return null;
  return withoutSome(
    {
      demographic_info: targeting.demographicInfo,
      geo_location: targeting.geoLocation,
      contextual_signals: targeting.contextualSignals,
      customer_lists: targeting.customerLists,
      topics_of_interest: targeting.topicsOfInterest,
    },
    flip,
  );
}

function decisionsOf({ disapprovals }: RowTruth, flip: () => boolean): readonly Fields[] {
  return disapprovals.map((each) => ({
    removal_reason: each.removalReason,
    violation_category: each.violationCategory,
    use_of_automated_means: booleanOf(each.isAutomated, flip),
    removal_location: each.removalLocation,
    decision_type: each.decisionType,
  }));
}

function regionOf(region: AdRegion, flip: () => boolean): Fields {
  const stats = region.surfaces.map(({ surface, timesShown }) => ({
    [flip() ? 'surface' : 'surface_code']: surface,
    ...timesOf(timesShown, flip),
  }));
  return withoutSome(
    {
      region_code: region.region,
      first_shown: region.firstShown,
      last_shown: region.lastShown,
      times_shown_start_date: region.timesShownFrom,
      times_shown_end_date: region.timesShownTo,
      ...timesOf(region.timesShown, flip),
      surface_serving_stats: flip() ? stats : { surface_serving_stats: stats },
    },
    flip,
  );
}

function timesOf(times: TimesShown | null, flip: () => boolean): Fields {
  const number = (value: number | null) => (value !== null && flip() ? String(value) : value);
  return {
    times_shown_lower_bound: number(times?.lower ?? null),
    times_shown_upper_bound: number(times?.upper ?? null),
    times_shown_availability_date: times?.availableOn ?? null,
  };
}

function booleanOf(value: boolean | null, flip: () => boolean): boolean | string | null {
  return value !== null && flip() ? String(value).toUpperCase() : value;
}

/** Leaves nulls out, or does not. */
function withoutSome(fields: Fields, flip: () => boolean): Fields {
  if (flip()) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
