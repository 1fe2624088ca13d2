import { sql } from 'drizzle-orm';
import type { Drain } from '../../../src/core/batches/batch-control.ts';
import type { BatchState } from '../../../src/core/batches/batch.ts';
import { operations, type Operation } from '../../../src/core/credits/price-book.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../sql/arrays.ts';
import { dispatchedToColumns } from '../sql/bounds.ts';
import { endedNowSql } from '../sql/chunk-counts.ts';
import { isInChunkSql } from '../sql/is-in-chunk.ts';
import { releaseHolds } from '../credits/ledger.ts';

/** Chunks per step, and lookups that were never in one: a step stays short. */
const chunksPerStep = 20;
const lookupsPerStep = 10_000;

/** One step of bringing a paused or cancelled batch to rest; the caller's transaction. See `BatchControl.windDown`. */
export async function drain(db: Sql, batchId: number): Promise<Drain> {
  const batch = await lockHalted(db, batchId);
  if (batch === null) return { kind: 'at_rest' };
  const idle = await selectIdleChunks(db, batch);
  if (idle.length > 0) {
    await takeOutOfLine(db, batch, idle);
    return { kind: 'more' };
  }
  for (const operation of operations)
    if (batch.isCancelled && (await cancelUndispatched(db, batch, operation))) return { kind: 'more' };
  return restOrWait(db, batch);
}

/** Batches that were paused or cancelled and are not at rest. */
export async function listUnsettled(db: Sql): Promise<readonly number[]> {
  const rows = await db.execute<{ id: string }>(
    sql`SELECT b.id FROM nightshift.batches b
      WHERE (b.state = 'cancelled' AND b.finished_at IS NULL) OR (b.state = 'paused' AND EXISTS (
        SELECT 1 FROM nightshift.chunks c WHERE c.batch_id = b.id
          AND (c.state = 'queued' OR (c.state = 'running' AND c.lease_until < now()))))
      ORDER BY b.id`,
  );
  return rows.rows.map((row) => Number(row.id));
}

interface HaltedBatch {
  readonly batchId: number;
  readonly accountId: number;
  readonly isCancelled: boolean;
  readonly dispatchedTo: Readonly<Record<Operation, string>>;
  readonly lastLookupId: string;
}

/** Null when there is nothing to bring to rest: somebody resumed the batch, or it rests already. */
async function lockHalted(db: Sql, batchId: number): Promise<HaltedBatch | null> {
  const rows = await db.execute<{
    account_id: string;
    state: BatchState;
    dispatched_to: string;
    emails_dispatched_to: string;
    last_lookup_id: string;
  }>(
    sql`SELECT account_id, state, dispatched_to, emails_dispatched_to, last_lookup_id FROM nightshift.batches
      WHERE id = ${batchId} AND state IN ('paused', 'cancelled') AND finished_at IS NULL FOR NO KEY UPDATE`,
  );
  const row = rows.rows[0];
  if (row === undefined) return null;
  return {
    batchId,
    accountId: Number(row.account_id),
    isCancelled: row.state === 'cancelled',
    dispatchedTo: { ads_search: row.dispatched_to, email_validation: row.emails_dispatched_to },
    lastLookupId: row.last_lookup_id,
  };
}

/** A chunk that nobody works on. */
interface IdleChunk {
  readonly chunkId: number;
  readonly isHeldFor: boolean;
}

async function selectIdleChunks(
  db: Sql,
  { batchId, isCancelled }: HaltedBatch,
): Promise<readonly IdleChunk[]> {
  const rows = await db.execute<{ id: string; is_held_for: boolean }>(
    sql`SELECT id, state <> 'parked' AS is_held_for FROM nightshift.chunks
      WHERE batch_id = ${batchId} AND (state = 'queued' OR (state = 'running' AND lease_until < now())
        OR (state = 'parked' AND ${isCancelled}))
      ORDER BY id LIMIT ${chunksPerStep} FOR NO KEY UPDATE`,
  );
  return rows.rows.map((row) => ({ chunkId: Number(row.id), isHeldFor: row.is_held_for }));
}

async function takeOutOfLine(db: Sql, batch: HaltedBatch, idle: readonly IdleChunk[]): Promise<void> {
  const heldFor = idle.filter(({ isHeldFor }) => isHeldFor).map(({ chunkId }) => chunkId);
  await releaseChunks(db, batch.accountId, heldFor);
  const ids = bigints(idle.map(({ chunkId }) => chunkId));
  if (batch.isCancelled) await cancelChunks(db, ids);
  else {
    // The next generation: a job of this one that is still in the queue finds nothing to do.
    await db.execute(
      sql`UPDATE nightshift.chunks SET state = 'parked', attempt = attempt + 1, generation = generation + 1, token = NULL,
          lease_until = NULL, queued_at = NULL
        WHERE id = ANY (${ids})`,
    );
  }
}

async function releaseChunks(db: Sql, accountId: number, chunkIds: readonly number[]): Promise<void> {
  if (chunkIds.length === 0) return;
  const holds = await db.execute<{ id: string; attempt: number; price_micro: string }>(
    sql`SELECT l.id, c.attempt, c.price_micro FROM nightshift.chunks c
      JOIN nightshift.lookups l ON ${isInChunkSql}
      WHERE c.id = ANY (${bigints(chunkIds)}) AND l.outcome IS NULL ORDER BY l.id`,
  );
  await releaseHolds(
    db,
    accountId,
    holds.rows.map((row) => ({
      lookupId: BigInt(row.id),
      attempt: row.attempt,
      amountMicro: BigInt(row.price_micro),
    })),
  );
}

async function cancelChunks(db: Sql, ids: ReturnType<typeof bigints>): Promise<void> {
  await db.execute(
    sql`WITH ended AS (
        UPDATE nightshift.lookups l SET outcome = 'cancelled', ended_at = now()
        FROM nightshift.chunks c
        WHERE c.id = ANY (${ids}) AND ${isInChunkSql}
          AND l.outcome IS NULL
        RETURNING c.id AS chunk_id
      )
      UPDATE nightshift.chunks c SET state = 'done', token = NULL, lease_until = NULL, ${endedNowSql},
        cancelled = cancelled + (SELECT count(*) FROM ended e WHERE e.chunk_id = c.id)
      WHERE c.id = ANY (${ids})`,
  );
}

/** Lookups that were never dispatched end in a chunk of their own, so that the batch's counts stay the sums over its chunks. */
async function cancelUndispatched(
  db: Sql,
  { batchId, accountId, dispatchedTo, lastLookupId }: HaltedBatch,
  operation: Operation,
): Promise<boolean> {
  const after = dispatchedTo[operation];
  if (BigInt(after) >= BigInt(lastLookupId)) return false;
  await db.execute(
    sql`WITH ended AS (
        UPDATE nightshift.lookups SET outcome = 'cancelled', ended_at = now() WHERE id IN (
          SELECT id FROM nightshift.lookups
          WHERE id > ${after} AND id <= ${lastLookupId} AND batch_id = ${batchId} AND operation = ${operation}
            AND outcome IS NULL
          ORDER BY id LIMIT ${lookupsPerStep})
        RETURNING id
      ), chunk AS (
        INSERT INTO nightshift.chunks (account_id, batch_id, operation, first_lookup_id, last_lookup_id, lookups, cancelled,
          state, price_micro, first_ended_at, last_ended_at)
        SELECT ${accountId}, ${batchId}, ${operation}, min(id), max(id), count(*), count(*), 'done', 0, now(), now() FROM ended
        HAVING count(*) > 0
        RETURNING last_lookup_id
      )
      UPDATE nightshift.batches
      SET ${dispatchedToColumns[operation]} = coalesce((SELECT last_lookup_id FROM chunk), ${lastLookupId})
      WHERE id = ${batchId}`,
  );
  return true;
}

/** One statement, newer than all locks above: a chunk that was given back meanwhile shows as queued. */
async function restOrWait(db: Sql, { batchId, isCancelled }: HaltedBatch): Promise<Drain> {
  const counts = await db.execute<{ running: number; idle: number }>(
    sql`SELECT count(*) FILTER (WHERE state = 'running')::integer AS running,
        count(*) FILTER (WHERE state = 'queued')::integer AS idle
      FROM nightshift.chunks WHERE batch_id = ${batchId} AND state IN ('queued', 'running')`,
  );
  const { running = 0, idle = 0 } = counts.rows[0] ?? {};
  if (idle > 0) return { kind: 'more' };
  if (running > 0) return { kind: 'calls', chunks: running };
  if (isCancelled) {
    await db.execute(sql`UPDATE nightshift.batches SET finished_at = now() WHERE id = ${batchId}`);
  }
  return { kind: 'at_rest' };
}
