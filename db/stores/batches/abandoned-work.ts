import { sql } from 'drizzle-orm';
import { renewEveryMs } from '../../../src/core/work/lease-keeper.ts';
import type { Sql } from '../../connection/client.ts';

/** A process whose leases have missed so many renewals counts as gone. */
const missedMax = 2.5;

/**
 * Milliseconds until the last lease lapses that a process of this batch left behind, 0 for one that has lapsed; null when all are being
 * renewed. The processes are taken to have the same lease time as this one.
 */
export async function readAbandonedMs(db: Sql, batchId: number, leaseMs: number): Promise<number | null> {
  const unrenewedMs = leaseMs - missedMax * renewEveryMs(leaseMs);
  const { rows } = await db.execute<{ left_ms: number | null }>(
    sql`SELECT (extract(epoch FROM max(lease_until) - now()) * 1000)::double precision AS left_ms FROM nightshift.chunks
      WHERE batch_id = ${batchId} AND state = 'running'
        AND lease_until < now() + ${unrenewedMs}::double precision * interval '1 millisecond'`,
  );
  const leftMs = rows[0]?.left_ms ?? null;
  return leftMs === null ? null : Math.max(0, leftMs);
}
