import { sql, type SQL } from 'drizzle-orm';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { SnapshotName } from '../../../src/core/sources/snapshot-store.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Sql } from '../../connection/client.ts';
import { identityJson } from './ad-json.ts';
import { packDetails } from './pack-details.ts';

/** Day of an export, `YYYY-MM-DD`, and time at which its rows are recorded. */
export interface LoadMoment {
  readonly asOf: string;
  readonly recordedAt: string;
}

/** Details of the data sets of ours belong to no account. */
const noAccount = 0;

/**
 * Stores the details of `staged_details` that differ from the latest ones of their ads. Returns the number of new rows.
 *
 * Run it after the ads are stored, as `located_ads` says.
 */
export async function storeStagedDetails(
  db: Sql,
  name: SnapshotName,
  { asOf, recordedAt }: LoadMoment,
): Promise<number> {
  const stored = await db.execute(
    insertSql(sql`SELECT l.ad_id, ${name}::text AS source, ${noAccount}::bigint AS account_id, ${recordedAt}::timestamptz AS recorded_at,
        ${asOf}::date AS as_of, s.content_hash, s.details
      FROM pg_temp.staged_details s
      JOIN pg_temp.located_ads l ON l.advertiser_id = s.advertiser_id AND l.creative_id = s.creative_id`),
  );
  return stored.rowCount ?? 0;
}

/** Stores the removed ads of `staged_removed` that differ from what is known of them. */
export async function storeRemovedAds(
  db: Sql,
  name: SnapshotName,
  { asOf, recordedAt }: LoadMoment,
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.removed_ads (advertiser_id, creative_id, source, recorded_at, as_of, content_hash, targeting, regions, disapprovals)
      SELECT s.advertiser_id, s.creative_id, ${name}, ${recordedAt}::timestamptz, ${asOf}::date, s.content_hash, x.targeting, x.regions,
        x.disapprovals
      FROM pg_temp.staged_removed s
      LEFT JOIN LATERAL (
        SELECT r.content_hash FROM nightshift.removed_ads r
        WHERE r.advertiser_id = s.advertiser_id AND r.creative_id = s.creative_id AND r.source = ${name}
        ORDER BY r.recorded_at DESC LIMIT 1
      ) p ON true
      CROSS JOIN LATERAL jsonb_to_record(s.details) AS x(targeting text[], regions jsonb, disapprovals jsonb)
      WHERE p.content_hash IS DISTINCT FROM s.content_hash
      ORDER BY s.advertiser_id COLLATE "C", s.creative_id COLLATE "C"`,
  );
}

/** Result of a lookup, and the account of its claim. */
export interface ClaimedResult extends LookupResult {
  readonly claim: { readonly accountId: number };
}

/**
 * Stores what sources reported about the found ads beside their content, where it differs from the latest details of the same ad, source and
 * account. Without any details, no statement is sent. Run it after the ads are stored.
 */
export async function storeFoundDetails(db: Sql, results: readonly ClaimedResult[]): Promise<void> {
  const given = results.flatMap(detailsIn);
  if (given.length === 0) return;
  const ads = given.map((each, i) => ({ ...each, ord: i + 1 }));
  // A millisecond is as exact as `observed_at` of a repeated answer, which must not be before the details of the first one.
  await db.execute(
    sql`WITH given AS MATERIALIZED (SELECT ${JSON.stringify(ads)}::jsonb AS ads), identified AS (
        SELECT nightshift.find_ads(array_agg(p.advertiser_id ORDER BY p.ord), array_agg(p.creative_id ORDER BY p.ord),
          array_agg(p.text_hash ORDER BY p.ord)) AS ids
        FROM given g CROSS JOIN LATERAL nightshift.parse_ads(g.ads) p
      )
      ${insertSql(sql`SELECT DISTINCT ON (i.ad_id, a.source, a.account_id) i.ad_id, a.source, a.account_id,
          date_trunc('milliseconds', now()) AS recorded_at, (now() AT TIME ZONE 'UTC')::date AS as_of,
          nightshift.details_hash(a.details) AS content_hash, a.details
        FROM identified CROSS JOIN LATERAL unnest(ids) WITH ORDINALITY AS i(ad_id, ord)
        JOIN (
          SELECT r.* FROM given g
          CROSS JOIN LATERAL jsonb_to_recordset(g.ads) AS r(ord integer, source text, account_id bigint, details jsonb)
        ) a ON a.ord = i.ord
        WHERE i.ad_id IS NOT NULL
        ORDER BY i.ad_id, a.source, a.account_id, i.ord`)}`,
  );
}

function detailsIn({ source, answer, claim: { accountId } }: ClaimedResult) {
  if (answer.kind !== 'found' || source === null) return [];
  return answer.ads.flatMap((ad) => {
    const details = packed(ad);
    return details === null ? [] : [{ ...identityJson(ad), source, account_id: accountId, details }];
  });
}

function packed(ad: Ad) {
  return ad.details === undefined ? null : packDetails(ad.details, ad);
}

/** Inserts the details that a query selects; those that equal the latest ones of their ad are left out. Sorted, which prevents deadlocks. */
function insertSql(selected: SQL): SQL {
  return sql`INSERT INTO nightshift.ad_details (ad_id, source, account_id, recorded_at, as_of, content_hash, ${columnsSql})
    SELECT n.ad_id, n.source, n.account_id, n.recorded_at, n.as_of, n.content_hash, ${columnsSql}
    FROM (${selected}) n
    LEFT JOIN LATERAL (
      SELECT d.content_hash FROM nightshift.ad_details d
      WHERE d.ad_id = n.ad_id AND d.source = n.source AND d.account_id = n.account_id
      ORDER BY d.recorded_at DESC LIMIT 1
    ) p ON true
    CROSS JOIN LATERAL jsonb_to_record(n.details) AS x(days_not_shown integer, times_shown_lower bigint, times_shown_upper bigint,
      is_grant_funded boolean, topic text, payer text, target_domain text, preview_url text, legal_name text, location text, verification text,
      targeting text[], regions jsonb)
    WHERE p.content_hash IS DISTINCT FROM n.content_hash
    ORDER BY n.ad_id, n.source, n.account_id
    ON CONFLICT DO NOTHING`;
}

const columnsSql = sql`days_not_shown, times_shown_lower, times_shown_upper, is_grant_funded, topic, payer, target_domain, preview_url,
      legal_name, location, verification, targeting, regions`;
