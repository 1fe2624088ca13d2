import { personalPauseKinds } from '../../../src/core/work/pause.ts';
import { sql } from 'drizzle-orm';
import type { BatchState } from '../../../src/core/batches/batch.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { resumedSql } from '../sql/resumed.ts';

/** Resumes a batch in one of these states for a user, and lets its sources be probed. */
export async function resumeBatch(db: Sql, batchId: number, from: readonly BatchState[]): Promise<void> {
  await probeSources(db, batchId, from);
  await continueBatch(db, batchId, from);
}

/**
 * Lets the sources of a batch in one of these states be probed at once if they rejected the key: the user has presumably fixed the cause, and
 * one call finds out. In a transaction that also locks the bound of cost of a batch, it comes before, as for calls that begin and end.
 */
export async function probeSources(db: Sql, batchId: number, from: readonly BatchState[]): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.source_states s SET paused_until = now()
      FROM (
        SELECT o.bucket FROM nightshift.source_states o JOIN nightshift.batches b ON o.source = ANY (b.sources)
        WHERE b.id = ${batchId} AND b.state = ANY (${texts(from)}) AND o.pause_kind = ANY (${texts(personalPauseKinds)})
          AND o.paused_until > now()
        ORDER BY o.bucket FOR NO KEY UPDATE OF o
      ) held
      WHERE s.bucket = held.bucket`,
  );
}

/** Resumes a batch in one of these states. */
export async function continueBatch(db: Sql, batchId: number, from: readonly BatchState[]): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.batches SET ${resumedSql} WHERE id = ${batchId} AND state = ANY (${texts(from)})`,
  );
}
