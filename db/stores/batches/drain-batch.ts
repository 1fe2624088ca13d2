import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Drain } from '../../../src/core/batches/batch-control.ts';
import { operations, type Operation } from '../../../src/core/credits/price-book.ts';
import type { Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { chunks } from '../../schema/lookups.ts';
import { bigints } from '../sql/arrays.ts';
import { dispatchedToColumns } from '../sql/bounds.ts';
import { endedNowSql } from '../sql/chunk-counts.ts';
import { joinOpenOfChunkSql, isOpenInSql } from '../sql/open-lookups.ts';
import { releaseHolds } from '../credits/ledger.ts';

/** Maximum chunks per step, and lookups that were never in a chunk: a step stays short. */
const chunksPerStep = 20;
const lookupsPerStep = 10_000;

/** Drains a paused or cancelled batch by one step, in the caller's transaction. See `BatchControl.drain`. */
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

/** Batches that were paused or cancelled and are not drained. */
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
  readonly dispatchedTo: Readonly<Record<Operation, bigint>>;
  readonly lastLookupId: bigint;
}

/** Null when there is nothing to drain: the batch was resumed, or is drained already. */
async function lockHalted(db: Sql, batchId: number): Promise<HaltedBatch | null> {
  const { accountId, state, dispatchedTo, emailsDispatchedTo, lastLookupId, finishedAt } = batches;
  const [batch] = await db
    .select({
      accountId,
      state,
      dispatchedTo: { ads_search: dispatchedTo, email_validation: emailsDispatchedTo },
      lastLookupId,
    })
    .from(batches)
    .where(and(eq(batches.id, batchId), inArray(state, ['paused', 'cancelled']), isNull(finishedAt)))
    .for('no key update');
  return batch === undefined ? null : { batchId, isCancelled: batch.state === 'cancelled', ...batch };
}

/** A chunk without a worker. */
type IdleChunk = Pick<typeof chunks.$inferSelect, 'id' | 'state'>;

function selectIdleChunks(db: Sql, { batchId, isCancelled }: HaltedBatch): Promise<readonly IdleChunk[]> {
  const { id, state, leaseUntil } = chunks;
  const isIdle = or(
    eq(state, 'queued'),
    and(eq(state, 'running'), lt(leaseUntil, sql`now()`)),
    isCancelled ? eq(state, 'parked') : undefined,
  );
  return db
    .select({ id, state })
    .from(chunks)
    .where(and(eq(chunks.batchId, batchId), isIdle))
    .orderBy(id)
    .limit(chunksPerStep)
    .for('no key update');
}

async function takeOutOfLine(db: Sql, batch: HaltedBatch, idle: readonly IdleChunk[]): Promise<void> {
  const heldFor = idle.filter(({ state }) => state !== 'parked').map(({ id }) => id);
  await releaseChunks(db, batch.accountId, heldFor);
  const ids = idle.map(({ id }) => id);
  if (batch.isCancelled) await cancelChunks(db, bigints(ids));
  else await parkChunks(db, ids);
}

/** Assigns the next generation: a queued job of the current one finds nothing to do. */
async function parkChunks(db: Sql, ids: readonly number[]): Promise<void> {
  await db
    .update(chunks)
    .set({
      state: 'parked',
      attempt: sql`${chunks.attempt} + 1`,
      generation: sql`${chunks.generation} + 1`,
      token: null,
      leaseUntil: null,
      queuedAt: null,
    })
    .where(inArray(chunks.id, ids));
}

async function releaseChunks(db: Sql, accountId: number, chunkIds: readonly number[]): Promise<void> {
  if (chunkIds.length === 0) return;
  const holds = await db.execute<{ id: string; attempt: number; price_micro: string }>(
    sql`SELECT l.id, c.attempt, c.price_micro FROM nightshift.chunks c
      ${joinOpenOfChunkSql}
      WHERE c.id = ANY (${bigints(chunkIds)}) ORDER BY l.id`,
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

/** Ends the lookups of the common table expression `open`: one that waits in a block gets its row, one that has a row is updated. */
const cancelSql = sql`INSERT INTO nightshift.lookups AS l (id, account_id, batch_id, request_id, operation, subject_key, company_domain, company_name,
    email, outcome, ended_at)
  SELECT id, account_id, batch_id, request_id, operation, subject_key, company_domain, company_name, email, 'cancelled', now()
  FROM open ORDER BY id
  ON CONFLICT (id) DO UPDATE SET outcome = 'cancelled', ended_at = now()
  RETURNING l.id`;

async function cancelChunks(db: Sql, ids: ReturnType<typeof bigints>): Promise<void> {
  await db.execute(
    sql`WITH open AS MATERIALIZED (
        SELECT c.id AS chunk_id, l.* FROM nightshift.chunks c ${joinOpenOfChunkSql}
        WHERE c.id = ANY (${ids})
      ), ended AS (${cancelSql})
      UPDATE nightshift.chunks c SET state = 'done', token = NULL, lease_until = NULL, ${endedNowSql},
        cancelled = cancelled + (SELECT count(*) FROM ended e JOIN open o USING (id) WHERE o.chunk_id = c.id)
      WHERE c.id = ANY (${ids})`,
  );
}

/** Lookups that were never dispatched end in a chunk of their own, so that the counts of the batch remain the sums over its chunks. */
async function cancelUndispatched(
  db: Sql,
  { batchId, accountId, dispatchedTo, lastLookupId }: HaltedBatch,
  operation: Operation,
): Promise<boolean> {
  const after = dispatchedTo[operation];
  if (after >= lastLookupId) return false;
  await db.execute(
    sql`WITH open AS MATERIALIZED (
        SELECT l.* FROM nightshift.open_lookups l
        WHERE ${isOpenInSql({ batchId, operation, from: after + 1n, to: lastLookupId })}
        ORDER BY l.id LIMIT ${lookupsPerStep}
      ), ended AS (${cancelSql}), chunk AS (
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

/** One statement, newer than all locks above: a chunk that was released meanwhile is seen as queued. */
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
    await db
      .update(batches)
      .set({ finishedAt: sql`now()` })
      .where(eq(batches.id, batchId));
  }
  return { kind: 'at_rest' };
}
