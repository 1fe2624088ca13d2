import { personalPauseKinds } from '../../../src/core/work/pause.ts';
import { sql } from 'drizzle-orm';
import type { BatchState } from '../../../src/core/batches/batch.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { resumedSql } from '../sql/resumed.ts';

/**
 * Resumes a batch in one of these states for a user. Its sources that rejected the key may be probed at once: the user has
 * presumably fixed the cause, and one call finds out.
 */
export async function resumeBatch(db: Sql, batchId: number, from: readonly BatchState[]): Promise<void> {
  await db.execute(
    sql`WITH moved AS (
        UPDATE nightshift.batches SET ${resumedSql}
        WHERE id = ${batchId} AND state = ANY (${texts(from)}) RETURNING sources
      )
      UPDATE nightshift.source_states s SET paused_until = now() FROM moved
      WHERE s.source = ANY (moved.sources) AND s.pause_kind = ANY (${texts(personalPauseKinds)}) AND s.paused_until > now()`,
  );
}
