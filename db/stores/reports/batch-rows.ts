import { and, eq, sql } from 'drizzle-orm';
import { wholeSearch } from '../../../src/core/ads/ads-answer.ts';
import type { BatchRows, SubmittedBatch, SubmittedRow } from '../../../src/core/batches/batch-rows.ts';
import { rowsArePurged } from '../../../src/core/batches/batch.ts';
import { blockOf, rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { parseCells } from './report-lines.ts';

/** Rows per statement; a multiple of a block. */
const rowsPerPage = 64 * rowsPerBlock;

/** Submitted rows, a page per statement: rows of a loaded batch never change. */
export function createBatchRows(db: Sql): BatchRows {
  return {
    readSubmitted: (accountId, publicId) => withDatabase(() => readSubmitted(db, accountId, publicId)),
    read: (batchId) => readRows(db, batchId),
  };
}

async function readSubmitted(db: Sql, accountId: number, publicId: string): Promise<SubmittedBatch> {
  const {
    id: batchId,
    name,
    fileName,
    tags,
    header,
    columnMap,
    operations,
    sources,
    search,
    delimiter,
  } = batches;
  const { state, purgedAt, deletedAt } = batches;
  const fields = { batchId, name, fileName, tags, header, columnMap, operations, sources, search, delimiter };
  const [found] = await db
    .select({ ...fields, state, purgedAt, deletedAt })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), eq(batches.publicId, publicId)));
  if (found === undefined || found.deletedAt !== null) throw new NotFound(`There is no batch ${publicId}.`);
  if (found.purgedAt !== null) throw rowsArePurged(publicId, found.purgedAt);
  if (found.state === 'loading') {
    throw new Conflict(`${publicId} is not fully loaded. Load its file again to continue it.`);
  }
  return { ...found, search: wholeSearch(found.search) };
}

interface StoredRow extends Record<string, unknown> {
  readonly line_no: number;
  readonly cells: string;
  readonly reject_reason: string | null;
  readonly warning: string | null;
}

async function* readRows(db: Sql, batchId: number): AsyncGenerator<readonly SubmittedRow[]> {
  for (let first = 1; ; first += rowsPerPage) {
    const last = first + rowsPerPage - 1;
    const { rows } = await withDatabase(() =>
      db.execute<StoredRow>(
        sql`SELECT r.line_no, array_to_json(r.cells)::text AS cells, r.reject_reason, r.warning FROM nightshift.batch_rows r
          WHERE r.batch_id = ${batchId} AND r.block_no BETWEEN ${blockOf(first)} AND ${blockOf(last)}
          ORDER BY r.block_no, r.row_no`,
      ),
    );
    if (rows.length > 0) yield rows.map(toRow);
    if (rows.length < rowsPerPage) return;
  }
}

function toRow({ line_no: lineNo, cells, reject_reason: problem, warning }: StoredRow): SubmittedRow {
  return { lineNo, cells: parseCells(cells), problem, warning };
}
