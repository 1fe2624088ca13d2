import { sql, type SQL } from 'drizzle-orm';
import type { AdDetails } from '../../../src/core/ads/ad-details.ts';
import { summariseDetails } from '../../../src/core/ads/details-summary.ts';
import type {
  CompanyAd,
  FormatCount,
  NamedCompany,
  ShownAd,
  ShownDetails,
} from '../../../src/core/reports/reported-ads.ts';
import { samplePicturesPath } from '../../../src/core/sample/sample-picture.ts';
import type { Sql } from '../../connection/client.ts';
import { fullIdOrNull } from '../../../src/core/companies/platform-id.ts';
import { originalUrlSql } from './read-ads.ts';
import { readDetails, type AdOfLookup } from './read-details.ts';

/** Maximum number of ads in the list of those that ran longest. */
export const longestMax = 10;

/** Maximum length of a text in a report; a longer URL is not linked. */
const textCharsMax = 500;
const addressCharsMax = 2100;

/** A company, with the columns of its lookup; if the lookup is gone, only the key. */
export interface CompanyRow extends Record<string, unknown> {
  readonly company_key: string;
  readonly company_domain: string | null;
  readonly company_name: string | null;
}

export interface ShownAdRow extends CompanyRow {
  readonly advertiser_id: string | null;
  readonly creative_id: string | null;
  readonly advertiser_name: string | null;
  readonly format: string | null;
  readonly headline: string | null;
  readonly description: string | null;
  readonly display_url: string | null;
  readonly final_url: string | null;
  readonly original_url: string | null;
  readonly start: string | null;
  readonly last_seen: string | null;
  readonly markup: string | null;
}

/**
 * An ad for a report: `i` is its identity, `v` its version. `start` and `last_seen` come from elsewhere. Markup of the sample's pictures is always
 * included.
 */
export function shownAdSql({ withMarkup }: { readonly withMarkup: boolean }): SQL {
  const chosen = withMarkup ? sql`` : sql`AND starts_with(r.content, ${`<img src="${samplePicturesPath}/`})`;
  const markup = sql`(SELECT left(r.content, ${addressCharsMax}) FROM nightshift.ad_variants r
    WHERE r.version_id = v.id ${chosen} ORDER BY r.position LIMIT 1)`;
  return sql`i.advertiser_id, i.creative_id, left(v.advertiser_name, ${textCharsMax}) AS advertiser_name,
    left(v.format, ${textCharsMax}) AS format, left(v.headline, ${textCharsMax}) AS headline,
    left(v.description, ${textCharsMax}) AS description, left(v.display_url, ${textCharsMax}) AS display_url,
    left(v.final_url, ${addressCharsMax}) AS final_url, left(${originalUrlSql}, ${addressCharsMax}) AS original_url,
    CASE WHEN v.variants_count > 0 THEN ${markup} END AS markup`;
}

export function toShownAd(row: ShownAdRow): ShownAd {
  return {
    advertiserId: fullIdOrNull(row.advertiser_id),
    creativeId: fullIdOrNull(row.creative_id),
    advertiserName: row.advertiser_name,
    format: row.format,
    headline: row.headline,
    description: row.description,
    displayUrl: row.display_url,
    finalUrl: row.final_url,
    originalUrl: row.original_url,
    start: row.start,
    lastSeen: row.last_seen,
    markup: row.markup,
  };
}

export function toCompany(row: CompanyRow): NamedCompany {
  return { key: row.company_key, domain: row.company_domain, name: row.company_name };
}

export function toCompanyAd(row: ShownAdRow): CompanyAd {
  return { company: toCompany(row), ad: toShownAd(row) };
}

/**
 * Reads the ads with the highest rank. Selected by days and ids first, so that only a few are read completely.
 *
 * @param linksSql the ads `la` of lookups `l`, with a condition. `rankSql`: a value of an ad; ads without it are left out.
 */
export async function readFirstAds(
  db: Sql,
  bounds: { readonly withMarkup: boolean },
  { linksSql, rankSql, limit }: { readonly linksSql: SQL; readonly rankSql: SQL; readonly limit: number },
): Promise<readonly CompanyAd[]> {
  const { rows } = await db.execute<ShownAdRow>(
    sql`SELECT p.company_key, p.company_domain, p.company_name, p.start::text AS start, p.last_seen::text AS last_seen,
        ${shownAdSql(bounds)}
      FROM (
        SELECT l.subject_key AS company_key, l.company_domain, l.company_name, la.start, la.last_seen, la.version_id,
          l.id AS lookup_id, la.position, ${rankSql} AS rank
        FROM ${linksSql} AND ${rankSql} IS NOT NULL
        ORDER BY rank DESC, l.id, la.position LIMIT ${limit}
      ) p
      JOIN nightshift.ad_versions v ON v.id = p.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
      ORDER BY p.rank DESC, p.lookup_id, p.position`,
  );
  return rows.map(toCompanyAd);
}

/** The same with the columns that its details need. */
export interface DetailedShownAdRow extends ShownAdRow, AdOfLookup {
  readonly start: string | null;
  readonly last_seen: string | null;
}

/** Converts ads and reads their details, with one statement for all. */
export async function toDetailedAds(
  db: Sql,
  rows: readonly DetailedShownAdRow[],
): Promise<readonly CompanyAd[]> {
  const details = await readDetails(db, rows);
  return rows.map((row, i) => {
    const { company, ad } = toCompanyAd(row);
    const known = details[i];
    return { company, ad: known === undefined ? ad : { ...ad, details: toShownDetails(known) } };
  });
}

function toShownDetails(details: AdDetails): ShownDetails {
  const { payer, previewUrl, daysShown, timesShownLower, timesShownUpper } = summariseDetails({
    advertiserId: null,
    details,
  });
  return {
    payer: payer === null ? null : payer.slice(0, textCharsMax),
    previewUrl: previewUrl === null ? null : previewUrl.slice(0, addressCharsMax),
    daysShown,
    timesShownLower,
    timesShownUpper,
  };
}

export function toFormatCount(row: {
  readonly format: string | null;
  readonly ads: string | number;
}): FormatCount {
  return { format: row.format, ads: Number(row.ads) };
}
