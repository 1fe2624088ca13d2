import { sql, type SQL } from 'drizzle-orm';
import type { AdCursor, AdFilter, AdList, SeenAd } from '../../src/core/ads/ad-list.ts';
import { withDatabase, type Sql } from '../client.ts';
import { adColumnsSql, toAd, type AdRow } from './read-ads.ts';

interface SeenRow extends AdRow {
  readonly position: number;
  readonly batch: string | null;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly source: string | null;
  readonly observed_at: string;
}

/** The ads of an account, from the links of its lookups. */
export function createAdList(db: Sql): AdList {
  return {
    list: (accountId, filter, page) => withDatabase(() => listAds(db, accountId, filter, page)),
  };
}

async function listAds(
  db: Sql,
  accountId: number,
  filter: AdFilter,
  { limit, after }: { readonly limit: number; readonly after: AdCursor | null },
): Promise<readonly SeenAd[]> {
  const conditions = [
    sql`l.account_id = ${accountId} AND l.outcome = 'found'`,
    ...(after === null
      ? []
      : [sql`(l.id < ${after.lookupId} OR l.id = ${after.lookupId} AND la.position > ${after.position})`]),
    ...filterSql(accountId, filter),
  ];
  const found = await db.execute<SeenRow>(
    sql`SELECT ${adColumnsSql}, la.position, b.public_id AS batch, l.company_domain, l.company_name, l.source,
        coalesce(l.observed_at, l.ended_at) AS observed_at
      FROM nightshift.lookups l
      JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
      JOIN nightshift.ad_versions v ON v.id = la.version_id
      JOIN nightshift.ads i ON i.id = v.ad_id
      LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY l.id DESC, la.position LIMIT ${limit}`,
  );
  return found.rows.map((row) => ({
    lookupId: BigInt(row.lookup_id),
    position: row.position,
    batch: row.batch,
    companyDomain: row.company_domain,
    companyName: row.company_name,
    source: row.source,
    observedAt: new Date(row.observed_at),
    ad: toAd(row),
  }));
}

function filterSql(accountId: number, filter: AdFilter): readonly SQL[] {
  const { companyKey, advertiserId, format, seenSince } = filter;
  return [
    ...(companyKey === null ? [] : [sql`l.id IN (${lookupsOf(accountId, companyKey)})`]),
    ...(advertiserId === null ? [] : [sql`i.advertiser_id = ${advertiserId}`]),
    ...(format === null ? [] : [sql`lower(v.format) = lower(${format})`]),
    ...(seenSince === null ? [] : [sql`la.last_seen >= ${seenSince}::date`]),
  ];
}

/** Each by its own index: those of batches by the batch, single searches by the account. */
function lookupsOf(accountId: number, companyKey: string): SQL {
  return sql`SELECT o.id FROM nightshift.batches b JOIN nightshift.lookups o
      ON o.batch_id = b.id AND o.operation = 'ads_search' AND o.subject_key = ${companyKey}
      WHERE b.account_id = ${accountId}
    UNION ALL
    SELECT id FROM nightshift.lookups
      WHERE account_id = ${accountId} AND subject_key = ${companyKey} AND request_id IS NOT NULL`;
}
