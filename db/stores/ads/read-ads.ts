import { sql, type SQL } from 'drizzle-orm';
import type { Ad, AdText, Variant } from '../../../src/core/ads/ad.ts';
import type { AdDetails } from '../../../src/core/ads/ad-details.ts';
import { fullIdOrNull } from '../../../src/core/companies/platform-id.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../sql/arrays.ts';
import { hasDetailsSql, readDetails, type AdOfLookup } from './read-details.ts';

/** An ad of a lookup as `adColumnsSql` selects it. */
export interface AdRow extends Record<string, unknown> {
  readonly lookup_id: string;
  readonly advertiser_id: string | null;
  readonly creative_id: string | null;
  readonly advertiser_name: string | null;
  readonly format: string | null;
  readonly original_url: string | null;
  readonly headline: string | null;
  readonly description: string | null;
  readonly display_url: string | null;
  readonly final_url: string | null;
  readonly ad_type: string | null;
  readonly start: string | null;
  readonly last_seen: string | null;
  readonly variants: readonly Variant[] | null;
}

/** The same with the columns that its details need. */
export interface DetailedAdRow extends AdRow, AdOfLookup {
  readonly lookup_id: string;
}

/**
 * URL of an ad: `v` is its version, `i` its identity. An empty stored one stands for the page of the ad, as in the view `ad_contents`. Statements
 * join both tables themselves: more than eight joins, with those of views, are not reordered.
 */
export const originalUrlSql: SQL = sql`CASE v.original_url WHEN '' THEN nightshift.ad_page_url(i.advertiser_id, i.creative_id)
  ELSE v.original_url END`;

/** Columns of an ad: `la` is its link to the lookup, `v` its version, `i` its identity. */
export const adColumnsSql: SQL = sql`la.lookup_id, i.advertiser_id, i.creative_id, v.advertiser_name, v.format, ${originalUrlSql} AS original_url,
  v.headline, v.description, v.display_url, v.final_url, v.ad_type, la.start::text AS start, la.last_seen::text AS last_seen,
  CASE WHEN v.variants_count > 0 THEN (
    SELECT jsonb_agg(jsonb_build_object('content', r.content, 'height', r.height, 'width', r.width) ORDER BY r.position)
    FROM nightshift.ad_variants r WHERE r.version_id = v.id) END AS variants`;

/** Reads the ads of lookups in the observed versions with the details as of the lookup, in the source's order. */
export async function readAdsOf(
  db: Sql,
  lookupIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly Ad[]>> {
  const { rows } = await db.execute<DetailedAdRow>(
    sql`SELECT ${adColumnsSql}, ${hasDetailsSql}
      FROM nightshift.lookup_ads la
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
      WHERE la.lookup_id = ANY (${bigints(lookupIds)})
      ORDER BY la.lookup_id, la.position`,
  );
  const byLookup = new Map<bigint, Ad[]>();
  const details = await readDetails(db, rows);
  for (const [i, row] of rows.entries()) {
    const lookupId = BigInt(row.lookup_id);
    const ad = toAd(row, details[i]);
    const ads = byLookup.get(lookupId);
    if (ads === undefined) byLookup.set(lookupId, [ad]);
    else ads.push(ad);
  }
  return byLookup;
}

/** Reads ads by version, without the days of an observation. */
export async function readAdVersions(
  db: Sql,
  versionIds: readonly bigint[],
): Promise<ReadonlyMap<string, Ad>> {
  const rows = await db.execute<AdRow & { readonly version_id: string }>(
    sql`SELECT v.id AS version_id, ${adColumnsSql}
      FROM (
        SELECT DISTINCT id AS version_id, NULL::bigint AS lookup_id, NULL::date AS start, NULL::date AS last_seen
        FROM unnest(${bigints(versionIds)}) AS id
      ) la
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id`,
  );
  return new Map(rows.rows.map((row) => [row.version_id, toAd(row)]));
}

/** Makes an ad from its row, with the given details. */
export function toAd(row: AdRow, details?: AdDetails): Ad {
  return {
    advertiserId: fullIdOrNull(row.advertiser_id),
    creativeId: fullIdOrNull(row.creative_id),
    advertiserName: row.advertiser_name,
    format: row.format,
    originalUrl: row.original_url,
    variants: row.variants ?? [],
    start: row.start,
    lastSeen: row.last_seen,
    text: toText(row),
    ...(details === undefined ? {} : { details }),
  };
}

/** The shape-A fields, if the source reported any. */
function toText({ headline, description, display_url, final_url, ad_type }: AdRow): AdText | null {
  const known = [headline, description, display_url, final_url, ad_type].some((value) => value !== null);
  return known
    ? { headline, description, displayUrl: display_url, finalUrl: final_url, adType: ad_type }
    : null;
}
