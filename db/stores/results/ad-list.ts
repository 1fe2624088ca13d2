import { sql, type SQL } from 'drizzle-orm';
import type { AdKey } from '../../../src/core/ads/ad-key.ts';
import { fullId, shortId } from '../../../src/core/companies/platform-id.ts';
import type { AdFilter, AdList, AdPlace, SeenAd } from '../../../src/core/batches/ad-list.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { bigints, ints } from '../sql/arrays.ts';
import { readSummary } from '../batches/batch-summaries.ts';
import { findAdsOfRows, type AdOfRow } from '../sql/find-rows.ts';
import { adColumnsSql, toAd, type DetailedAdRow } from '../ads/read-ads.ts';
import { hasDetailsSql, readDetails } from '../ads/read-details.ts';
import { adTextSql } from '../sql/result-conditions.ts';

interface SeenRow extends DetailedAdRow {
  readonly position: number;
  readonly text_hash: string | null;
  readonly batch: string | null;
  readonly row_no: number | null;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly source: string | null;
  readonly observed_at: string;
}

interface Page {
  readonly limit: number;
  readonly after: AdPlace | null;
}

/** The ads of an account, from the links of its lookups. */
export function createAdList(db: Sql): AdList {
  return {
    list: (accountId, filter, page) =>
      withDatabase(() =>
        filter.batch === null
          ? listAds(db, accountId, filter, page)
          : listAdsOfBatch(db, accountId, { ...filter, batch: filter.batch }, page),
      ),
  };
}

/** Columns of an ad, with its lookup `l` and link `la`. */
const seenSql: SQL = sql`${adColumnsSql}, ${hasDetailsSql}, encode(i.text_hash, 'hex') AS text_hash, la.position, b.public_id AS batch,
  l.company_domain, l.company_name, l.source, coalesce(l.observed_at, l.ended_at) AS observed_at`;

const seenFromSql: SQL = sql`JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
  JOIN nightshift.ad_versions v ON v.id = la.version_id
  JOIN nightshift.ads i ON i.id = v.ad_id
  LEFT JOIN nightshift.batches b ON b.id = l.batch_id`;

async function listAds(
  db: Sql,
  accountId: number,
  filter: AdFilter,
  { limit, after }: Page,
): Promise<readonly SeenAd[]> {
  const conditions = [
    sql`l.account_id = ${accountId} AND l.operation = 'ads_search' AND l.outcome = 'found'`,
    ...(after?.kind === 'lookup'
      ? [sql`l.id <= ${after.lookupId} AND (l.id < ${after.lookupId} OR la.position > ${after.position})`]
      : []),
    ...filterSql(accountId, filter),
  ];
  const found = await db.execute<SeenRow>(
    sql`SELECT ${seenSql}, NULL::integer AS row_no FROM nightshift.lookups l ${seenFromSql}
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY l.id DESC, la.position LIMIT ${limit}`,
  );
  return toSeen(db, found.rows);
}

async function listAdsOfBatch(
  db: Sql,
  accountId: number,
  filter: AdFilter & { readonly batch: string },
  { limit, after }: Page,
): Promise<readonly SeenAd[]> {
  const { batchId, rows } = await readSummary(db, accountId, filter.batch);
  const from = after?.kind === 'row' ? after : { rowNo: 1, position: 0 };
  const batch = { batchId, rowsTotal: rows.total, fromRow: from.rowNo, afterPosition: from.position };
  return readAds(db, await findAdsOfRows(db, filter, batch, limit));
}

async function readAds(db: Sql, ads: readonly AdOfRow[]): Promise<readonly SeenAd[]> {
  if (ads.length === 0) return [];
  const found = await db.execute<SeenRow>(
    sql`SELECT ${seenSql}, n.row_no
      FROM unnest(${ints(ads.map((ad) => ad.rowNo))}, ${bigints(ads.map((ad) => ad.lookupId))},
        ${ints(ads.map((ad) => ad.position))}) AS n(row_no, lookup_id, position)
      JOIN nightshift.lookups l ON l.id = n.lookup_id
      ${seenFromSql}
      WHERE la.position = n.position ORDER BY n.row_no, la.position`,
  );
  return toSeen(db, found.rows);
}

async function toSeen(db: Sql, rows: readonly SeenRow[]): Promise<readonly SeenAd[]> {
  const details = await readDetails(db, rows);
  return rows.map((row, i) => ({
    key: toKey(row),
    lookupId: BigInt(row.lookup_id),
    position: row.position,
    batch: row.batch,
    rowNo: row.row_no,
    companyDomain: row.company_domain,
    companyName: row.company_name,
    source: row.source,
    observedAt: new Date(row.observed_at),
    ad: toAd(row, details[i]),
  }));
}

/** An identity has either ids or a hash (`ads_one_identity`). */
function toKey({ advertiser_id: advertiserId, creative_id: creativeId, text_hash: hash }: SeenRow): AdKey {
  return hash === null
    ? { kind: 'creative', advertiserId: fullId(advertiserId ?? ''), creativeId: fullId(creativeId ?? '') }
    : { kind: 'text', hash };
}

/** Conditions on ads; those on rows apply to a batch only. */
function filterSql(accountId: number, filter: AdFilter): readonly SQL[] {
  const { companyKey, advertiserId, format, seenSince, words } = filter;
  const has = (word: string) =>
    sql`(strpos(lower(concat_ws(E'\\n', l.company_domain, l.company_name)), lower(${word}::text)) > 0
      OR strpos(${adTextSql}, lower(${word}::text)) > 0)`;
  return [
    ...(companyKey === null ? [] : [sql`l.id IN (${lookupsOf(accountId, companyKey)})`]),
    ...(advertiserId === null
      ? []
      : [
          sql`i.advertiser_id = ${shortId(advertiserId)} AND l.id IN (
            SELECT s.lookup_id FROM nightshift.lookup_advertisers s WHERE s.account_id = ${accountId} AND s.subject = ${shortId(advertiserId)})`,
        ]),
    ...(format === null ? [] : [sql`lower(v.format) = lower(${format})`]),
    ...(seenSince === null ? [] : [sql`la.last_seen >= ${seenSince}::date`]),
    ...words.map(has),
  ];
}

/** Each through its own index: batches by batch, single searches by account. */
function lookupsOf(accountId: number, companyKey: string): SQL {
  return sql`SELECT o.id FROM nightshift.batches b JOIN nightshift.lookups o
      ON o.batch_id = b.id AND o.operation = 'ads_search' AND o.subject_key = ${companyKey}
      WHERE b.account_id = ${accountId}
    UNION ALL
    SELECT id FROM nightshift.lookups
      WHERE account_id = ${accountId} AND subject_key = ${companyKey} AND request_id IS NOT NULL`;
}
