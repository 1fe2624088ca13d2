import { eq, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  BatchReportStore,
  EndedLines,
  EndedPart,
  EndedSpan,
  ReportDepth,
  ReportForm,
  ReportLine,
  ReportPage,
  ReportPart,
  ReportPlace,
} from '../../../src/core/batches/batch-report.ts';
import { rowsArePurged } from '../../../src/core/batches/batch.ts';
import { NotFound } from '../../../src/core/errors.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { isNarrowed, wholeResult, type ResultFilter } from '../../../src/core/batches/result-filter.ts';
import { readAtOnce, withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { originalUrlSql } from '../ads/read-ads.ts';
import { detailedAdSql, readDetails, type AdOfLookup } from '../ads/read-details.ts';
import { ints } from '../sql/arrays.ts';
import { joinWaitingCompanySql } from '../sql/open-lookups.ts';
import { findRows } from '../sql/find-rows.ts';
import { blockOf } from '../../../src/core/batches/row-blocks.ts';
import {
  adIsWantedSql,
  askedMailSql,
  askedTextSql,
  mailJoinsSql,
  putParameter,
  rowIsWantedSql,
  type PutValue,
} from '../sql/result-conditions.ts';
import { isInSpanSql, listEndedBatches, openEndedSpan, rowEndedSql } from './ended-span.ts';
import { parseCells, toFurtherLine, toLine, type LineRow, type RowColumns } from './report-lines.ts';

const linesPerFetch = 2000;

/** Reads batches line by line from a cursor, in one repeatable-read transaction, so from one snapshot. */
export function createBatchReportStore(db: NodePgDatabase): BatchReportStore {
  return {
    read: (batchId, part, use) =>
      readByCursor(db, batchId, (transaction, form) => {
        const { select, values } = selectPart(batchId, part, form);
        return { select, values, use: () => use(fetchLines(transaction), form) };
      }),
    readPage: (batchId, page) => withDatabase(() => readPage(db, batchId, page)),
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
    await declareReport(transaction, select, values);
    return use;
  });
}

/** Opens the cursor `report`. */
async function declareReport(transaction: Sql, select: SQL, values: readonly string[]): Promise<void> {
  // Cursors are planned for a tenth of their result by default, but the whole result is read.
  await transaction.execute(sql`SET LOCAL cursor_tuple_fraction = 1`);
  await transaction.execute(sql`SELECT set_config('nightshift.filter', ${JSON.stringify(values)}, true)`);
  await transaction.execute(sql`DECLARE report NO SCROLL CURSOR FOR ${select}`);
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
      await declareReport(transaction, select, values);
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
  db: Sql,
  batchId: number,
  { afterRow, limit, filter = wholeResult }: ReportPlace,
): Promise<ReportPage> {
  const form = await readForm(db, batchId);
  const place = { batchId, rowsTotal: form.rowsTotal, fromRow: afterRow + 1 };
  const which = isNarrowed(filter)
    ? rowsSql(await findRows(db, filter, place, limit))
    : rangeSql(afterRow + 1, afterRow + limit);
  const part: LinesPart = { depth: 'rows', filter: wholeResult, namesCompany: true, which };
  const page = await db.execute<RowColumns>(sql`${selectLines(batchId, part, form)} LIMIT ${limit}`);
  return {
    form,
    lines: page.rows.map((row) => toLine(row, parseCells(row.cells ?? '[]'), { isFirstLine: true })),
  };
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

/** Lines of a part, as a query without parameters; the values of its filter are kept apart. */
function selectPart(
  batchId: number,
  { depth, filter = wholeResult, span }: ReportPart,
  form: ReportForm,
): { readonly select: SQL; readonly values: readonly string[] } {
  const values: string[] = [];
  const put: PutValue = (value) =>
    sql.raw(`(SELECT current_setting('nightshift.filter')::jsonb ->> ${values.push(value) - 1})`);
  const part = { depth, filter, put, ...(span === undefined ? {} : endedPart(batchId, span, form)) };
  return { select: selectLines(batchId, part, form), values };
}

function endedPart(batchId: number, span: EndedSpan, { operations }: ReportForm) {
  const endedAt = rowEndedSql(batchId, operations);
  return { endedAt, which: isInSpanSql(endedAt, span) };
}

/** Part of the lines to read, and the way to put the filter's values into a statement. */
interface LinesPart {
  readonly depth: ReportDepth;
  readonly filter: ResultFilter;
  readonly put?: PutValue;
  /** True to include the company's name. Default false, as in exports. */
  readonly namesCompany?: boolean;
  /** Time at which row `r` ended, to include with the company of the lookup. Default: neither. */
  readonly endedAt?: SQL;
  /** Further condition on row `r`. Default: none. */
  readonly which?: SQL;
}

/** The only embedded value is a number of ours. Only the first line of a row contains its cells and outcomes. */
function selectLines(batchId: number, part: LinesPart, form: ReportForm): SQL {
  const { depth, filter } = part;
  const { operations } = form;
  return sql`SELECT r.row_no, first.*
      ${part.namesCompany === true ? sql`, coalesce(l.company_domain, w.company_domain) AS company_domain, coalesce(l.company_name, w.company_name) AS company_name` : sql``}
      ${part.endedAt === undefined ? sql`` : sql`, l.company_domain, l.company_name, ${part.endedAt} AS ended_at`} ${adColumns(depth)} ${variantColumns(depth)}
    FROM nightshift.batch_rows r
    LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
    ${part.namesCompany === true ? joinWaitingCompanySql(sql.raw(String(Math.trunc(batchId)))) : sql``}
    ${operations.includes('email_validation') ? mailJoinsSql : askedMailSql(filter)}
    ${askedTextSql(filter)}
    ${adJoins(depth)} ${variantJoins(depth)}
    LEFT JOIN LATERAL ${rowColumns(part, form)} first ON true
    WHERE r.batch_id = ${sql.raw(String(Math.trunc(batchId)))} ${wantedSql(batchId, part)} ${part.which ?? sql``}
    ORDER BY r.block_no, r.row_no ${orderWithinRow(depth)}`;
}

/** Columns that all lines of a row share, on its first line: with a thousand ads, the server would send them a thousand times. */
function rowColumns(part: LinesPart, { operations }: ReportForm): SQL {
  return sql`(SELECT array_to_json(r.cells)::text AS cells, r.line_no, r.reject_reason, r.warning, r.is_first, l.outcome, l.reason,
      l.source, l.matched_by, l.ads_count, l.charged_micro, l.repeats, l.partial, l.partial_reason, l.uncertain_advertisers,
      l.truncated, l.estimate_low, l.estimate_high, l.id AS lookup_id, r.ads_lookup_id IS NOT NULL AS has_ads_lookup,
      coalesce(l.observed_at, l.ended_at) AS observed_at ${emailColumns(operations)}
    WHERE ${isFirstLineSql(part)})`;
}

/** One object with everything known about the address. */
function emailColumns(operations: readonly Operation[]): SQL {
  return operations.includes('email_validation')
    ? sql`, CASE WHEN r.email_lookup_id IS NOT NULL THEN coalesce(to_jsonb(e), '{}') || jsonb_build_object('outcome', m.outcome,
      'reason', m.reason, 'charged_micro', CASE WHEN r.email_is_first THEN coalesce(m.charged_micro, 0) ELSE 0 END) END AS email`
    : sql``;
}

/** With a filter, a report of ads contains the matching ads, and no rows without one. */
function wantedSql(batchId: number, { depth, filter, put = putParameter }: LinesPart): SQL {
  if (!isNarrowed(filter)) return sql``;
  return depth === 'rows'
    ? sql`AND ${rowIsWantedSql(batchId, filter, { put })}`
    : sql`AND la.position IS NOT NULL AND ${adIsWantedSql(batchId, filter, { put })}`;
}

/** With a filter, any line may be the first one of its row. */
function isFirstLineSql({ depth, filter }: LinesPart): SQL {
  if (isNarrowed(filter)) return sql`true`;
  const positions = { rows: [], ads: [sql`la.position`], variants: [sql`la.position`, sql`av.position`] };
  const ones = positions[depth].map((position) => sql`coalesce(${position}, 1) = 1`);
  return ones.length === 0 ? sql`true` : sql.join(ones, sql` AND `);
}

function adColumns(depth: ReportDepth): SQL {
  if (depth === 'rows') return sql``;
  return sql`, la.position, i.advertiser_id, i.creative_id, v.advertiser_name, v.format, ${originalUrlSql} AS original_url,
      la.start::text AS start, la.last_seen::text AS last_seen, v.headline, v.description, v.display_url, v.final_url,
      v.ad_type, v.variants_count, la.relation, am.confidence_percent, array_to_json(am.reasons)::text AS relation_reasons, ${detailedAdSql}`;
}

function adJoins(depth: ReportDepth): SQL {
  if (depth === 'rows') return sql``;
  return sql`LEFT JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
    LEFT JOIN nightshift.ad_versions v ON v.id = la.version_id
    LEFT JOIN nightshift.ads i ON i.id = v.ad_id
    LEFT JOIN nightshift.advertiser_matches am ON am.id = la.match_id`;
}

function variantColumns(depth: ReportDepth): SQL {
  if (depth !== 'variants') return sql``;
  return sql`, av.position AS variant_position, av.content, av.height, av.width`;
}

function variantJoins(depth: ReportDepth): SQL {
  if (depth !== 'variants') return sql``;
  return sql`LEFT JOIN nightshift.ad_variants av ON av.version_id = v.id`;
}

function orderWithinRow(depth: ReportDepth): SQL {
  if (depth === 'rows') return sql``;
  return depth === 'ads' ? sql`, la.position` : sql`, la.position, av.position`;
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
