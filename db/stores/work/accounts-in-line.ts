import { sql, type SQL } from 'drizzle-orm';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { group } from '../../../src/core/group.ts';
import type { AccountInLine, BatchInLine } from '../../../src/core/work/share-chunks.ts';
import type { ChunkBounds } from '../../../src/core/work/work-store.ts';
import type { Sql } from '../../connection/client.ts';
import { dispatchedToSql, lastAllowedSql } from '../sql/bounds.ts';
import { storeName } from './fresh-answers.ts';
import { hasTurnSql, isOpenSql } from './turns.ts';

/** A running batch as it is read. */
interface BatchRow extends Record<string, unknown> {
  readonly id: string;
  readonly account_id: string;
  readonly sources: readonly string[];
  /** True if answers of the store come before those of its sources. */
  readonly repeats: boolean;
  readonly weight: number;
  readonly concurrency: Readonly<Record<string, number>> | null;
  readonly open: number;
  readonly queued: number;
  readonly calling: number;
  readonly delayed: number;
  readonly delayed_searches: number;
  readonly out_of_line: number;
  readonly searches_out: number;
  readonly last_turn: number | null;
  readonly running_turn: number | null;
  readonly queued_turn: number | null;
  readonly delayed_turn: number | null;
  readonly searches_left: string;
  readonly emails_left: string;
}

/** Accounts whose batches run, and the turns of their chunks. */
export interface Line {
  readonly accounts: readonly AccountInLine[];
  /** Latest turn of a chunk that runs, else the earliest of one that could, else the latest of one that ran and waits; null without any. */
  readonly presentTurn: number | null;
}

/** Length of the turn of a whole chunk at weight 1, so that the turns of heavy accounts and of small chunks stay integers. */
const turnLength = 100;
/**
 * Maximum number of chunks of a batch that wait for a later time, such as for a mail server that accepts no address at first: the batch
 * continues with others, and a million rows do not become as many jobs.
 */
const delayedChunksMax = 512;
/** Chunks of companies that a batch may have whatever its share: one that runs and one that waits. */
const searchChunksMin = 2;

/** Condition that chunk `c` gets a turn with the next ones of its batch. */
const isOutOfLineSql = sql`(c.state = 'parked' OR (c.state = 'queued' AND NOT ${hasTurnSql}))`;

/** Reads the accounts in line. Batches that wait for a source or for credits are left out, with their chunks: they block no one. */
export async function readLine(db: Sql, bounds: ChunkBounds): Promise<Line> {
  const found = await db.execute<BatchRow>(
    sql`SELECT b.id, b.account_id, b.sources, b.search ->> 'ageMsMax' IS NOT NULL AS repeats, coalesce(l.weight, 1) AS weight, (
          SELECT jsonb_object_agg(s.source, s.concurrency) FROM nightshift.account_source_limits s
          WHERE s.account_id = b.account_id AND s.concurrency IS NOT NULL
        ) AS concurrency,
        coalesce(c.open, 0)::integer AS open, coalesce(c.queued, 0)::integer AS queued, coalesce(c.calling, 0)::integer AS calling,
        coalesce(c.delayed, 0)::integer AS delayed,
        coalesce(c.delayed_searches, 0)::integer AS delayed_searches, coalesce(c.out_of_line, 0)::integer AS out_of_line,
        coalesce(c.searches_out, 0)::integer AS searches_out,
        c.last_turn, c.running_turn, c.queued_turn, c.delayed_turn,
        ${leftSql(sql`b.dispatched_to`, sql`b.lookups_total - b.email_lookups_total`)} AS searches_left,
        ${leftSql(sql`b.emails_dispatched_to`, sql`b.email_lookups_total`)} AS emails_left
      FROM nightshift.batches b LEFT JOIN (
        SELECT batch_id, count(*) FILTER (WHERE ${isOpenSql}) AS open,
          count(*) FILTER (WHERE ${isOpenSql} AND state = 'queued') AS queued,
          count(*) FILTER (WHERE ${isOpenSql} AND operation = 'ads_search') AS calling,
          count(*) FILTER (WHERE state = 'queued' AND ${hasTurnSql} AND due_at > now()) AS delayed,
          count(*) FILTER (WHERE state = 'queued' AND ${hasTurnSql} AND due_at > now() AND operation = 'ads_search') AS delayed_searches,
          count(*) FILTER (WHERE ${isOutOfLineSql}) AS out_of_line,
          count(*) FILTER (WHERE ${isOutOfLineSql} AND operation = 'ads_search') AS searches_out,
          max(position) FILTER (WHERE state <> 'parked' AND ${hasTurnSql}) AS last_turn,
          max(position) FILTER (WHERE state = 'running' AND ${hasTurnSql}) AS running_turn,
          min(position) FILTER (WHERE ${isOpenSql} AND state = 'queued') AS queued_turn,
          max(position) FILTER (WHERE state = 'queued' AND ${hasTurnSql} AND due_at > now()) AS delayed_turn
        FROM nightshift.chunks c WHERE state IN ('queued', 'running', 'parked') GROUP BY batch_id
      ) c ON c.batch_id = b.id
      LEFT JOIN nightshift.account_limits l ON l.account_id = b.account_id
      WHERE b.state = 'running' AND (${dispatchedToSql} < ${lastAllowedSql} OR c.batch_id IS NOT NULL)
      ORDER BY b.id`,
  );
  const byAccount = group(found.rows, (row) => [row.account_id, row]);
  const shares = sharesOf(found.rows);
  return {
    accounts: [...byAccount].map(([accountId, rows]) => ({
      accountId: Number(accountId),
      weight: rows[0]?.weight ?? 1,
      concurrency: new Map(Object.entries(rows[0]?.concurrency ?? {})),
      lastTurn: chooseTurn(
        Math.max,
        rows.map((row) => row.last_turn),
      ),
      batches: rows.map((row) =>
        toBatch(row, bounds, { accounts: byAccount.size, share: shares.get(row) ?? 1 }),
      ),
    })),
    presentTurn:
      chooseTurn(
        Math.max,
        found.rows.map((row) => row.running_turn),
      ) ??
      chooseTurn(
        Math.min,
        found.rows.map((row) => row.queued_turn),
      ) ??
      chooseTurn(
        Math.max,
        found.rows.map((row) => row.delayed_turn),
      ),
  };
}

/** Maximum number of lookups of an operation that are not cut yet. At least one until the mark has reached the end, which finishes the batch. */
function leftSql(dispatchedTo: SQL, total: SQL): SQL {
  return sql`greatest(least(${lastAllowedSql} - ${dispatchedTo}, greatest(${total}, 1)), 0)`;
}

/** Share of each batch beside all that call the same source first: by the weight of its account, then equally. */
function sharesOf(rows: readonly BatchRow[]): ReadonlyMap<BatchRow, number> {
  const shares = new Map<BatchRow, number>();
  for (const together of group(rows, (row) => [row.sources[0], row]).values()) {
    const accounts = [...group(together, (row) => [row.account_id, row]).values()];
    const weights = accounts.reduce((sum, [row]) => sum + (row?.weight ?? 0), 0);
    for (const batches of accounts)
      for (const row of batches) shares.set(row, row.weight / weights / batches.length);
  }
  return shares;
}

/** Number of accounts in line, and the share of one of the batches of an account. */
interface Beside {
  readonly accounts: number;
  readonly share: number;
}

function toBatch(row: BatchRow, bounds: ChunkBounds, { accounts, share }: Beside): BatchInLine {
  const { sources, out_of_line, calling, delayed } = row;
  const begun = calling + row.delayed_searches + row.searches_out;
  const sizeOf = (operation: Operation) => bounds.sizeOf(operation, sources, accounts);
  const allOf = bounds.searchChunksMax?.(row.repeats ? [storeName, ...sources] : sources, accounts);
  const searchesMax = Math.max(Math.floor((allOf ?? Infinity) * share), searchChunksMin);
  const newSearches = Math.ceil(Number(row.searches_left) / sizeOf('ads_search'));
  const newChunks = {
    ads_search: Math.min(newSearches, Math.max(searchesMax - begun, 0)),
    email_validation: Math.ceil(Number(row.emails_left) / sizeOf('email_validation')),
  };
  const chunksLeft = out_of_line + newChunks.ads_search + newChunks.email_validation;
  return {
    batchId: Number(row.id),
    sources,
    openChunks: row.open,
    queuedChunks: row.queued,
    callingChunks: calling,
    chunksLeft: delayed >= delayedChunksMax ? 0 : chunksLeft,
    newChunks,
    turnLength: (turnLength * sizeOf('ads_search')) / bounds.sizeOf('ads_search', sources, 1),
  };
}

function chooseTurn(
  choose: (...turns: number[]) => number,
  turns: readonly (number | null)[],
): number | null {
  const known = turns.filter((turn) => turn !== null);
  return known.length === 0 ? null : choose(...known);
}
