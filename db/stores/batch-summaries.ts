import { sql, type SQL } from 'drizzle-orm';
import type { BatchState, BatchSummary } from '../../src/core/batch/batch.ts';
import { NotFound } from '../../src/core/errors.ts';
import type { Sql } from '../client.ts';
import { limitReachedSql } from './bounds.ts';
import { priceNowSql } from './price-book.ts';

interface SummaryRow extends Record<string, unknown> {
  readonly id: string;
  readonly public_id: string;
  readonly account_id: string;
  readonly file_name: string;
  readonly state: BatchState;
  readonly state_reason: string | null;
  readonly sources: readonly string[];
  readonly rows_total: number;
  readonly rows_rejected: number;
  readonly lookups_total: number;
  readonly found: number;
  readonly none: number;
  readonly no_match: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly charged_micro: string;
  readonly limit_rows: number | null;
  readonly limit_reached: boolean;
  readonly max_credits_micro: string | null;
  readonly open_price_micro: string;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/**
 * One batch with its counts. They are summed over its chunks, a few thousand at a million rows, so that a progress line can ask
 * once a second; `verify` holds them against the lookups themselves.
 */
export async function readSummary(
  db: Sql,
  accountId: number | null,
  publicId: string,
): Promise<BatchSummary> {
  const ofAccount = accountId === null ? sql`true` : sql`b.account_id = ${accountId}`;
  const rows = await selectSummaries(db, sql`${ofAccount} AND b.public_id = ${publicId}`, 1);
  const row = rows[0];
  if (row === undefined) {
    throw new NotFound(`There is no batch ${publicId}. \`nightshift status\` lists the batches there are.`);
  }
  return row;
}

/** The newest batches of an account, newest first, before the one that is named. */
export async function listSummaries(
  db: Sql,
  accountId: number,
  limit: number,
  before?: string,
): Promise<readonly BatchSummary[]> {
  const ofAccount = sql`b.account_id = ${accountId}`;
  if (before === undefined) return selectSummaries(db, ofAccount, limit);
  const { batchId } = await readSummary(db, accountId, before);
  return selectSummaries(db, sql`${ofAccount} AND b.id < ${batchId}`, limit);
}

async function selectSummaries(db: Sql, condition: SQL, limit: number): Promise<readonly BatchSummary[]> {
  const result = await db.execute<SummaryRow>(
    sql`SELECT b.id, b.public_id, b.account_id, b.file_name, b.state, b.state_reason, b.sources, b.rows_total,
        b.rows_rejected, b.lookups_total, b.created_at, b.finished_at, c.*,
        b.limit_rows, ${limitReachedSql} AS limit_reached, b.max_credits_micro,
        (${priceNowSql('ads_search')}) AS open_price_micro
      FROM nightshift.batches b CROSS JOIN LATERAL (
        SELECT coalesce(sum(found), 0)::integer AS found, coalesce(sum(none), 0)::integer AS none,
          coalesce(sum(no_match), 0)::integer AS no_match, coalesce(sum(failed), 0)::integer - b.retried AS failed,
          coalesce(sum(cancelled), 0)::integer AS cancelled, coalesce(sum(charged_micro), 0)::bigint AS charged_micro
        FROM nightshift.chunks WHERE batch_id = b.id
      ) c
      WHERE ${condition} ORDER BY b.id DESC LIMIT ${limit}`,
  );
  return result.rows.map(toSummary);
}

function toSummary(row: SummaryRow): BatchSummary {
  const { found, none, no_match, failed, cancelled } = row;
  const open = row.lookups_total - found - none - no_match - failed - cancelled;
  return {
    batchId: Number(row.id),
    publicId: row.public_id,
    accountId: Number(row.account_id),
    fileName: row.file_name,
    state: row.state,
    stateReason: row.state_reason,
    sources: row.sources,
    rows: { total: row.rows_total, rejected: row.rows_rejected },
    lookups: { total: row.lookups_total, found, none, no_match, failed, cancelled, open },
    chargedMicro: BigInt(row.charged_micro),
    ceilingMicro: BigInt(row.open_price_micro) * BigInt(row.lookups_total),
    bounds: {
      limitRows: row.limit_rows,
      maxCreditsMicro: row.max_credits_micro === null ? null : BigInt(row.max_credits_micro),
    },
    isLimitReached: row.limit_reached,
    createdAt: new Date(row.created_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
  };
}
