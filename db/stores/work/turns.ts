import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { bigints, ints } from '../sql/arrays.ts';

/** Position of a chunk that has no turn: it gets one with the next chunks of its batch. */
const noTurn = -1;

/** Condition that chunk `c` has a turn. */
export const hasTurnSql = sql`c.position > ${sql.raw(String(noTurn))}`;

/** Condition that chunk `c` runs or could run: it has a turn, and does not wait for a later time. */
export const isOpenSql = sql`(c.state = 'running' OR (c.state = 'queued' AND ${hasTurnSql} AND c.due_at <= now()))`;

/** Turns that were withdrawn from an account. */
export interface Withdrawn {
  readonly accountId: number;
  /** The earliest one. */
  readonly from: number;
  /** Chunks that were open. */
  readonly chunks: number;
}

/** Withdraws the turns of batches that do not run: when they run again, the others are further on, or have begun anew. */
export function withdrawTurnsOfWaiting(db: Sql): Promise<readonly Withdrawn[]> {
  return withdrawTurns(db, sql`b.state <> 'running'`);
}

/** Withdraws the turns of chunks of these accounts that could run and do not. */
export function withdrawTurnsOf(db: Sql, accountIds: readonly number[]): Promise<readonly Withdrawn[]> {
  return withdrawTurns(
    db,
    sql`b.state = 'running' AND c.state = 'queued' AND c.due_at <= now() AND c.account_id = ANY (${bigints(accountIds)})`,
  );
}

/**
 * Queued chunks get their next generation, because the queue keeps the order of a job. One that runs continues, and gets a turn if it is
 * released. A chunk that is locked is left to the next round: a worker takes it just now.
 */
async function withdrawTurns(db: Sql, which: SQL): Promise<readonly Withdrawn[]> {
  const { rows } = await db.execute<{ account_id: string; turn: number | null; chunks: number }>(
    sql`WITH held AS MATERIALIZED (
        SELECT c.id, c.position, ${isOpenSql} AND b.state = 'running' AS was_open
        FROM nightshift.chunks c JOIN nightshift.batches b ON b.id = c.batch_id
        WHERE c.state IN ('queued', 'running') AND ${hasTurnSql} AND ${which}
        FOR NO KEY UPDATE OF c SKIP LOCKED
      ), withdrawn AS (
        UPDATE nightshift.chunks c SET position = ${noTurn}, ${nextGenerationSql} FROM held WHERE c.id = held.id
        RETURNING c.account_id, c.state, held.position, held.was_open
      )
      SELECT account_id, min(position) FILTER (WHERE state = 'queued') AS turn, count(*) FILTER (WHERE was_open)::integer AS chunks
      FROM withdrawn GROUP BY account_id`,
  );
  return rows.flatMap(({ account_id, turn, chunks }) =>
    turn === null ? [] : [{ accountId: Number(account_id), from: turn, chunks }],
  );
}

/** Gives these turns to queued chunks of a batch that have none, oldest first. Returns the number of chunks. */
export async function placeChunks(db: Sql, batchId: number, turns: readonly number[]): Promise<number> {
  const placed = await db.execute(
    sql`UPDATE nightshift.chunks c SET position = t.turn
      FROM (
        SELECT id, row_number() OVER (ORDER BY id) AS n FROM nightshift.chunks c
        WHERE batch_id = ${batchId} AND state = 'queued' AND NOT ${hasTurnSql}
      ) q JOIN unnest(${ints(turns)}) WITH ORDINALITY AS t(turn, n) USING (n)
      WHERE c.id = q.id AND c.state = 'queued' AND NOT ${hasTurnSql}`,
  );
  return placed.rowCount ?? 0;
}

/** Moves the turns of open chunks back. */
export async function rebaseTurns(db: Sql, by: number): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.chunks c SET position = greatest(position - ${by}, 0), ${nextGenerationSql}
      WHERE state IN ('queued', 'running') AND batch_id IS NOT NULL AND ${hasTurnSql}`,
  );
}

/** Assigns the next generation to a chunk that is in the queue, which keeps the order of a job. */
const nextGenerationSql = sql`generation = c.generation + (c.state = 'queued' AND c.queued_at IS NOT NULL)::integer,
  queued_at = CASE WHEN c.state = 'queued' THEN NULL ELSE c.queued_at END`;
