import { sql } from 'drizzle-orm';
import { Conflict } from '../../../src/core/errors.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import type { Sql } from '../../connection/client.ts';

/**
 * Removes a batch that was never loaded whole, with its rows, inside the caller's transaction. Nothing was looked up for it yet.
 *
 * @throws Conflict while somebody loads it.
 */
export async function discardBatch(db: Sql, batchId: number): Promise<void> {
  const batch = await db.execute<{ identity: Buffer; public_id: string }>(
    sql`SELECT identity, public_id FROM nightshift.batches WHERE id = ${batchId} AND state = 'loading' FOR UPDATE`,
  );
  const row = batch.rows[0];
  if (row === undefined) return;
  const free = await db.execute<{ taken: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${advisoryLocks.batchLoad}, ${row.identity.readInt32BE(0)}) AS taken`,
  );
  if (free.rows[0]?.taken !== true) {
    throw new Conflict(
      `${row.public_id} is being loaded right now. Stop that command first (Ctrl-C), then cancel the batch.`,
    );
  }
  await deleteLoading(db, batchId);
}

/** Deletes the batch and all that was loaded of it. */
export async function deleteLoading(db: Sql, batchId: number): Promise<void> {
  await db.execute(sql`DELETE FROM nightshift.batch_rows WHERE batch_id = ${batchId}`);
  await db.execute(sql`DELETE FROM nightshift.lookups WHERE batch_id = ${batchId}`);
  await db.execute(sql`DELETE FROM nightshift.batches WHERE id = ${batchId}`);
}
