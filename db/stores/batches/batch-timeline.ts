import { and, eq, gt, sql } from 'drizzle-orm';
import type { BatchPace, BatchTimeline, TimelineEntry } from '../../../src/core/batches/batch-timeline.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { apiKeys } from '../../schema/access.ts';
import { batchEvents } from '../../schema/batches.ts';
import { users } from '../../schema/users.ts';

/** Timelines of batches, which a trigger on their state writes, and throughput, from the lookups. */
export function createBatchTimeline(db: Sql): BatchTimeline {
  return {
    list: (batchId, limit, afterId) => withDatabase(() => listEntries(db, batchId, limit, afterId)),
    readPace: (batchId) => withDatabase(() => readPace(db, batchId)),
  };
}

async function listEntries(
  db: Sql,
  batchId: number,
  limit: number,
  afterId: bigint,
): Promise<readonly TimelineEntry[]> {
  const { id, event, at, reason, waitKind, actor: by, retried, times, lastAt, endedAt } = batchEvents;
  const entries = await db
    .select({
      entry: { id, event, at, reason, waitKind, by, retried, times, lastAt, endedAt },
      key: apiKeys.name,
      user: users.login,
    })
    .from(batchEvents)
    .leftJoin(apiKeys, eq(apiKeys.publicId, by))
    .leftJoin(users, eq(users.publicId, by))
    .where(and(eq(batchEvents.batchId, batchId), gt(id, afterId)))
    .orderBy(id)
    .limit(limit);
  return entries.map(({ entry, key, user }) => ({ ...entry, byName: key ?? user }));
}

/** Maximum number of chunks to read, newest first; a slow source ends a chunk every few minutes. */
const chunksMax = 40;
const secondsMax = 300;

/** Lookups are found through the ranges of their chunks: an index on their end would cost every commit. */
async function readPace(db: Sql, batchId: number): Promise<BatchPace | null> {
  const found = await db.execute<{ ended: number; seconds: number | null }>(
    sql`WITH recent AS (
        SELECT first_lookup_id, last_lookup_id, operation FROM nightshift.chunks
        WHERE batch_id = ${batchId} AND state IN ('running', 'done') ORDER BY id DESC LIMIT ${chunksMax}
      ), ended AS (
        SELECT l.ended_at, b.state_since FROM nightshift.batches b, recent c
        JOIN nightshift.lookups l ON l.id BETWEEN c.first_lookup_id AND c.last_lookup_id
          AND l.batch_id = ${batchId} AND l.operation = c.operation
        WHERE b.id = ${batchId} AND b.state = 'running'
          AND l.ended_at > greatest(now() - ${secondsMax} * interval '1 second', b.state_since)
      )
      SELECT count(*)::integer AS ended, extract(epoch FROM now() - CASE
          WHEN (SELECT count(*) FROM recent) < ${chunksMax}
            THEN greatest(now() - ${secondsMax} * interval '1 second', min(state_since))
          ELSE min(ended_at) END)::float8 AS seconds
      FROM ended`,
  );
  const { ended = 0, seconds = null } = found.rows[0] ?? {};
  return ended === 0 || seconds === null || seconds <= 0 ? null : { ended, seconds };
}
