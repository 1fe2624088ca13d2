import { adPageUrl, type Ad } from '../../core/ads/ad.ts';
import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import { noDetails } from '../../core/ads/ad-details.ts';
import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { distinctAds } from '../ads/distinct-ads.ts';
import { parseDay } from '../snapshot/day.ts';
import { parseSnapshotRow } from '../snapshot/wire.ts';
import type { Row } from './rows.ts';
import { unreadable } from './wire.ts';

/** A creative in the result of the query. */
export interface Creative extends SnapshotRow {
  /** Number of ads of its advertiser in the requested regions; more than the rows contain if the cap cut some off. */
  readonly adsOfAdvertiser: number;
  /** State of the advertiser's verification, in capitals. */
  readonly verification: string | null;
  /** Keys of the query that are in the names of its advertiser. */
  readonly nameKeys: readonly string[];
  /** Number of advertisers with the most frequent of these keys; more than the rows contain if the cap cut some off. */
  readonly advertisersOfKey: number;
}

/**
 * Parses rows of the query like exported rows of the same table.
 *
 * @throws SourceUnreadable that names the row of the page and the field, when a row does not have that form.
 */
export function readCreatives(rows: readonly Row[]): readonly Creative[] {
  return rows.map((row, i) => {
    const adsOfAdvertiser = parseCount(row['ads_count'], `rows[${i}].ads_count`);
    const advertisersOfKey = parseCount(row['advertisers_count'], `rows[${i}].advertisers_count`);
    rejectOddDays(row['region_stats'], `rows[${i}].region_stats`);
    return {
      ...readSnapshotRow(row, `rows[${i}]`),
      adsOfAdvertiser,
      advertisersOfKey,
      verification: parseState(row['advertiser_verification_status']),
      nameKeys: parseKeys(row['name_keys'], `rows[${i}].name_keys`),
    };
  });
}

/** Converts creatives to ads, in order and without duplicates. The table has no markup, so no ad has variants. */
export function toAds(creatives: readonly Creative[]): readonly Ad[] {
  return distinctAds(creatives.map(toAd));
}

function toAd(creative: Creative): Ad {
  const { advertiserId, creativeId, advertiserName, format, start, lastSeen } = creative;
  const { legalName, location, verification, details } = creative;
  return {
    advertiserId: qualifiedId(google, advertiserId),
    creativeId: qualifiedId(google, creativeId),
    advertiserName,
    format,
    originalUrl: adPageUrl(advertiserId, creativeId),
    variants: [],
    start,
    lastSeen,
    text: null,
    details: { ...(details ?? noDetails), advertiser: { legalName, location, verification } },
  };
}

function readSnapshotRow(row: Row, path: string): SnapshotRow {
  try {
    return parseSnapshotRow(row);
  } catch (error) {
    if (error instanceof ValidationError) throw unreadable(path, error.message, error);
    throw error;
  }
}

/** An import accepts moments too; here another date format means that the table has changed. */
function rejectOddDays(stats: unknown, path: string): void {
  const regions: readonly unknown[] = Array.isArray(stats) ? stats : [];
  for (const [i, region] of regions.entries()) {
    const columns = new Map<string, unknown>(Object.entries(region ?? {}));
    for (const name of ['first_shown', 'last_shown']) {
      const day = columns.get(name) ?? null;
      if (day !== null && parseDay(day) === null)
        throw unreadable(`${path}[${i}].${name}`, 'expected a date that exists, YYYY-MM-DD');
    }
  }
}

function parseCount(value: unknown, path: string): number {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  throw unreadable(path, 'expected a count');
}

function parseState(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function parseKeys(value: unknown, path: string): readonly string[] {
  const keys: readonly unknown[] = Array.isArray(value) ? value : [];
  return keys.map((key, i) => {
    if (typeof key === 'string') return key;
    throw unreadable(`${path}[${i}]`, 'expected a text');
  });
}
