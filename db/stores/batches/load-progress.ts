import { and, eq, gt, sql } from 'drizzle-orm';
import type { LoadProgress, StoredSubject } from '../../../src/core/batches/batch-store.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { lookupBlocks } from '../../schema/lookups.ts';

/** Counts the rows of an interrupted load. */
export async function readLoadProgress(db: Sql, batchId: number): Promise<LoadProgress> {
  const counts = await db.execute<{ rows: number; rejected: number; extra: number }>(
    sql`SELECT count(*)::integer AS rows, (count(*) FILTER (WHERE reject_reason IS NOT NULL))::integer AS rejected,
        greatest(coalesce(max(cardinality(r.cells)), 0) - max(cardinality(b.header)), 0)::integer AS extra
      FROM nightshift.batch_rows r JOIN nightshift.batches b ON b.id = r.batch_id WHERE r.batch_id = ${batchId}`,
  );
  return {
    rowsStored: counts.rows[0]?.rows ?? 0,
    rowsRejected: counts.rows[0]?.rejected ?? 0,
    extraCells: counts.rows[0]?.extra ?? 0,
  };
}

const blocksPerPage = 20;

/** Lists the subjects of an interrupted load with their lookups, some blocks at a time. */
export async function* listSubjects(db: Sql, batchId: number): AsyncGenerator<readonly StoredSubject[]> {
  let last = 0n;
  for (;;) {
    const after = last;
    const page = await withDatabase(() =>
      db
        .select({
          operation: lookupBlocks.operation,
          firstId: lookupBlocks.firstId,
          ids: lookupBlocks.ids,
          keys: lookupBlocks.subjectKeys,
        })
        .from(lookupBlocks)
        .where(and(eq(lookupBlocks.batchId, batchId), gt(lookupBlocks.firstId, after)))
        .orderBy(lookupBlocks.firstId)
        .limit(blocksPerPage),
    );
    if (page.length === 0) return;
    yield page.flatMap(({ operation, ids, keys }) =>
      ids.map((lookupId, i) => ({ operation, key: keys[i] ?? '', lookupId })),
    );
    last = page.at(-1)?.firstId ?? last;
  }
}
