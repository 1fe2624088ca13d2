import { sql } from 'drizzle-orm';
import type { AccountInLine, BatchInLine } from '../../../src/core/work/share-chunks.ts';
import type { Sql } from '../../connection/client.ts';
import { dispatchedToSql, lastAllowedSql } from '../sql/bounds.ts';

/** A running batch as it is read. */
interface BatchRow extends Record<string, unknown> {
  readonly id: string;
  readonly account_id: string;
  readonly sources: readonly string[];
  readonly weight: number;
  readonly concurrency: number | null;
  readonly in_line: number;
  readonly last_turn: number | null;
  readonly running_turn: number | null;
  readonly has_more: boolean;
}

/** Accounts whose batches run, and the turns of their chunks. */
export interface Line {
  readonly accounts: readonly AccountInLine[];
  /** Latest turn of a chunk that runs; null without any. */
  readonly runningTurn: number | null;
  /** Sources of each batch that has more to cut, by its id. */
  readonly sources: ReadonlyMap<number, readonly string[]>;
}

/**
 * Reads the accounts in line. Batches that wait for a source or for credits are left out, with their chunks: they block no one.
 * `turnLengthOf` returns the length of a turn of a chunk of a batch with these sources beside this number of accounts.
 */
export async function readLine(
  db: Sql,
  turnLengthOf: (sources: readonly string[], accounts: number) => number,
): Promise<Line> {
  const found = await db.execute<BatchRow>(
    sql`SELECT b.id, b.account_id, b.sources, coalesce(l.weight, 1) AS weight, (
          SELECT min(s.concurrency) FROM nightshift.account_source_limits s WHERE s.account_id = b.account_id AND s.source = ANY (b.sources)
        ) AS concurrency, coalesce(c.in_line, 0)::integer AS in_line, c.last_turn,
        c.running_turn, ${dispatchedToSql} < ${lastAllowedSql} OR coalesce(c.parked, false) AS has_more
      FROM nightshift.batches b LEFT JOIN (
        SELECT batch_id, count(*) FILTER (WHERE state <> 'parked') AS in_line, bool_or(state = 'parked') AS parked,
          max(position) FILTER (WHERE state <> 'parked') AS last_turn, max(position) FILTER (WHERE state = 'running') AS running_turn
        FROM nightshift.chunks WHERE state IN ('queued', 'running', 'parked') GROUP BY batch_id
      ) c ON c.batch_id = b.id
      LEFT JOIN nightshift.account_limits l ON l.account_id = b.account_id
      WHERE b.state = 'running' AND (${dispatchedToSql} < ${lastAllowedSql} OR c.parked OR c.in_line > 0)
      ORDER BY b.id`,
  );
  const byAccount = new Map<string, BatchRow[]>();
  for (const row of found.rows)
    byAccount.set(row.account_id, [...(byAccount.get(row.account_id) ?? []), row]);
  const toBatch = (row: BatchRow): BatchInLine => ({
    batchId: Number(row.id),
    openChunks: row.in_line,
    turnLength: turnLengthOf(row.sources, byAccount.size),
  });
  return {
    accounts: [...byAccount].map(([accountId, rows]) => ({
      accountId: Number(accountId),
      weight: rows[0]?.weight ?? 1,
      openChunks: rows.reduce((sum, row) => sum + row.in_line, 0),
      openChunksMax: leastOf(rows.flatMap((row) => row.concurrency ?? [])),
      lastTurn: latestOf(rows.map((row) => row.last_turn)),
      batches: rows.filter((row) => row.has_more).map(toBatch),
    })),
    runningTurn: latestOf(found.rows.map((row) => row.running_turn)),
    sources: new Map(found.rows.filter((row) => row.has_more).map((row) => [Number(row.id), row.sources])),
  };
}

function leastOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : Math.min(...numbers);
}

function latestOf(turns: readonly (number | null)[]): number | null {
  return turns.reduce((latest, turn) => (latest === null || (turn ?? 0) > latest ? turn : latest), null);
}

/** Moves the turns of open chunks back. Queued ones get their next generation, because the queue keeps the order of a job. */
export async function rebaseTurns(db: Sql, by: number): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.chunks SET position = greatest(position - ${by}, 0),
        generation = generation + (state = 'queued' AND queued_at IS NOT NULL)::integer,
        queued_at = CASE WHEN state = 'queued' THEN NULL ELSE queued_at END
      WHERE state IN ('queued', 'running', 'parked') AND batch_id IS NOT NULL`,
  );
}
