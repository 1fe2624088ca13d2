import { desc, eq, sql } from 'drizzle-orm';
import type { Bounded } from '../../../src/core/reports/reported-ads.ts';
import type { ReportedScan, ScanFailures } from '../../../src/core/reports/schedule-data.ts';
import type { Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { scans } from '../../schema/schedules.ts';
import type { HistoryPart } from '../sql/history-part.ts';
import { toChangeCounts } from '../schedules/schedule-changes.ts';
import { toCompany, type CompanyRow } from '../ads/shown-ads.ts';

/** Maximum number of listed scans: more than half a year of daily scans. */
const scansMax = 200;

interface ScanRow extends Record<string, unknown> {
  readonly public_id: string;
  readonly due_at: string;
  readonly cause: ReportedScan['cause'];
  readonly state: ReportedScan['state'];
  readonly reason: string | null;
  readonly ticks: number;
  readonly batch: string | null;
  readonly is_evaluated: boolean;
  readonly companies: Readonly<Record<string, number>> | null;
  readonly changes: Readonly<Record<string, number>> | null;
  readonly failed: number;
  readonly charged_micro: string;
  readonly total: string;
}

/** Scans of a part of the history, newest first, with their results. */
export async function readScans(db: Sql, part: HistoryPart): Promise<Bounded<ReportedScan>> {
  const { rows } = await db.execute<ScanRow>(
    sql`SELECT s.*, b.public_id AS batch, s.evaluated_at IS NOT NULL AS is_evaluated,
        (SELECT jsonb_object_agg(k.completeness, k.n) FROM (
          SELECT completeness, count(*) AS n FROM nightshift.scan_companies WHERE scan_id = s.id GROUP BY 1) k) AS companies,
        (SELECT jsonb_object_agg(k.kind, k.n) FROM (
          SELECT kind, count(*) AS n FROM nightshift.ad_changes WHERE scan_id = s.id GROUP BY 1) k) AS changes,
        greatest(0, coalesce(c.failed, 0) - coalesce(b.retried, 0)) AS failed, coalesce(c.charged_micro, 0) AS charged_micro
      FROM (
        SELECT *, count(*) OVER () AS total FROM nightshift.scans
        WHERE schedule_id = ${part.scheduleId} AND id >= ${part.firstScanId}::bigint ORDER BY id DESC LIMIT ${scansMax}
      ) s
      LEFT JOIN nightshift.batches b ON b.id = s.batch_id
      LEFT JOIN LATERAL (
        SELECT sum(failed + cancelled)::integer AS failed, sum(charged_micro) AS charged_micro
        FROM nightshift.chunks WHERE batch_id = s.batch_id
      ) c ON true
      ORDER BY s.id DESC`,
  );
  return { rows: rows.map(toScan), total: Number(rows[0]?.total ?? 0) };
}

function toScan(row: ScanRow): ReportedScan {
  const companies = row.companies ?? {};
  return {
    publicId: row.public_id,
    dueAt: new Date(row.due_at),
    cause: row.cause,
    state: row.state,
    reason: row.reason,
    ticks: row.ticks,
    batch: row.batch,
    isEvaluated: row.is_evaluated,
    companies: {
      complete: companies['complete'] ?? 0,
      truncated: companies['truncated'] ?? 0,
      partial: companies['partial'] ?? 0,
      unconfirmed: companies['unconfirmed_empty'] ?? 0,
      failed: row.failed,
    },
    changes: toChangeCounts(row.changes ?? {}),
    chargedMicro: BigInt(row.charged_micro),
  };
}

interface FailureRow extends CompanyRow {
  readonly reason: string;
  readonly total: string;
}

/** Failures of the newest scan with a batch. A retry replaces lookups: only the last one of a company counts. */
export async function readFailures(
  db: Sql,
  scheduleId: number,
  rowsMax: number,
): Promise<ScanFailures | null> {
  const { id: batchId, publicId: batch, state } = batches;
  const [scan] = await db
    .select({ scan: scans.publicId, dueAt: scans.dueAt, batchId, batch, state })
    .from(scans)
    .innerJoin(batches, eq(batchId, scans.batchId))
    .where(eq(scans.scheduleId, scheduleId))
    .orderBy(desc(scans.id))
    .limit(1);
  if (scan === undefined) return null;
  const { rows } = await db.execute<FailureRow>(
    sql`SELECT l.subject_key AS company_key, l.company_domain, l.company_name, coalesce(l.reason, l.outcome) AS reason,
        count(*) OVER () AS total
      FROM nightshift.lookups l
      WHERE l.batch_id = ${scan.batchId} AND l.operation = 'ads_search' AND l.outcome IN ('failed', 'cancelled')
        AND NOT EXISTS (
          SELECT 1 FROM nightshift.lookups n WHERE n.batch_id = l.batch_id AND n.operation = l.operation
            AND n.subject_key = l.subject_key AND n.generation > l.generation)
      ORDER BY l.subject_key COLLATE "C" LIMIT ${rowsMax}`,
  );
  return {
    scan: scan.scan,
    batch: scan.batch,
    dueAt: scan.dueAt,
    companies: {
      rows: rows.map((row) => ({ company: toCompany(row), reason: row.reason })),
      total: Number(rows[0]?.total ?? 0),
    },
    isRetriable: scan.state === 'finished',
  };
}
