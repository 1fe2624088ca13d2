import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import type { BatchBounds } from '../../../src/core/batches/batch.ts';
import type { Sql } from '../../connection/client.ts';
import type { Spend } from '../../../src/core/sources/spend.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { batches, batchSpending } from '../../schema/batches.ts';
import { endedSql } from './chunk-counts.ts';
import { rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';

/** A batch whose row is locked, with its remaining bounds. */
export interface CuttableBatch {
  readonly batchId: number;
  readonly accountId: number;
  /** Last dispatched lookup of each operation. */
  readonly dispatchedTo: Readonly<Record<Operation, string>>;
  readonly lastAllowed: string;
  /** Credits that may still be held for the batch, in microcredits; null for no bound except the balance. */
  readonly roomMicro: bigint | null;
}

/** The last lookup that batch `b` may work on now. */
export const lastAllowedSql = sql`least(b.last_lookup_id, b.limit_lookup_id)`;

/** Column of a batch's last dispatched lookup, by operation. */
export const dispatchedToColumns: Readonly<Record<Operation, SQL>> = {
  ads_search: sql`dispatched_to`,
  email_validation: sql`emails_dispatched_to`,
};

/** Last lookup of batch `b` that is dispatched for all operations. */
export const dispatchedToSql = sql`least(b.dispatched_to, b.emails_dispatched_to)`;

/** Credits that batch `b` has been charged, and those held for its open lookups; microcredits. */
export const committedSql = sql`(
  SELECT coalesce(sum(c.charged_micro + CASE WHEN c.state IN ('queued', 'running')
    THEN (c.lookups - ${endedSql} - c.moved_on) * c.price_micro ELSE 0 END), 0)
  FROM nightshift.chunks c WHERE c.batch_id = b.id)`;

/** The last lookup that the first rows of batch `b` name: lookups are numbered in the order of the rows. */
export const limitLookupSql = sql`(
  SELECT coalesce(max(greatest(r.ads_lookup_id, r.email_lookup_id)), 0) FROM nightshift.batch_rows r
  WHERE r.batch_id = b.id AND r.block_no <= (b.limit_rows - 1) / ${rowsPerBlock} AND r.row_no <= b.limit_rows)`;

/** Sets the bounds of a batch. A batch that was paused by an earlier limit resumes if the new one allows more. */
export async function setBounds(db: Sql, batchId: number, bounds: BatchBounds): Promise<void> {
  const reached = await db.execute(
    sql`SELECT 1 FROM nightshift.batches b WHERE b.id = ${batchId} AND ${limitReachedSql} FOR NO KEY UPDATE`,
  );
  const { limitRows, maxCreditsMicro, maxSpend = null } = bounds;
  await db.update(batches).set({ limitRows, maxCreditsMicro }).where(eq(batches.id, batchId));
  await setMaxSpend(db, batchId, maxSpend);
  await db.execute(
    sql`UPDATE nightshift.batches b SET limit_lookup_id = CASE WHEN limit_rows IS NOT NULL THEN ${limitLookupSql} END
      WHERE id = ${batchId}`,
  );
  if (reached.rows.length === 0) return;
  await db.execute(
    sql`UPDATE nightshift.batches b SET state = 'running', state_reason = NULL, state_since = now()
      WHERE b.id = ${batchId} AND ${dispatchedToSql} < ${lastAllowedSql}`,
  );
}

/**
 * Sets the maximum cost of a batch at its sources. The calls of earlier runs count. So do those that end just now: their ends hold the lock in
 * shared mode, and have either been summed up here, or see the bound.
 */
async function setMaxSpend(db: Sql, batchId: number, spend: Spend | null): Promise<void> {
  const { batchId: batch, currency } = batchSpending;
  if (spend === null) {
    await db.delete(batchSpending).where(eq(batch, batchId));
    return;
  }
  const { rowCount } = await db
    .update(batchSpending)
    .set({ amount: spend.amount })
    .where(and(eq(batch, batchId), eq(currency, spend.currency)));
  if (rowCount !== 0) return;
  await db.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.batchSpending})`);
  await db.execute(
    sql`INSERT INTO nightshift.batch_spending (batch_id, amount, currency, spent)
      SELECT ${batchId}, ${spend.amount}::numeric, ${spend.currency}, nightshift.spent_by_batch(${batchId})
      ON CONFLICT (batch_id) DO UPDATE SET amount = excluded.amount, spent = excluded.spent, currency = excluded.currency`,
  );
}

/** Bound of the cost of batch `b` at its sources, as `maxSpendOf` reads it. */
export const maxSpendSql = sql`(
  SELECT jsonb_build_object('amount', s.amount::text, 'currency', s.currency) FROM nightshift.batch_spending s WHERE s.batch_id = b.id)`;

/** Row of `maxSpendSql`. */
export type MaxSpendRow = Spend | null;

/** Converts the row of a bound to a part of `BatchBounds`. */
export function maxSpendOf(row: MaxSpendRow): Pick<BatchBounds, 'maxSpend'> {
  return row === null ? {} : { maxSpend: row };
}

/** Condition that batch `b` is paused because everything within its limit is done. */
export const limitReachedSql = sql`(b.state = 'paused' AND coalesce(${dispatchedToSql} >= b.limit_lookup_id, false))`;
