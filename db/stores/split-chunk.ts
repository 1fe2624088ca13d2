import { sql } from 'drizzle-orm';
import type { Sql } from '../client.ts';
import { isInChunkSql } from './is-in-chunk.ts';

/** Ends a chunk that its transaction has locked: each of its lookups that is still open goes on in a chunk of its own. */
export async function splitChunk(db: Sql, chunkId: number, state: 'queued' | 'parked'): Promise<void> {
  const alone = await db.execute(
    sql`INSERT INTO nightshift.chunks (account_id, batch_id, operation, first_lookup_id, last_lookup_id, state, position,
        price_micro, attempt, lookups)
      SELECT c.account_id, c.batch_id, c.operation, l.id, l.id, ${state}, c.position, c.price_micro, c.attempt, 1
      FROM nightshift.chunks c
      JOIN nightshift.lookups l ON ${isInChunkSql}
      WHERE c.id = ${chunkId} AND l.outcome IS NULL
      ORDER BY l.id`,
  );
  await db.execute(
    sql`UPDATE nightshift.chunks SET state = 'done', token = NULL, lease_until = NULL, moved_on = ${alone.rowCount}
      WHERE id = ${chunkId}`,
  );
}
