import { sql } from 'drizzle-orm';
import type { Scan, ScanCause, ScanState } from '../../../src/core/schedules/schedule.ts';

/** A scan, as `scanColumnsSql` selects it. */
export interface ScanRow extends Record<string, unknown> {
  readonly id: string;
  readonly public_id: string;
  readonly due_at: string;
  readonly cause: ScanCause;
  readonly state: ScanState;
  readonly reason: string | null;
  readonly ticks: number;
  readonly batch: string | null;
  readonly begun_at: string | null;
  readonly finished_at: string | null;
}

/** Columns of scan `n`. */
export const scanColumnsSql = sql`n.id, n.public_id, n.due_at, n.cause, n.state, n.reason, n.ticks, n.begun_at, n.finished_at,
  (SELECT b.public_id FROM nightshift.batches b WHERE b.id = n.batch_id) AS batch`;

export function toScan(row: ScanRow): Scan {
  return {
    scanId: BigInt(row.id),
    publicId: row.public_id,
    dueAt: new Date(row.due_at),
    cause: row.cause,
    state: row.state,
    reason: row.reason,
    ticks: row.ticks,
    batch: row.batch,
    begunAt: row.begun_at === null ? null : new Date(row.begun_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
  };
}
