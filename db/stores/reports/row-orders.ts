import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { isNarrowed, wantsNothing, type ResultFilter } from '../../../src/core/batches/result-filter.ts';
import { blockOf } from '../../../src/core/batches/row-blocks.ts';
import {
  formatRowSort,
  sortColumns,
  type RowSort,
  type SortColumn,
} from '../../../src/core/batches/row-sort.ts';
import type { Sql } from '../../connection/client.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { ints } from '../sql/arrays.ts';
import { findMatching } from '../sql/find-rows.ts';
import { findPromising } from '../sql/search-blocks.ts';
import { mailJoinsSql } from '../sql/result-conditions.ts';
import type { Limit } from './figures.ts';

/** Batches with fewer rows are sorted for each page. The search index has the same bound. */
const keptRowsMin = 2000;
/** Number of orders that are kept per batch: those of the columns of the results, and the newest ones of columns of the file. */
const keptMax = 20;
/** Number of rows in the first window of a search in an order, and factor of the next one while too few rows were found. */
const firstWindow = 400;
const windowGrowth = 4;
const windowMax = 25_600;

/** A batch, and a page of its rows in an order. */
export interface SortedPage {
  readonly batchId: number;
  readonly rowsTotal: number;
  readonly sort: RowSort;
  readonly filter: ResultFilter;
  /** Number of the last row of the page before; 0: the first page. */
  readonly afterRow: number;
  readonly limit: number;
}

/**
 * Finds the numbers of the rows of a page in an order.
 *
 * The pages of a large finished batch are slices of an order that is kept: `prepareOrders` makes those of the columns of the results, and the
 * first page those of the columns of the file. A filter searches the order in growing windows, and only in blocks that may have a match.
 */
export async function findSortedRows(
  db: NodePgDatabase,
  page: SortedPage,
  sorting: Sorting,
): Promise<readonly number[]> {
  if (wantsNothing(page.filter)) return [];
  const order = await openOrder(db, page, sorting);
  const start = page.afterRow === 0 ? 0 : await order.placeAfter(page.afterRow);
  return isNarrowed(page.filter)
    ? searchOrder(db, page, order, start)
    : order.slice(start, start + page.limit);
}

/** Parts of a sort of an order that is missing. */
export interface Sorting {
  /** Connections to the primary, which keeps them. */
  readonly primary: NodePgDatabase;
  readonly limitSorts: Limit;
}

/** Rows of a batch in an order. */
interface RowOrder {
  /** Place after a row; 0 for a row that the batch does not have. */
  readonly placeAfter: (rowNo: number) => Promise<number>;
  /** Numbers of the rows from a place up to another one. */
  readonly slice: (from: number, to: number) => Promise<readonly number[]>;
}

async function searchOrder(
  db: Sql,
  { batchId, rowsTotal, filter, limit }: SortedPage,
  order: RowOrder,
  start: number,
): Promise<readonly number[]> {
  const last = blockOf(rowsTotal);
  const promising = await findPromising(db, filter, { batchId, first: 0, last });
  const inAdsOf = new Map(promising.map(({ block, inAds }) => [block, inAds]));
  const found: number[] = [];
  let size = firstWindow;
  for (
    let from = start;
    from < rowsTotal && found.length < limit;
    size = Math.min(size * windowGrowth, windowMax)
  ) {
    const rowNos = await order.slice(from, from + size);
    const candidates = rowNos.filter((rowNo) => inAdsOf.has(blockOf(rowNo)));
    if (candidates.length > 0) {
      const blocks = [...new Set(candidates.map(blockOf))].map((block) => ({
        block,
        inAds: inAdsOf.get(block) === true,
      }));
      const matching = await findMatching(db, filter, { batchId, blocks, rowNos: candidates });
      found.push(...candidates.filter((rowNo) => matching.has(rowNo)));
    }
    from += size;
  }
  return found.slice(0, limit);
}

async function openOrder(
  db: NodePgDatabase,
  page: SortedPage,
  { primary, limitSorts }: Sorting,
): Promise<RowOrder> {
  return (
    (await findKept(db, page)) ??
    limitSorts(async () => (await findKept(primary, page)) ?? sortRows(primary, page))
  );
}

async function findKept(db: Sql, page: SortedPage): Promise<RowOrder | null> {
  const { rows } = await db.execute(sql`SELECT FROM ${keptSql(page)}`);
  return rows.length === 0 ? null : keptOrder(db, page);
}

function keptSql({ batchId, sort }: SortedPage): SQL {
  return sql`nightshift.row_orders o JOIN nightshift.batches b ON b.id = o.batch_id AND b.finished_at = o.finished_at
    WHERE o.batch_id = ${batchId} AND o.sort = ${formatRowSort(sort)}`;
}

/** Reads slices of a kept order. One that was deleted meanwhile has no rows: the page ends early. */
function keptOrder(db: Sql, page: SortedPage): RowOrder {
  return {
    placeAfter: async (rowNo) => {
      const { rows } = await db.execute<{ place: number | null }>(
        sql`SELECT array_position(o.row_nos, ${rowNo}::integer) AS place FROM ${keptSql(page)}`,
      );
      return rows[0]?.place ?? 0;
    },
    slice: async (from, to) => {
      const { rows } = await db.execute<{ row_nos: readonly number[] }>(
        sql`SELECT o.row_nos[${from + 1}:${to}] AS row_nos FROM ${keptSql(page)}`,
      );
      return rows[0]?.row_nos ?? [];
    },
  };
}

function orderOf(rowNos: readonly number[]): RowOrder {
  return {
    placeAfter: (rowNo) => Promise.resolve(rowNos.indexOf(rowNo) + 1),
    slice: (from, to) => Promise.resolve(rowNos.slice(from, to)),
  };
}

/** Sorts a batch, and keeps the order of a large one that has finished. Rows that change meanwhile wait for it, and then delete it. */
async function sortRows(db: NodePgDatabase, { batchId, rowsTotal, sort }: SortedPage): Promise<RowOrder> {
  const sorted = sql`SELECT b.finished_at::text AS finished_at, b.state IN ('finished', 'cancelled') AS is_over, ARRAY(
        SELECT r.row_no FROM nightshift.batch_rows r
        LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
        ${sort.column === 'email' ? mailJoinsSql : sql``}
        WHERE r.batch_id = b.id
        ORDER BY ${valueSql(sort.column)} ${directionSql(sort)} NULLS LAST, r.row_no
      ) AS row_nos
    FROM nightshift.batches b WHERE b.id = ${batchId}`;
  return db.transaction(async (transaction) => {
    await transaction.execute(sql`SELECT pg_advisory_xact_lock_shared(${advisoryLocks.resultBlocks})`);
    const { rows } = await transaction.execute<SortedBatch>(sorted);
    const [batch] = rows;
    if (batch === undefined) throw new Error(`The batch ${batchId} was deleted while it was sorted.`);
    if (batch.is_over && batch.finished_at !== null && rowsTotal > keptRowsMin)
      await keepOrder(transaction, batchId, { ...batch, sort });
    return orderOf(batch.row_nos);
  });
}

/**
 * Keeps the orders of a finished batch by the columns of the results, in both directions. Reads the rows once. Rows that change meanwhile
 * wait for it, and then delete the orders.
 */
export async function prepareOrders(db: NodePgDatabase, batchId: number): Promise<void> {
  const both = sortColumns.flatMap((column) =>
    [false, true].map((isDescending) => ({ column, isDescending })),
  );
  // The order of the file needs no sorting.
  const sorts = both.filter(({ column, isDescending }) => column !== 'row' || isDescending);
  const orders = sorts.map(
    (sort) => sql`SELECT ${formatRowSort(sort)} AS sort, ARRAY(
        SELECT v.row_no FROM shown v ORDER BY ${shown[sort.column]} ${directionSql(sort)} NULLS LAST, v.row_no
      ) AS row_nos`,
  );
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`SELECT pg_advisory_xact_lock_shared(${advisoryLocks.resultBlocks})`);
    await transaction.execute(
      sql`WITH shown AS MATERIALIZED (
          SELECT r.row_no, ${values.company} AS company, ${values.outcome} AS outcome, ${values.ads} AS ads, ${values.source} AS source,
            ${values.credits} AS credits, ${values.email} AS email
          FROM nightshift.batch_rows r
          LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
          ${mailJoinsSql}
          WHERE r.batch_id = ${batchId}
        )
        INSERT INTO nightshift.row_orders (batch_id, sort, finished_at, row_nos, created_at)
        SELECT b.id, o.sort, b.finished_at, o.row_nos, clock_timestamp()
        FROM nightshift.batches b CROSS JOIN (${sql.join(orders, sql` UNION ALL `)}) o
        WHERE b.id = ${batchId} AND b.finished_at IS NOT NULL AND b.purged_at IS NULL AND b.rows_total > ${keptRowsMin}
        ON CONFLICT (batch_id, sort) DO UPDATE SET finished_at = excluded.finished_at, row_nos = excluded.row_nos,
          created_at = excluded.created_at`,
    );
  });
}

interface SortedBatch extends Record<string, unknown> {
  readonly finished_at: string | null;
  readonly is_over: boolean;
  readonly row_nos: readonly number[];
}

async function keepOrder(
  db: Sql,
  batchId: number,
  { sort, finished_at: finishedAt, row_nos: rowNos }: SortedBatch & { readonly sort: RowSort },
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.row_orders (batch_id, sort, finished_at, row_nos, created_at)
      SELECT b.id, ${formatRowSort(sort)}, b.finished_at, ${ints(rowNos)}, clock_timestamp() FROM nightshift.batches b
      WHERE b.id = ${batchId} AND b.finished_at = ${finishedAt}::timestamptz AND b.purged_at IS NULL
      ON CONFLICT (batch_id, sort) DO UPDATE SET finished_at = excluded.finished_at, row_nos = excluded.row_nos,
        created_at = excluded.created_at`,
  );
  await db.execute(
    sql`DELETE FROM nightshift.row_orders o WHERE o.batch_id = ${batchId} AND o.sort NOT IN (
        SELECT k.sort FROM nightshift.row_orders k WHERE k.batch_id = ${batchId} ORDER BY k.created_at DESC LIMIT ${keptMax})`,
  );
}

function directionSql({ isDescending }: RowSort): SQL {
  return isDescending ? sql`DESC` : sql`ASC`;
}

/** Value of a row for its place in the order, as its page shows it. */
function valueSql(column: RowSort['column']): SQL {
  if (typeof column === 'number') return sql`nullif(r.cells[${column}::integer], '') ${natural}`;
  return values[column];
}

const natural = sql`COLLATE nightshift.natural_order`;

const values: Readonly<Record<SortColumn, SQL>> = {
  row: sql`r.row_no`,
  company: sql`coalesce(l.company_name, l.company_domain) ${natural}`,
  outcome: sql`CASE WHEN r.reject_reason IS NOT NULL THEN 'rejected' WHEN r.ads_lookup_id IS NOT NULL THEN coalesce(l.outcome, 'open') END`,
  ads: sql`CASE WHEN l.outcome IN ('found', 'none') THEN coalesce(l.ads_count, 0) END`,
  source: sql`l.source ${natural}`,
  credits: sql`CASE WHEN r.is_first THEN coalesce(l.charged_micro, 0) ELSE 0 END`,
  email: sql`coalesce(e.normalised_email, e.status) ${natural}`,
};

/** The same values, as `prepareOrders` reads them. The order of texts is part of them. */
const shown: Readonly<Record<SortColumn, SQL>> = {
  row: sql`v.row_no`,
  company: sql`v.company`,
  outcome: sql`v.outcome`,
  ads: sql`v.ads`,
  source: sql`v.source`,
  credits: sql`v.credits`,
  email: sql`v.email`,
};
