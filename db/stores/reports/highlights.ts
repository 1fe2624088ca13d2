import { eq, sql, type SQL } from 'drizzle-orm';
import {
  highlightDays,
  type BatchHighlights,
  type CompanyMoves,
  type DaySpan,
  type ScanHighlights,
  type ScheduleHighlights,
} from '../../../src/core/reports/highlights.ts';
import { dayOf } from '../../../src/core/reports/days.ts';
import type { ReportBounds } from '../../../src/core/reports/report-data.ts';
import { addDays } from '../../../src/core/time/day.ts';
import type { Sql } from '../../connection/client.ts';
import { accounts } from '../../schema/accounts.ts';
import { readFirstAds, toCompany, type CompanyRow } from '../ads/shown-ads.ts';
import { toChangeCounts } from '../schedules/schedule-changes.ts';
import { namedBySql, type HistoryPart } from '../sql/history-part.ts';

/** Maximum number of companies with the largest change. */
const movesMax = 5;

/** Number of newest ads from which a report chooses ads of different companies. */
const newestMax = 48;

/** Reads the name of an account. */
export async function readAccountName(db: Sql, accountId: number): Promise<string> {
  const [account] = await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId));
  return account?.name ?? '';
}

/** Reads the highlights of a batch. `linksSql` selects the ads `la` of its lookups `l`. */
export async function readBatchHighlights(
  db: Sql,
  batchId: number,
  { asOf, bounds, linksSql }: { readonly asOf: Date; readonly bounds: ReportBounds; readonly linksSql: SQL },
): Promise<BatchHighlights> {
  const week = weekTo(dayOf(asOf));
  return {
    week,
    ...(await countBegun(db, week, linksSql)),
    newest: await readFirstAds(db, bounds, { linksSql, rankSql: sql`la.start`, limit: newestMax }),
    scan: await readScan(db, batchId),
  };
}

function weekTo(to: string): DaySpan {
  return { from: addDays(to, 1 - highlightDays), to };
}

async function countBegun(db: Sql, { from }: DaySpan, linksSql: SQL) {
  const { rows } = await db.execute<{ begun: number; companies: number; undated: number }>(
    sql`SELECT count(*) FILTER (WHERE la.start >= ${from}::date)::integer AS begun,
        count(DISTINCT l.id) FILTER (WHERE la.start >= ${from}::date)::integer AS companies,
        count(*) FILTER (WHERE la.start IS NULL)::integer AS undated
      FROM ${linksSql}`,
  );
  const [row] = rows;
  return {
    adsBegun: row?.begun ?? 0,
    companiesBegun: row?.companies ?? 0,
    adsUndated: row?.undated ?? 0,
  };
}

interface ScanRow extends Record<string, unknown> {
  readonly id: string;
  readonly schedule_id: string;
  readonly is_evaluated: boolean;
  readonly is_first: boolean;
  readonly changes: Readonly<Record<string, number>> | null;
}

async function readScan(db: Sql, batchId: number): Promise<ScanHighlights | null> {
  const { rows } = await db.execute<ScanRow>(
    sql`SELECT s.id, s.schedule_id, s.evaluated_at IS NOT NULL AS is_evaluated,
        NOT EXISTS (SELECT FROM nightshift.scans e
          WHERE e.schedule_id = s.schedule_id AND e.id < s.id AND e.evaluated_at IS NOT NULL) AS is_first,
        (SELECT jsonb_object_agg(k.kind, k.n) FROM (
          SELECT kind, count(*) AS n FROM nightshift.ad_changes WHERE scan_id = s.id GROUP BY 1) k) AS changes
      FROM nightshift.scans s WHERE s.batch_id = ${batchId}`,
  );
  const [scan] = rows;
  if (scan === undefined) return null;
  return {
    isEvaluated: scan.is_evaluated,
    isFirst: scan.is_first,
    changes: toChangeCounts(scan.changes ?? {}),
    moves: await readMoves(db, Number(scan.schedule_id), sql`scan_id = ${scan.id}::bigint`),
  };
}

/** Reads the highlights of a part of a schedule's history, which ends with the day `to`; null: there is no scan. */
export async function readScheduleHighlights(
  db: Sql,
  { scheduleId, firstScanId, from }: HistoryPart,
  to: string | null,
): Promise<ScheduleHighlights> {
  const { rows } = await db.execute<{ evaluated: number; without_ads: number; unconfirmed: number }>(
    sql`SELECT (SELECT count(*) FROM nightshift.scans s
          WHERE s.schedule_id = ${scheduleId} AND s.evaluated_at IS NOT NULL)::integer AS evaluated,
        count(*) FILTER (WHERE c.ads_active = 0)::integer AS without_ads,
        count(*) FILTER (WHERE c.ads_active = 0 AND c.completeness = 'unconfirmed_empty')::integer AS unconfirmed
      FROM nightshift.tracked_companies t
      JOIN nightshift.scan_companies c ON c.scan_id = t.last_scan_id AND c.company_key = t.company_key
      WHERE t.schedule_id = ${scheduleId}`,
  );
  const [row] = rows;
  const week = to === null ? null : weekWithin(weekTo(to), from);
  // A change counts on the first day of the part at the earliest, as in the days of the report.
  const inWeek = sql`scan_id >= ${firstScanId}::bigint
    AND greatest((observed_at AT TIME ZONE 'UTC')::date, ${from}::date) >= ${week?.from ?? from}::date`;
  return {
    week,
    scansEvaluated: row?.evaluated ?? 0,
    moves: await readMoves(db, scheduleId, inWeek),
    withoutAds: row?.without_ads ?? 0,
    unconfirmed: row?.unconfirmed ?? 0,
  };
}

function weekWithin(week: DaySpan, from: string): DaySpan {
  return week.from < from ? { from, to: week.to } : week;
}

interface MoveRow extends CompanyRow {
  readonly ads_active: number | null;
  readonly changes: Readonly<Record<string, number>>;
  readonly total: string;
}

/** Companies with changes that meet a condition. Reads only these changes, and the last scan of the listed companies. */
async function readMoves(db: Sql, scheduleId: number, condition: SQL): Promise<CompanyMoves> {
  const { rows } = await db.execute<MoveRow>(
    sql`SELECT p.company_key, l.company_domain, l.company_name, c.ads_active, p.changes, p.total
      FROM (
        SELECT ${scheduleId}::bigint AS schedule_id, m.*, count(*) OVER () AS total FROM (
          SELECT n.company_key, jsonb_object_agg(n.kind, n.n) AS changes,
            coalesce(sum(n.n) FILTER (WHERE n.kind IN ('new', 'reactivated')), 0) AS begun,
            coalesce(sum(n.n) FILTER (WHERE n.kind = 'ended'), 0) AS ended
          FROM (
            SELECT company_key, kind, count(*) AS n FROM nightshift.ad_changes
            WHERE schedule_id = ${scheduleId} AND kind <> 'baseline' AND ${condition} GROUP BY 1, 2
          ) n GROUP BY 1
        ) m
        ORDER BY abs(m.begun - m.ended) DESC, m.begun + m.ended DESC, m.company_key COLLATE "C" LIMIT ${movesMax}
      ) p
      ${namedBySql}
      ORDER BY abs(p.begun - p.ended) DESC, p.begun + p.ended DESC, p.company_key COLLATE "C"`,
  );
  return {
    rows: rows.map((row) => ({
      company: toCompany(row),
      adsActive: row.ads_active ?? 0,
      changes: toChangeCounts(row.changes),
    })),
    total: Number(rows[0]?.total ?? 0),
  };
}
