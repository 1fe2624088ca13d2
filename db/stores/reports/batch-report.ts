import { eq, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import pLimit from 'p-limit';
import type {
  BatchReportStore,
  EndedLines,
  EndedPart,
  ReportForm,
  ReportLine,
  ReportPage,
  ReportPlace,
} from '../../../src/core/batches/batch-report.ts';
import { rowsArePurged } from '../../../src/core/batches/batch.ts';
import { NotFound } from '../../../src/core/errors.ts';
import { isNarrowed, wholeResult } from '../../../src/core/batches/result-filter.ts';
import { readAtOnce, withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { readDetails, type AdOfLookup } from '../ads/read-details.ts';
import { ints } from '../sql/arrays.ts';
import { findRows } from '../sql/find-rows.ts';
import { blockOf } from '../../../src/core/batches/row-blocks.ts';
import { listEndedBatches, openEndedSpan } from './ended-span.ts';
import type { Limit } from './figures.ts';
import { parseCells, toFurtherLine, toLine, type LineRow, type RowColumns } from './report-lines.ts';
import { findSortedRows } from './row-orders.ts';
import { selectLines, selectPart, type LinesPart } from './select-lines.ts';

const linesPerFetch = 2000;
/** Batches that are sorted at a time. */
const sortsMax = 1;

/** Options of a store that reads from a replica. */
interface BatchReportOptions {
  /** Connections to the primary, which sorts large batches and keeps the order. Default: those that read. */
  readonly primary?: NodePgDatabase;
  /** Bound on concurrent sorts, which the stores of a process share. Default: one of its own. */
  readonly limitSorts?: Limit;
}

/** Creates the bound on sorts that run at a time. */
export function createSortLimit(): Limit {
  return pLimit(sortsMax);
}

/** Reads batches line by line from a cursor, in one repeatable-read transaction, so from one snapshot. */
export function createBatchReportStore(
  db: NodePgDatabase,
  { primary = db, limitSorts = createSortLimit() }: BatchReportOptions = {},
): BatchReportStore {
  return {
    read: (batchId, part, use) =>
      readByCursor(db, batchId, (transaction, form) => {
        const { select, values } = selectPart(batchId, part, form);
        return { select, values, use: () => use(fetchLines(transaction), form) };
      }),
    readPage: (batchId, page) => withDatabase(() => readPage({ db, primary, limitSorts }, batchId, page)),
    openSpan: (since) => withDatabase(() => openEndedSpan(db, since)),
    readEnded: (accountId, part, use) =>
      readSettled(db, (transaction) => Promise.resolve(() => use(fetchEnded(transaction, accountId, part)))),
  };
}

/** Query of the cursor `report`, and its reader. */
interface CursorReading<T> {
  readonly select: SQL;
  /** Values that `select` reads from the setting `nightshift.filter`: a cursor takes no parameters. */
  readonly values?: readonly string[];
  readonly use: () => Promise<T>;
}

/** Reads the result of one query about a batch. @throws Conflict for a purged batch. */
export async function readByCursor<T>(
  db: NodePgDatabase,
  batchId: number,
  readingOf: (transaction: Sql, form: ReportForm) => CursorReading<T>,
): Promise<T> {
  return readSettled(db, async (transaction) => {
    const { select, values = [], use } = readingOf(transaction, await readForm(transaction, batchId));
    await prepareReport(transaction, values);
    await transaction.execute(sql`DECLARE report NO SCROLL CURSOR FOR ${select}`);
    return use;
  });
}

/** Prepares a transaction for the cursor `report`, whose query reads these values. */
async function prepareReport(transaction: Sql, values: readonly string[]): Promise<void> {
  // Cursors are planned for a tenth of their result by default, but the whole result is read.
  await transaction.execute(sql`SET LOCAL cursor_tuple_fraction = 1`);
  await transaction.execute(sql`SELECT set_config('nightshift.filter', ${JSON.stringify(values)}, true)`);
}

/** Prepares a reading of one snapshot, and runs it. */
async function readSettled<T>(
  db: NodePgDatabase,
  prepare: (transaction: Sql) => Promise<() => Promise<T>>,
): Promise<T> {
  const [used] = await withDatabase(() =>
    readAtOnce(db, async (transaction) => {
      const use = await prepare(transaction);
      // Settled here and checked outside: errors of the reader's file are not errors of the database.
      return Promise.allSettled([use()]);
    }),
  );
  if (used.status === 'rejected') throw used.reason;
  return used.value;
}

/** The rows of an account that ended in a span, one batch after the other. */
async function* fetchEnded(
  transaction: Sql,
  accountId: number,
  { depth, span }: EndedPart,
): AsyncGenerator<EndedLines> {
  for (const { batchId, publicId } of await withDatabase(() =>
    listEndedBatches(transaction, accountId, span),
  )) {
    const form = await withDatabase(async () => {
      const found = await readForm(transaction, batchId);
      const { select, values } = selectPart(batchId, { depth, span }, found);
      await prepareReport(transaction, values);
      await transaction.execute(sql`DECLARE report NO SCROLL CURSOR FOR ${select}`);
      return found;
    });
    for await (const lines of fetchLines(transaction)) yield { batch: publicId, form, lines };
    await withDatabase(() => transaction.execute(sql`CLOSE report`));
  }
}

interface StoredForm extends ReportForm {
  readonly rowsTotal: number;
}

async function readForm(db: Sql, batchId: number): Promise<StoredForm> {
  const { header, extraCells, operations, rowsTotal, publicId, purgedAt } = batches;
  const [batch] = await db
    .select({ form: { header, operations, rowsTotal }, extraCells, publicId, purgedAt })
    .from(batches)
    .where(eq(batches.id, batchId));
  if (batch === undefined) throw new NotFound(`There is no batch ${batchId}.`);
  if (batch.purgedAt !== null) throw rowsArePurged(batch.publicId, batch.purgedAt);
  return { ...batch.form, cellsMax: batch.form.header.length + batch.extraCells };
}

async function readPage(
  { db, ...sorting }: { readonly db: NodePgDatabase } & Required<BatchReportOptions>,
  batchId: number,
  place: ReportPlace,
): Promise<ReportPage> {
  const form = await readForm(db, batchId);
  const { afterRow, limit, filter = wholeResult, sort = null } = place;
  if (sort === null && !isNarrowed(filter))
    return { form, lines: await readLines(db, batchId, form, rangeSql(afterRow + 1, afterRow + limit)) };
  const { rowsTotal } = form;
  const rows =
    sort === null
      ? await findRows(db, filter, { batchId, rowsTotal, fromRow: afterRow + 1 }, limit)
      : await findSortedRows(db, { batchId, rowsTotal, sort, filter, afterRow, limit }, sorting);
  const lines = await readLines(db, batchId, form, rowsSql(rows));
  const places = new Map(rows.map((rowNo, i) => [rowNo, i]));
  return {
    form,
    lines: lines.toSorted((a, b) => (places.get(a.rowNo) ?? 0) - (places.get(b.rowNo) ?? 0)),
  };
}

/** The lines of some rows, in the order of the file. */
async function readLines(
  db: Sql,
  batchId: number,
  form: ReportForm,
  which: SQL,
): Promise<readonly ReportLine[]> {
  const part: LinesPart = { depth: 'rows', filter: wholeResult, namesCompany: true, which };
  const { rows } = await db.execute<RowColumns>(selectLines(batchId, part, form));
  return rows.map((row) => toLine(row, parseCells(row.cells ?? '[]'), { isFirstLine: true }));
}

/** Condition that row `r` is one of some rows, in their blocks. */
function rowsSql(rows: readonly number[]): SQL {
  const blocks = [...new Set(rows.map(blockOf))];
  return sql`AND r.block_no = ANY (${ints(blocks)}) AND r.row_no = ANY (${ints(rows)})`;
}

/** Condition that row `r` is within a range, and so in its blocks. */
function rangeSql(first: number, last: number): SQL {
  return sql`AND r.block_no BETWEEN ${blockOf(first)} AND ${blockOf(last)} AND r.row_no BETWEEN ${first} AND ${last}`;
}

async function* fetchLines(db: Sql): AsyncGenerator<readonly ReportLine[]> {
  let lookupId: string | null = null;
  let first: ReportLine | null = null;
  let lastRowNo = 0;
  const blocks = fetchBlocks(async () => {
    const { rows } = await db.execute<LineRow>(fetchSql);
    const ads = rows.map((row) => {
      if (row.cells !== null) lookupId = row.lookup_id;
      return toAdOfLookup(row, lookupId);
    });
    return zipDetails(rows, await readDetails(db, ads));
  });
  for await (const rows of blocks) {
    yield rows.map(({ row, details }) => {
      if (first !== null && row.cells === null) return toFurtherLine(first, row, details);
      const isFirstLine = row.row_no !== lastRowNo;
      lastRowNo = row.row_no;
      first = toLine(row, parseCells(row.cells ?? '[]'), { isFirstLine, details });
      return first;
    });
  }
}

function zipDetails(rows: readonly LineRow[], details: Awaited<ReturnType<typeof readDetails>>) {
  return rows.map((row, i) => ({ row, details: details[i] }));
}

function toAdOfLookup(
  { ad_id = null, start = null, last_seen = null }: LineRow,
  lookupId: string | null,
): AdOfLookup {
  return { lookup_id: lookupId, ad_id, has_details: ad_id !== null, start, last_seen };
}

/** The next rows of the cursor `report`. */
export const fetchSql = sql`FETCH ${sql.raw(String(linesPerFetch))} FROM report`;

/** Yields blocks until one is empty. Postgres prepares the next block while the reader handles one. */
export async function* fetchBlocks<Row>(
  fetch: () => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let ahead = begin(fetch);
  for (;;) {
    const rows = await ahead;
    if (rows.length === 0) return;
    ahead = begin(fetch);
    yield rows;
  }
}

function begin<Row>(fetch: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const rows = withDatabase(fetch);
  // Awaited in its turn, or never if the reader stops early; until then it must not count as unhandled.
  rows.catch(() => undefined);
  return rows;
}
