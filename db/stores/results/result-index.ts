import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ResultIndex } from '../../../src/core/batches/result-service.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { prepareOrders } from '../reports/row-orders.ts';
import { countFacets } from './count-facets.ts';
import { makeBlocks } from './make-blocks.ts';
import { rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';

/** Maximum number of blocks per transaction, so that it stays short. */
const blocksPerRound = 100;

/** Builds blocks of rows, orders, and facets. */
export function createResultIndex(db: NodePgDatabase): ResultIndex {
  return {
    update: (signal) =>
      withDatabase(async () => {
        for (let batch = await findBatch(db, 0); batch !== null; batch = await findBatch(db, batch.batchId)) {
          await indexBatch(db, batch, signal);
        }
      }),
  };
}

interface BatchToIndex {
  readonly batchId: number;
  readonly rowsTotal: number;
  readonly finishedAt: string;
}

/** The next batch without facets of its end, which are built last. */
async function findBatch(db: Sql, afterId: number): Promise<BatchToIndex | null> {
  const { rows } = await db.execute<{ id: string; rows_total: number; finished_at: string }>(
    sql`SELECT b.id, b.rows_total, b.finished_at::text AS finished_at FROM nightshift.batches b
      LEFT JOIN nightshift.batch_facets f ON f.batch_id = b.id AND f.finished_at = b.finished_at
      WHERE b.rows_total > 2000 AND b.state IN ('finished', 'cancelled') AND b.purged_at IS NULL
        AND b.finished_at IS NOT NULL AND f.batch_id IS NULL AND b.id > ${afterId}
      ORDER BY b.id LIMIT 1`,
  );
  const [row] = rows;
  return row === undefined
    ? null
    : { batchId: Number(row.id), rowsTotal: row.rows_total, finishedAt: row.finished_at };
}

async function indexBatch(
  db: NodePgDatabase,
  { batchId, rowsTotal, finishedAt }: BatchToIndex,
  signal: AbortSignal,
): Promise<void> {
  const blocks = Math.ceil(rowsTotal / rowsPerBlock);
  for (let first = 0; first < blocks; first += blocksPerRound) {
    signal.throwIfAborted();
    await makeBlocks(db, batchId, { first, last: first + blocksPerRound - 1 });
  }
  signal.throwIfAborted();
  await prepareOrders(db, batchId);
  const facets = await countFacets(db, batchId, null);
  await db.execute(
    sql`INSERT INTO nightshift.batch_facets (batch_id, finished_at, facets)
      SELECT id, finished_at, ${JSON.stringify(facets)}::jsonb FROM nightshift.batches
      WHERE id = ${batchId} AND finished_at = ${finishedAt}::timestamptz AND purged_at IS NULL
      ON CONFLICT (batch_id) DO UPDATE SET finished_at = excluded.finished_at, facets = excluded.facets`,
  );
}
