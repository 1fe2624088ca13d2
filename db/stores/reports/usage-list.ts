import { sql, type SQL } from 'drizzle-orm';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import type { BatchUsage, Usage, UsageFilter, UsageList } from '../../../src/core/credits/usage.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { bigints } from '../sql/arrays.ts';
import { findOwnBatch } from '../batches/batch-summaries.ts';
import { dayOf, endedIn, listsSql, requestsSql, sumsSql, type UsageRow } from './usage-rows.ts';
import { withZone } from '../sql/with-zone.ts';

/** Creates the store of usage, which is counted from chunks: a few thousand for a million lookups. */
export function createUsageList(db: Sql): UsageList {
  const inZone = <T>({ timeZone }: UsageFilter, query: () => Promise<T>) =>
    withDatabase(() => withZone(timeZone, query));
  return {
    byDay: (accountId, filter) => inZone(filter, () => listDays(db, accountId, filter)),
    byOperation: (accountId, filter) => inZone(filter, () => listOperations(db, accountId, filter)),
    byBatch: (accountId, filter, page) => inZone(filter, () => listBatches(db, accountId, filter, page)),
  };
}

/** Total usage of an account. */
function allSql(accountId: number, filter: UsageFilter): SQL {
  const batches = sql`SELECT b.id FROM nightshift.batches b WHERE b.account_id = ${accountId}`;
  return sql`${requestsSql(accountId, filter)} UNION ALL (${listsSql(batches, filter)})`;
}

async function listDays(db: Sql, accountId: number, filter: UsageFilter) {
  const { rows } = await db.execute<UsageRow & { readonly day: string }>(
    sql`SELECT q.day::text AS day, ${sumsSql} FROM (
        SELECT ${dayOf(sql`p.quarter`, filter)} AS day, p.* FROM (
          SELECT p.quarter, ${sumsSql} FROM (${allSql(accountId, filter)}) p GROUP BY p.quarter) p
      ) q GROUP BY q.day ORDER BY q.day`,
  );
  return rows.map((row) => ({ day: row.day, ...toUsage(row) }));
}

async function listOperations(db: Sql, accountId: number, filter: UsageFilter) {
  const { rows } = await db.execute<UsageRow & { readonly operation: Operation }>(
    sql`SELECT p.operation, ${sumsSql} FROM (${allSql(accountId, filter)}) p GROUP BY p.operation ORDER BY p.operation`,
  );
  return rows.map((row) => ({ operation: row.operation, ...toUsage(row) }));
}

async function listBatches(
  db: Sql,
  accountId: number,
  filter: UsageFilter,
  { limit, after }: { readonly limit: number; readonly after: string | null },
): Promise<readonly BatchUsage[]> {
  const before = after === null ? sql`true` : sql`b.id < ${await findOwnBatch(db, accountId, after)}`;
  const { rows } = await db.execute<{ id: string; public_id: string; file_name: string }>(
    sql`SELECT b.id, b.public_id, b.file_name FROM nightshift.batches b
      WHERE b.account_id = ${accountId} AND ${before}
        AND EXISTS (SELECT FROM nightshift.chunks c WHERE c.batch_id = b.id AND ${endedIn(filter)})
      ORDER BY b.id DESC LIMIT ${limit}`,
  );
  const ids = sql`SELECT unnest(${bigints(rows.map(({ id }) => BigInt(id)))})`;
  const usages = await db.execute<UsageRow & { readonly batch_id: string }>(
    sql`SELECT p.batch_id, ${sumsSql} FROM (${listsSql(ids, filter)}) p GROUP BY p.batch_id`,
  );
  const byBatch = new Map(usages.rows.map((row) => [row.batch_id, toUsage(row)]));
  const listed = rows.map(({ id, public_id: batch, file_name: fileName }) => ({
    ...{ batch, fileName },
    // A chunk may have waited for the whole span.
    ...(byBatch.get(id) ?? noUsage),
  }));
  return rows.length < limit ? [...listed, ...(await listRequests(db, accountId, filter))] : listed;
}

/** Usage outside of batches, if any. */
async function listRequests(db: Sql, accountId: number, filter: UsageFilter): Promise<readonly BatchUsage[]> {
  const { rows } = await db.execute<UsageRow>(
    sql`SELECT ${sumsSql} FROM (${requestsSql(accountId, filter)}) p HAVING count(*) > 0`,
  );
  return rows.map((row) => ({ batch: null, fileName: null, ...toUsage(row) }));
}

const noUsage: Usage = {
  ...{ lookups: 0, charged: 0, chargedMicro: 0n },
  free: { none: 0, no_match: 0, unknown: 0, failed: 0, cancelled: 0, repeated: 0, no_price: 0 },
};

function toUsage(row: UsageRow): Usage {
  return {
    lookups: Number(row.lookups),
    charged: Number(row.charged),
    chargedMicro: BigInt(row.charged_micro),
    free: {
      none: Number(row.none),
      no_match: Number(row.no_match),
      unknown: Number(row.unknown),
      failed: Number(row.failed),
      cancelled: Number(row.cancelled),
      repeated: Number(row.repeated),
      no_price: Number(row.no_price),
    },
  };
}
