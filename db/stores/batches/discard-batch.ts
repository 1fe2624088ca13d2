import { and, eq, sql } from 'drizzle-orm';
import { Conflict } from '../../../src/core/errors.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import type { Sql } from '../../connection/client.ts';
import { batches, rowBlocks } from '../../schema/batches.ts';
import { lookupBlocks } from '../../schema/lookups.ts';

/**
 * Removes a batch that was never loaded completely, with its rows, in the caller's transaction. Nothing was looked up for it.
 *
 * @throws Conflict while a process loads it.
 */
export async function discardBatch(db: Sql, batchId: number): Promise<void> {
  const { identity, publicId } = batches;
  const [batch] = await db
    .select({ identity, publicId })
    .from(batches)
    .where(and(eq(batches.id, batchId), eq(batches.state, 'loading')))
    .for('update');
  if (batch === undefined) return;
  const free = await db.execute<{ taken: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${advisoryLocks.batchLoad}, ${batch.identity.readInt32BE(0)}) AS taken`,
  );
  if (free.rows[0]?.taken !== true) {
    throw new Conflict(
      `${batch.publicId} is being loaded right now. Stop that command first (Ctrl-C), then cancel the batch.`,
    );
  }
  await deleteLoading(db, batchId);
}

/** Removes a batch that its own process loads. Does nothing if it is loaded already. */
export async function discardLoading(db: Sql, batchId: number): Promise<void> {
  const [found] = await db
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.id, batchId), eq(batches.state, 'loading')))
    .for('update');
  if (found !== undefined) await deleteLoading(db, batchId);
}

/** Deletes the batch and everything that was loaded. */
async function deleteLoading(db: Sql, batchId: number): Promise<void> {
  await db.delete(rowBlocks).where(eq(rowBlocks.batchId, batchId));
  await db.delete(lookupBlocks).where(eq(lookupBlocks.batchId, batchId));
  await db.delete(batches).where(eq(batches.id, batchId));
}
