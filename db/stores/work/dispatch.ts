import { randomUUID } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { DispatchStore, LapsedChunk, QueuedChunk } from '../../../src/core/work/work-store.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { chunks } from '../../schema/lookups.ts';
import { bigints, ints } from '../sql/arrays.ts';
import { committedSql, dispatchedToSql, lastAllowedSql } from '../sql/bounds.ts';
import { msAgo, msFromNow } from '../sql/moments.ts';
import { createChunkCutter } from './cut-chunks.ts';
import { priceNowSql } from '../sql/price-book.ts';
import { resumedSql } from '../sql/resumed.ts';
import { splitChunk } from './split-chunk.ts';
import { hasTurnSql, isOpenSql } from './turns.ts';
import { toClaim } from './work.ts';

/** Store of the dispatcher; every step is one statement or one transaction, and safe to repeat. */
export function createDispatchStore(db: NodePgDatabase): DispatchStore {
  const cutter = createChunkCutter(db);
  return {
    cutChunks: (options) => withDatabase(() => cutter.cut(options)),
    forgetTurns: cutter.forgetTurns,
    listUnqueued: (limit) => withDatabase(() => listUnqueued(db, limit)),
    markQueued: (chunks) => withDatabase(() => setQueuedAt(db, chunks)),
    countOpen: () => withDatabase(() => countOpen(db)),
    listWaitingLong: (olderThanMs, limit) => withDatabase(() => listWaitingLong(db, olderThanMs, limit)),
    requeue: (chunks) => withDatabase(() => requeue(db, chunks)),
    listLapsed: (limit) => withDatabase(() => listLapsed(db, limit)),
    rescue: (chunk) => withDatabase(() => rescue(db, chunk)),
    split: (chunk) => withDatabase(() => db.transaction((transaction) => split(transaction, chunk))),
    takeOver: (chunk, leaseMs) => withDatabase(() => takeOver(db, chunk, leaseMs)),
    followClock: (leaseMs) => withDatabase(() => followClock(db, leaseMs)),
    wakeBatches: () => withDatabase(() => wakeBatches(db)),
    finishBatches: () => withDatabase(() => finishBatches(db)),
  };
}

interface QueuedRow extends Record<string, unknown> {
  readonly id: string;
  readonly generation: number;
  readonly delay_ms: number;
  readonly turn: number;
  readonly is_quarantined: boolean;
}

function toQueuedChunk(row: QueuedRow): QueuedChunk {
  return {
    chunkId: Number(row.id),
    generation: row.generation,
    delayMs: Math.max(0, Math.ceil(row.delay_ms)),
    turn: row.turn,
    isQuarantined: row.is_quarantined,
  };
}

async function listUnqueued(db: Sql, limit: number): Promise<readonly QueuedChunk[]> {
  const rows = await db.execute<QueuedRow>(
    sql`SELECT c.id, c.generation, c.position AS turn, extract(epoch FROM c.due_at - now())::float8 * 1000 AS delay_ms,
        c.lookups = 1 AND c.starts > 0 AS is_quarantined
      FROM nightshift.chunks c JOIN nightshift.batches b ON b.id = c.batch_id
      WHERE c.state = 'queued' AND c.queued_at IS NULL AND ${hasTurnSql} AND b.state = 'running'
      ORDER BY c.position, c.id LIMIT ${limit}`,
  );
  return rows.rows.map(toQueuedChunk);
}

async function setQueuedAt(db: Sql, chunks: readonly QueuedChunk[]): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.chunks c SET queued_at = now()
      FROM unnest(${bigints(chunks.map((chunk) => chunk.chunkId))}, ${ints(chunks.map((chunk) => chunk.generation))})
        AS q(id, generation)
      WHERE c.id = q.id AND c.generation = q.generation AND c.state = 'queued'`,
  );
}

async function countOpen(db: Sql): Promise<number> {
  const { rows } = await db.execute<{ open: number }>(
    sql`SELECT count(*)::integer AS open FROM nightshift.chunks c JOIN nightshift.batches b ON b.id = c.batch_id
      WHERE ${isOpenSql} AND b.state = 'running'`,
  );
  return rows[0]?.open ?? 0;
}

async function listWaitingLong(db: Sql, olderThanMs: number, limit: number): Promise<readonly QueuedChunk[]> {
  const rows = await db.execute<QueuedRow>(
    sql`SELECT c.id, c.generation, c.position AS turn, 0::float8 AS delay_ms, c.lookups = 1 AND c.starts > 0 AS is_quarantined
      FROM nightshift.chunks c JOIN nightshift.batches b ON b.id = c.batch_id
      WHERE c.state = 'queued' AND b.state = 'running'
        AND greatest(c.queued_at, c.due_at) < ${msAgo(olderThanMs)}
        AND c.queued_at IS NOT NULL
      ORDER BY c.id LIMIT ${limit}`,
  );
  return rows.rows.map(toQueuedChunk);
}

async function requeue(db: Sql, chunks: readonly QueuedChunk[]): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.chunks c SET queued_at = NULL, generation = c.generation + 1
      FROM unnest(${bigints(chunks.map((chunk) => chunk.chunkId))}, ${ints(chunks.map((chunk) => chunk.generation))})
        AS q(id, generation)
      WHERE c.id = q.id AND c.generation = q.generation AND c.state = 'queued'`,
  );
}

async function listLapsed(db: Sql, limit: number): Promise<readonly LapsedChunk[]> {
  const rows = await db.execute<{
    id: string;
    token: string;
    batch_id: string | null;
    starts: number;
    lookups: number;
  }>(
    sql`SELECT id, token, batch_id, starts, lookups FROM nightshift.chunks
      WHERE state = 'running' AND lease_until < now() ORDER BY id LIMIT ${limit}`,
  );
  return rows.rows.map((row) => ({
    chunkId: Number(row.id),
    token: row.token,
    batchId: row.batch_id === null ? null : Number(row.batch_id),
    starts: row.starts,
    lookups: row.lookups,
  }));
}

/** The three functions below act only if the chunk is unchanged since it was listed: same token, lease still expired. */
function isStillLapsed(chunk: LapsedChunk) {
  const { id, token, state, leaseUntil } = chunks;
  const hasLapsed = lt(leaseUntil, sql`now()`);
  return and(eq(id, chunk.chunkId), eq(token, chunk.token), eq(state, 'running'), hasLapsed);
}

async function rescue(db: Sql, chunk: LapsedChunk): Promise<boolean> {
  const rescued = await db
    .update(chunks)
    .set({
      state: 'queued',
      token: null,
      leaseUntil: null,
      queuedAt: null,
      generation: sql`${chunks.generation} + 1`,
      dueAt: sql`now()`,
    })
    .where(isStillLapsed(chunk));
  return rescued.rowCount === 1;
}

async function split(db: Sql, chunk: LapsedChunk): Promise<boolean> {
  const [locked] = await db
    .select({ id: chunks.id })
    .from(chunks)
    .where(isStillLapsed(chunk))
    .for('no key update');
  if (locked === undefined) return false;
  await splitChunk(db, chunk.chunkId, 'queued');
  return true;
}

async function takeOver(db: Sql, chunk: LapsedChunk, leaseMs: number) {
  const token = randomUUID();
  const [taken] = await db
    .update(chunks)
    .set({ token, leaseUntil: msFromNow(leaseMs) })
    .where(isStillLapsed(chunk))
    .returning();
  return taken === undefined ? null : toClaim(db, { ...taken, token });
}

/** The moment is written this often, or each second would write a row while nothing else happens. */
const clockSeenEveryMs = 10_000;

async function followClock(db: Sql, leaseMs: number): Promise<number> {
  const { rows } = await db.execute<{ back_ms: string }>(
    sql`SELECT nightshift.follow_clock(${leaseMs}, ${clockSeenEveryMs}) AS back_ms`,
  );
  return Number(rows[0]?.back_ms);
}

/** The lowest price for which batch `b` can continue: of an operation with undispatched lookups, or of a parked chunk. */
const nextPriceSql = sql`SELECT min(amount_micro) AS amount_micro FROM (
    SELECT amount_micro FROM (${priceNowSql('ads_search')}) a WHERE b.dispatched_to < ${lastAllowedSql}
    UNION ALL
    SELECT amount_micro FROM (${priceNowSql('email_validation')}) e WHERE b.emails_dispatched_to < ${lastAllowedSql}
    UNION ALL
    SELECT k.price_micro FROM nightshift.chunks k WHERE k.batch_id = b.id AND k.state = 'parked'
  ) next`;

/** Locks the batches in the order of their ids, as a changed limit of an account does, so that the two do not deadlock. */
async function wakeBatches(db: Sql): Promise<number> {
  const woken = await db.execute(
    sql`WITH held AS MATERIALIZED (
        SELECT b.id FROM nightshift.batches b
        WHERE (b.state = 'waiting_for_source' AND coalesce(b.wait_until <= now(), true))
          OR (b.state = 'waiting_for_credits' AND EXISTS (
            SELECT 1 FROM nightshift.credit_balances c, (${nextPriceSql}) p
            WHERE c.account_id = b.account_id AND c.balance_micro >= p.amount_micro
              AND (b.max_credits_micro IS NULL OR b.max_credits_micro >= p.amount_micro + ${committedSql})))
        ORDER BY b.id FOR NO KEY UPDATE OF b
      )
      UPDATE nightshift.batches b SET ${resumedSql} FROM held WHERE b.id = held.id`,
  );
  return woken.rowCount ?? 0;
}

/** The batch is finished with its last lookup; with the last one within its limit it is paused. */
async function finishBatches(db: Sql): Promise<number> {
  const finished = await db.execute(
    sql`UPDATE nightshift.batches b SET state_since = now(),
        state = CASE WHEN ${dispatchedToSql} >= b.last_lookup_id THEN 'finished' ELSE 'paused' END,
        state_reason = CASE WHEN ${dispatchedToSql} < b.last_lookup_id
          THEN format('the first %s rows are done (--limit)', b.limit_rows) END,
        finished_at = CASE WHEN ${dispatchedToSql} >= b.last_lookup_id THEN now() END
      WHERE b.state = 'running' AND ${dispatchedToSql} >= ${lastAllowedSql} AND NOT EXISTS (
        SELECT 1 FROM nightshift.chunks c WHERE c.batch_id = b.id AND c.state <> 'done')`,
  );
  return finished.rowCount ?? 0;
}
