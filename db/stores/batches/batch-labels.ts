import { and, eq, isNull, sql } from 'drizzle-orm';
import { isFinal } from '../../../src/core/batches/batch.ts';
import type { BatchLabelChanges } from '../../../src/core/batches/batch-labels.ts';
import { Conflict } from '../../../src/core/errors.ts';
import type { Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { noSuchBatch } from './batch-summaries.ts';

/** Changes name, tags and archive of a batch. @throws NotFound */
export async function labelBatch(
  db: Sql,
  accountId: number,
  publicId: string,
  { name, tags, archived }: BatchLabelChanges,
): Promise<void> {
  const archivedAt = archived === true ? sql`coalesce(${batches.archivedAt}, now())` : null;
  const changed = await db
    .update(batches)
    .set({
      // An update needs at least one column.
      accountId,
      ...(name === undefined ? {} : { name }),
      ...(tags === undefined ? {} : { tags: [...tags] }),
      ...(archived === undefined ? {} : { archivedAt }),
    })
    .where(and(eq(batches.accountId, accountId), eq(batches.publicId, publicId), isNull(batches.deletedAt)))
    .returning({ id: batches.id });
  if (changed.length === 0) throw noSuchBatch(publicId);
}

/** Deletes an ended batch from every list; see `BatchStore.delete`. In the caller's transaction. @throws NotFound | Conflict */
export async function deleteBatch(db: Sql, accountId: number, publicId: string): Promise<void> {
  const { id, state, deletedAt } = batches;
  const [batch] = await db
    .select({ id, state, isNeeded: sql`nightshift.is_needed_scan(${id})`.mapWith(Boolean) })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), eq(batches.publicId, publicId), isNull(deletedAt)))
    .for('update');
  if (batch === undefined) throw noSuchBatch(publicId);
  if (!isFinal(batch.state)) {
    throw new Conflict(`${publicId} is ${batch.state}. Cancel it first, or wait until it is finished.`);
  }
  if (batch.isNeeded) {
    throw new Conflict(
      `${publicId} is the last scan of a schedule, to which the next scan is compared. Remove the schedule first, or archive the batch.`,
    );
  }
  // The same file creates a new batch.
  await db
    .update(batches)
    .set({ deletedAt: sql`now()`, isCurrent: false })
    .where(eq(batches.id, batch.id));
}
