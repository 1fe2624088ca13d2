import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { committedSql } from '../sql/bounds.ts';
import { priceNowSql } from '../sql/price-book.ts';

/** Finishes scans `n` whose batch has finished, and reopens those whose batch was retried. */
export async function settleScans(db: Sql, condition: SQL): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.scans n SET state = b.state, finished_at = b.finished_at FROM nightshift.batches b
      WHERE b.id = n.batch_id AND n.state = 'running' AND b.state IN ('finished', 'cancelled') AND b.finished_at IS NOT NULL
        AND ${condition}`,
  );
  // The results of a retry are evaluated when it has ended: `retried_at`.
  await db.execute(
    sql`UPDATE nightshift.scans n SET state = 'running', finished_at = NULL FROM nightshift.batches b
      WHERE b.id = n.batch_id AND n.state = 'finished' AND b.state NOT IN ('finished', 'cancelled') AND ${condition}`,
  );
}

/**
 * Ends scans whose budget is used up: the remaining companies are cancelled, free of charge. Otherwise the batch would wait
 * forever for its own budget, and block all later scans.
 */
export async function cancelSpentScans(db: Sql): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.batches b SET state = 'cancelled', state_reason = 'the budget of the scan is spent', state_since = now()
      FROM nightshift.scans n
      WHERE n.batch_id = b.id AND n.state = 'running' AND b.state = 'waiting_for_credits'
        AND b.max_credits_micro < (${priceNowSql('ads_search')}) + ${committedSql}
        AND NOT EXISTS (SELECT 1 FROM nightshift.chunks c WHERE c.batch_id = b.id AND c.state IN ('queued', 'running'))`,
  );
}
