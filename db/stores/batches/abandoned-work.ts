import { sql } from 'drizzle-orm';
import { renewEveryMs } from '../../../src/core/work/lease-keeper.ts';
import type { Sql } from '../../connection/client.ts';

/** Number of missed renewals after which a process counts as dead; on a busy machine a living one misses some. */
const missedMax = 8;

/**
 * Milliseconds until the last lease of a dead process of this batch expires, 0 if it has expired; null if all leases are being
 * renewed. Assumes that the processes have the same lease time as this one.
 */
export async function readAbandonedMs(db: Sql, batchId: number, leaseMs: number): Promise<number | null> {
  const unrenewedMs = leaseMs - Math.min(missedMax * renewEveryMs(leaseMs), leaseMs / 2);
  const { rows } = await db.execute<{ left_ms: number | null }>(
    sql`SELECT (extract(epoch FROM max(lease_until) - now()) * 1000)::double precision AS left_ms FROM nightshift.chunks
      WHERE batch_id = ${batchId} AND state = 'running'
        AND lease_until < now() + ${unrenewedMs}::double precision * interval '1 millisecond'`,
  );
  const leftMs = rows[0]?.left_ms ?? null;
  return leftMs === null ? null : Math.max(0, leftMs);
}
