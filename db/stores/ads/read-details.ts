import { sql, type SQL } from 'drizzle-orm';
import type { AdDetails } from '../../../src/core/ads/ad-details.ts';
import { unpackDetails, type StoredDetails } from './unpack-details.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../sql/arrays.ts';

/** An ad of a lookup, with its days there. */
export interface AdOfLookup {
  readonly lookup_id: string | null;
  readonly ad_id: string | null;
  /** True if any source reported details of the ad, as `hasDetailsSql` selects it. */
  readonly has_details: boolean | null;
  readonly start: string | null;
  readonly last_seen: string | null;
}

/** Columns for `readDetails`, of identity `i`. A scalar subquery: an `EXISTS` could be hashed, which reads the details of all ads. */
export const hasDetailsSql: SQL = sql`i.id AS ad_id,
  (SELECT true FROM nightshift.ad_details d WHERE d.ad_id = i.id LIMIT 1) AS has_details`;

/** Column `ad_id` of identity `i`, if any source reported details of the ad; else null. */
export const detailedAdSql: SQL = sql`(SELECT d.ad_id FROM nightshift.ad_details d WHERE d.ad_id = i.id LIMIT 1) AS ad_id`;

/** Condition that details `d` are those of ad `ad_id` as of lookup `l`, if they are the latest ones. As in the view `reports.ads`. */
export function detailsAsOfSql(adId: SQL): SQL {
  return sql`d.ad_id = ${adId} AND d.source = l.source
    AND d.account_id = CASE WHEN l.source IN ('snapshot', 'sample') THEN 0 ELSE l.account_id END
    AND d.recorded_at <= coalesce(l.observed_at, l.ended_at)`;
}

interface DetailsRow extends StoredDetails, Record<string, unknown> {
  readonly ord: string;
}

/**
 * Reads what sources reported about ads beside their content, as of their lookups: one statement for all, none if no source reported
 * any. The result has the order of the ads; undefined: nothing.
 */
export async function readDetails(
  db: Sql,
  ads: readonly AdOfLookup[],
): Promise<readonly (AdDetails | undefined)[]> {
  const asked = ads.flatMap((ad, index) => (ad.has_details === true ? [{ ad, index }] : []));
  const read: (AdDetails | undefined)[] = Array.from({ length: ads.length });
  if (asked.length === 0) return read;
  const { rows } = await db.execute<DetailsRow>(
    sql`SELECT k.ord, d.* FROM unnest(${bigintTexts(asked.map(({ ad }) => ad.lookup_id))}, ${bigintTexts(asked.map(({ ad }) => ad.ad_id))})
        WITH ORDINALITY AS k(lookup_id, ad_id, ord)
      JOIN nightshift.lookups l ON l.id = k.lookup_id
      CROSS JOIN LATERAL (
        SELECT d.days_not_shown, d.is_grant_funded, d.topic, d.payer, d.target_domain, d.preview_url, d.legal_name, d.location,
          d.verification, d.targeting, d.regions
        FROM nightshift.ad_details d WHERE ${detailsAsOfSql(sql`k.ad_id`)}
        ORDER BY d.recorded_at DESC LIMIT 1
      ) d`,
  );
  for (const row of rows) {
    const one = asked[Number(row.ord) - 1];
    if (one !== undefined)
      read[one.index] = unpackDetails(row, { start: one.ad.start, lastSeen: one.ad.last_seen });
  }
  return read;
}

function bigintTexts(ids: readonly (string | null)[]): SQL {
  return bigints(ids.map((id) => (id === null ? null : BigInt(id))));
}
