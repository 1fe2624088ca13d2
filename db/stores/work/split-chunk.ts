import { eq, sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { chunks } from '../../schema/lookups.ts';
import { joinOpenOfChunkSql } from '../sql/open-lookups.ts';

/** A larger chunk is not split into single lookups at once: each of them may be a query that costs as much as all together. */
const lookupsAloneMax = 500;
/** Number of parts of a large chunk, so that most of its lookups stay together. */
const parts = 16;

/**
 * Ends a chunk that its transaction has locked: each open lookup continues in its own chunk, or in one of sixteen parts if
 * there are many, which count their own starts before they are split in turn.
 */
export async function splitChunk(db: Sql, chunkId: number, state: 'queued' | 'parked'): Promise<void> {
  const moved = await db.execute<{ lookups: number }>(
    sql`INSERT INTO nightshift.chunks (account_id, batch_id, operation, first_lookup_id, last_lookup_id, state, position,
        price_micro, attempt, lookups, split_at)
      SELECT c.account_id, c.batch_id, c.operation, min(o.id), max(o.id), ${state}, c.position, c.price_micro, c.attempt, count(*),
        clock_timestamp()
      FROM nightshift.chunks c
      JOIN (
        SELECT l.id, row_number() OVER (ORDER BY l.id) - 1 AS n, count(*) OVER () AS of_all
        FROM nightshift.chunks c ${joinOpenOfChunkSql}
        WHERE c.id = ${chunkId}
      ) o ON true
      WHERE c.id = ${chunkId}
      GROUP BY c.id, CASE WHEN o.of_all > ${lookupsAloneMax} THEN o.n * ${parts} / o.of_all ELSE o.n END
      ORDER BY min(o.id)
      RETURNING lookups`,
  );
  const movedOn = moved.rows.reduce((sum, { lookups }) => sum + lookups, 0);
  await db
    .update(chunks)
    .set({ state: 'done', token: null, leaseUntil: null, movedOn })
    .where(eq(chunks.id, chunkId));
}
