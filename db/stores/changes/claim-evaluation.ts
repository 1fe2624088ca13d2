import { sql } from 'drizzle-orm';
import type { SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import type { TrackSettings } from '../../../src/core/changes/observation-context.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import type { Sql } from '../../connection/client.ts';

/** A scan to evaluate, as it was when its schedule was locked. */
export interface ClaimedScan {
  readonly scanId: bigint;
  readonly publicId: string;
  readonly accountId: number;
  readonly scheduleId: number;
  readonly batchId: number;
  /** Number of earlier evaluations. */
  readonly evaluations: number;
  readonly settings: TrackSettings;
  /** Search options of the scan; null: any. */
  readonly search: SearchOptions | null;
  /** As text with full precision: it is compared again at the end. */
  readonly retriedAt: string | null;
}

/** A scan to evaluate, and the batch with its lookups. */
export interface EvaluationPlace {
  readonly scanId: string;
  readonly scheduleId: number;
  readonly batchId: number;
}

/**
 * True when scan `s` is next: it has ended, and all earlier scans of its schedule are evaluated; or it is evaluated, and failed
 * companies of it were retried since. Its batch must be drained if it was cancelled.
 */
const isItsTurnSql = sql`CASE WHEN s.evaluated_at IS NOT NULL THEN s.retried_at IS NOT NULL
    ELSE s.state IN ('finished', 'cancelled') AND NOT EXISTS (
      SELECT FROM nightshift.scans o WHERE o.schedule_id = s.schedule_id AND o.id < s.id
        AND o.state IN ('waiting', 'running', 'finished', 'cancelled') AND o.evaluated_at IS NULL) END
  AND EXISTS (SELECT FROM nightshift.batches b WHERE b.id = s.batch_id AND b.finished_at IS NOT NULL)`;

/** Scans that are next, oldest first; at most one per schedule except after a retry. */
export async function listPendingEvaluations(db: Sql, limit: number): Promise<readonly EvaluationPlace[]> {
  const { rows } = await db.execute<{ id: string; schedule_id: string; batch_id: string }>(
    sql`SELECT s.id, s.schedule_id, s.batch_id FROM nightshift.scans s
      WHERE s.id IN (
          SELECT id FROM nightshift.scans WHERE state IN ('finished', 'cancelled') AND evaluated_at IS NULL
          UNION ALL
          SELECT id FROM nightshift.scans WHERE retried_at IS NOT NULL)
        AND ${isItsTurnSql}
      ORDER BY s.id LIMIT ${limit}`,
  );
  return rows.map((row) => ({
    scanId: row.id,
    scheduleId: Number(row.schedule_id),
    batchId: Number(row.batch_id),
  }));
}

interface TurnRow extends Record<string, unknown> {
  readonly id: string;
  readonly public_id: string;
  readonly account_id: string;
  readonly schedule_id: string;
  readonly batch_id: string;
  readonly evaluations: number;
  readonly misses_to_end: number;
  readonly stale_days: number;
  readonly search: SearchOptions | null;
  readonly retried_at: string | null;
}

/**
 * Locks the schedule against other evaluations until the transaction ends, and returns the scan to evaluate; null when another
 * process evaluates it or has done so. A repeated evaluation uses the same settings.
 *
 * The row of the schedule is not locked: its next scan may start meanwhile.
 */
export async function claimEvaluation(
  db: Sql,
  { scanId, scheduleId }: EvaluationPlace,
): Promise<ClaimedScan | null> {
  const locked = await db.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${advisoryLocks.scanEvaluation}, ${scheduleId}) AS locked`,
  );
  if (locked.rows[0]?.locked !== true) return null;
  const { rows } = await db.execute<TurnRow>(
    sql`SELECT s.id, s.public_id, s.account_id, s.schedule_id, s.batch_id, s.evaluations, s.retried_at::text AS retried_at,
        coalesce(s.misses_to_end, c.misses_to_end) AS misses_to_end, coalesce(s.stale_days, c.stale_days) AS stale_days,
        (SELECT b.search FROM nightshift.batches b WHERE b.id = s.batch_id) AS search
      FROM nightshift.scans s JOIN nightshift.schedules c ON c.id = s.schedule_id
      WHERE s.id = ${scanId}::bigint AND ${isItsTurnSql}`,
  );
  const [row] = rows;
  return row === undefined ? null : toTurn(row);
}

function toTurn(row: TurnRow): ClaimedScan {
  return {
    scanId: BigInt(row.id),
    publicId: row.public_id,
    accountId: Number(row.account_id),
    scheduleId: Number(row.schedule_id),
    batchId: Number(row.batch_id),
    evaluations: row.evaluations,
    settings: { missesToEnd: row.misses_to_end, staleDays: row.stale_days },
    search: row.search,
    retriedAt: row.retried_at,
  };
}

/** Marks the scan as evaluated. Companies that were retried meanwhile cause another evaluation. */
export async function endEvaluation(db: Sql, { scanId, settings, retriedAt }: ClaimedScan): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.scans SET evaluated_at = now(), evaluations = evaluations + 1,
        misses_to_end = ${settings.missesToEnd}, stale_days = ${settings.staleDays},
        retried_at = CASE WHEN retried_at IS NOT DISTINCT FROM ${retriedAt}::timestamptz THEN NULL ELSE retried_at END
      WHERE id = ${scanId}`,
  );
}
