import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { RejectedRow, RejectedRows } from '../../../src/core/batches/batch-report.ts';
import type { Sql } from '../../connection/client.ts';
import { fetchBlocks, fetchSql, readByCursor } from './batch-report.ts';
import { parseCells } from './report-lines.ts';

/** Rejected rows of batches, read from a cursor like reports. */
export function createRejectedRows(db: NodePgDatabase): RejectedRows {
  return {
    read: (batchId, use) =>
      readByCursor(db, batchId, (transaction, form) => ({
        select: sql`SELECT line_no, reject_reason, array_to_json(cells)::text AS cells FROM nightshift.batch_rows
          WHERE batch_id = ${sql.raw(String(Math.trunc(batchId)))} AND reject_reason IS NOT NULL ORDER BY block_no, row_no`,
        use: () => use(fetchRows(transaction), form),
      })),
  };
}

interface StoredRow extends Record<string, unknown> {
  readonly line_no: number;
  readonly reject_reason: string;
  readonly cells: string;
}

async function* fetchRows(db: Sql): AsyncGenerator<readonly RejectedRow[]> {
  const blocks = fetchBlocks(async () => (await db.execute<StoredRow>(fetchSql)).rows);
  for await (const rows of blocks) {
    yield rows.map((row) => ({
      lineNo: row.line_no,
      reason: row.reject_reason,
      cells: parseCells(row.cells),
    }));
  }
}
