import { sql, type SQL } from 'drizzle-orm';
import type { AdDetails } from '../../../src/core/ads/ad-details.ts';
import type { AdKey } from '../../../src/core/ads/ad-key.ts';
import { shortId } from '../../../src/core/companies/platform-id.ts';
import {
  versionKeyOf,
  noSuchAd,
  toVersions,
  type AdHistories,
  type AdHistory,
  type AdObservation,
} from '../../../src/core/batches/ad-history.ts';
import type { Relation } from '../../../src/core/ads/relate.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { readAdVersions } from '../ads/read-ads.ts';
import { detailsAsOfSql, readDetails, type AdOfLookup } from '../ads/read-details.ts';

/** Maximum number of lookups for versions: every scan of years may have seen an advertiser. */
const lookupsMax = 10_000;
/** Maximum number of lookups for details. */
const detailedMax = 100;

/**
 * Creates the store of ad histories: the lookups of an account that found the ad's advertiser (`lookup_advertisers`), and their
 * links to the ad.
 */
export function createAdHistories(db: Sql): AdHistories {
  return {
    read: (accountId, key) => withDatabase(() => readHistory(db, accountId, key)),
    listObservations: (accountId, key, page) =>
      withDatabase(() => listObservations(db, accountId, key, page)),
  };
}

async function readHistory(db: Sql, accountId: number, key: AdKey): Promise<AdHistory> {
  const found = await db.execute<{
    version_id: string;
    lookups: string;
    sources: readonly string[];
    first_at: string;
    last_at: string;
    start: string | null;
    last_seen: string | null;
  }>(
    sql`SELECT la.version_id, count(*) AS lookups,
        coalesce(array_agg(DISTINCT l.source ORDER BY l.source) FILTER (WHERE l.source IS NOT NULL), '{}') AS sources, min(coalesce(l.observed_at, l.ended_at)) AS first_at,
        max(coalesce(l.observed_at, l.ended_at)) AS last_at, min(la.start)::text AS start, max(la.last_seen)::text AS last_seen
      FROM (${lookupIdsSql(accountId, key, sql`true`)} LIMIT ${lookupsMax}) s
      JOIN nightshift.lookups l ON l.id = s.lookup_id AND l.account_id = ${accountId}
      JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
      WHERE la.version_id = ANY (${versionsSql(key)})
      GROUP BY la.version_id`,
  );
  if (found.rows.length === 0) throw noSuchAd();
  const ads = await readAdVersions(
    db,
    found.rows.map((row) => BigInt(row.version_id)),
  );
  const versions = found.rows.flatMap((row) => {
    const ad = ads.get(row.version_id);
    return ad === undefined
      ? []
      : [
          {
            ad: { ...ad, start: row.start, lastSeen: row.last_seen },
            lookups: Number(row.lookups),
            sources: row.sources,
            firstAt: new Date(row.first_at),
            lastAt: new Date(row.last_at),
          },
        ];
  });
  return { key, versions: toVersions(versions), details: await readNewestDetails(db, accountId, key) };
}

/** Details as of the newest lookup that found the ad and whose source reported some. */
async function readNewestDetails(db: Sql, accountId: number, key: AdKey): Promise<AdDetails | null> {
  const found = await db.execute<AdOfLookup & Record<string, unknown>>(
    sql`SELECT l.id AS lookup_id, k.ad_id, true AS has_details, k.start::text AS start, k.last_seen::text AS last_seen
      FROM (${lookupIdsSql(accountId, key, sql`true`)} LIMIT ${detailedMax}) s
      JOIN nightshift.lookups l ON l.id = s.lookup_id AND l.account_id = ${accountId}
      CROSS JOIN LATERAL (
        SELECT la.start, la.last_seen, v.ad_id FROM nightshift.lookup_ads la JOIN nightshift.ad_versions v ON v.id = la.version_id
        WHERE la.lookup_id = l.id AND la.version_id = ANY (${versionsSql(key)})
        ORDER BY la.position LIMIT 1
      ) k
      WHERE EXISTS (SELECT FROM nightshift.ad_details d WHERE ${detailsAsOfSql(sql`k.ad_id`)})
      ORDER BY s.lookup_id DESC LIMIT 1`,
  );
  const [details = null] = await readDetails(db, found.rows);
  return details;
}

interface ObservationRow extends Record<string, unknown> {
  readonly lookup_id: string;
  readonly version_id: string;
  readonly batch: string | null;
  readonly file_name: string | null;
  readonly scan: string | null;
  readonly schedule: string | null;
  readonly schedule_name: string | null;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly source: string | null;
  readonly observed_at: string;
  readonly position: number;
  readonly relation: Relation;
  readonly confidence_percent: number | null;
  readonly relation_reasons: readonly string[] | null;
  readonly start: string | null;
  readonly last_seen: string | null;
}

async function listObservations(
  db: Sql,
  accountId: number,
  key: AdKey,
  { limit, before }: { readonly limit: number; readonly before: bigint | null },
): Promise<readonly AdObservation[]> {
  const earlier = before === null ? sql`true` : sql`s.lookup_id < ${before}`;
  const { rows } = await db.execute<ObservationRow>(
    sql`SELECT l.id AS lookup_id, k.version_id, b.public_id AS batch, b.file_name, n.public_id AS scan, h.public_id AS schedule,
        h.name AS schedule_name, l.company_domain, l.company_name, l.source, coalesce(l.observed_at, l.ended_at) AS observed_at,
        k.position, coalesce(k.relation, 'own') AS relation, m.confidence_percent, to_jsonb(m.reasons) AS relation_reasons,
        k.start::text AS start, k.last_seen::text AS last_seen
      FROM (${lookupIdsSql(accountId, key, earlier)}) s
      JOIN nightshift.lookups l ON l.id = s.lookup_id AND l.account_id = ${accountId}
      CROSS JOIN LATERAL (
        SELECT la.* FROM nightshift.lookup_ads la
        WHERE la.lookup_id = l.id AND la.version_id = ANY (${versionsSql(key)})
        ORDER BY la.position LIMIT 1
      ) k
      LEFT JOIN nightshift.advertiser_matches m ON m.id = k.match_id
      LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      LEFT JOIN nightshift.scans n ON n.batch_id = b.id
      LEFT JOIN nightshift.schedules h ON h.id = n.schedule_id
      ORDER BY s.lookup_id DESC LIMIT ${limit}`,
  );
  if (rows.length === 0 && before === null) throw noSuchAd();
  const ads = await readAdVersions(db, [...new Set(rows.map((row) => BigInt(row.version_id)))]);
  return rows.flatMap((row) => {
    const ad = ads.get(row.version_id);
    return ad === undefined ? [] : [toObservation(row, versionKeyOf(ad))];
  });
}

/** Lookups of an account that found ads of the advertiser, newest first. */
function lookupIdsSql(accountId: number, key: AdKey, condition: SQL): SQL {
  const subject = key.kind === 'creative' ? shortId(key.advertiserId) : key.hash;
  return sql`SELECT s.lookup_id FROM nightshift.lookup_advertisers s
    WHERE s.account_id = ${accountId} AND s.subject = ${subject} AND ${condition} ORDER BY s.lookup_id DESC`;
}

/** Versions of an ad for all accounts, of which only linked ones count; materialized once. */
function versionsSql(key: AdKey): SQL {
  const isIt =
    key.kind === 'creative'
      ? sql`i.advertiser_id = ${shortId(key.advertiserId)} AND i.creative_id = ${shortId(key.creativeId)}`
      : sql`i.text_hash = decode(${key.hash}, 'hex')`;
  return sql`ARRAY(SELECT v.id FROM nightshift.ads i JOIN nightshift.ad_versions v ON v.ad_id = i.id WHERE ${isIt})`;
}

function toObservation(row: ObservationRow, versionKey: string): AdObservation {
  return {
    lookupId: BigInt(row.lookup_id),
    versionKey,
    batch: row.batch,
    fileName: row.file_name,
    scan: row.scan,
    schedule: row.schedule,
    scheduleName: row.schedule_name,
    companyDomain: row.company_domain,
    companyName: row.company_name,
    source: row.source,
    observedAt: new Date(row.observed_at),
    position: row.position,
    relation: row.relation,
    confidence: row.confidence_percent === null ? null : row.confidence_percent / 100,
    relationReasons: row.relation_reasons,
    start: row.start,
    lastSeen: row.last_seen,
  };
}
