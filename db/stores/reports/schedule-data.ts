import { sql } from 'drizzle-orm';
import { NotFound } from '../../../src/core/errors.ts';
import type { ReportBounds } from '../../../src/core/reports/report-data.ts';
import type { ScheduleData } from '../../../src/core/reports/schedule-data.ts';
import type { Sql } from '../../connection/client.ts';
import { schedules } from '../../schema/schedules.ts';
import { ownSchedule } from '../schedules/schedule-rows.ts';
import { readActivity, readCompaniesNow, readFormatsNow, readLongestNow } from './schedule-companies.ts';
import { readChangedAds, readDays } from '../schedules/schedule-changes.ts';
import { readAccountName, readScheduleHighlights } from './highlights.ts';
import { readFailures, readScans } from './schedule-scans.ts';
import { drawnMax, scanDaySql, type HistoryPart } from '../sql/history-part.ts';

/** Reads the data of a schedule's report. @throws NotFound */
export async function readScheduleData(
  db: Sql,
  accountId: number,
  named: string,
  bounds: ReportBounds & { readonly days: number },
): Promise<ScheduleData> {
  const { scheduleId, schedule, createdAt } = await readReportedSchedule(db, accountId, named);
  const span = await readSpan(db, scheduleId, bounds.days);
  const part = partOf(scheduleId, span);
  const companies = await readCompaniesNow(db, part, bounds.rowsMax);
  const drawn = companies.rows.slice(0, drawnMax).map(({ company }) => company);
  const formats = await readFormatsNow(db, scheduleId);
  return {
    schedule,
    account: await readAccountName(db, accountId),
    asOf: span?.asOf ?? createdAt,
    window: span === null ? null : { from: span.from, to: span.to },
    scans: await readScans(db, part),
    companies,
    adsActive: formats.adsActive,
    activity: await readActivity(db, part, drawn),
    formats: formats.rows,
    longest: await readLongestNow(db, scheduleId, bounds),
    ...(await readDays(db, part)),
    changes: await readChangedAds(db, part, bounds),
    failures: await readFailures(db, scheduleId, bounds.rowsMax),
    highlights: await readScheduleHighlights(db, part, span?.to ?? null),
  };
}

/** By id also a removed schedule, whose history still exists; its name may belong to another schedule. @throws NotFound */
export async function readReportedSchedule(db: Sql, accountId: number, named: string) {
  const { id: scheduleId, publicId, name, cron, timeZone, fileName, companies, sources } = schedules;
  const { state, nextAt, missesToEnd, staleDays, createdAt, purgedAt } = schedules;
  const terms = { name, cron, timeZone, companies, sources, missesToEnd, staleDays, purgedAt };
  const { where, idFirst } = ownSchedule(accountId, named);
  const [found] = await db
    .select({ scheduleId, schedule: { publicId, fileName, state, nextAt, ...terms }, createdAt })
    .from(schedules)
    .where(where)
    .orderBy(idFirst)
    .limit(1);
  if (found !== undefined) return found;
  throw new NotFound(
    `There is no schedule ${named}. \`nightshift schedule list\` lists schedules, \`nightshift status\` lists batches.`,
  );
}

/** Part of a history within a span of days; empty without a span. */
export function partOf(
  scheduleId: number,
  span: { readonly firstScanId: string; readonly from: string } | null,
): HistoryPart {
  return { scheduleId, firstScanId: span?.firstScanId ?? '0', from: span?.from ?? '0001-01-01' };
}

/**
 * The last `days` days, which end with the day of the newest scan or of the answer to its retry, and start with the first scan
 * at the earliest; null without a scan.
 */
export async function readSpan(db: Sql, scheduleId: number, days: number) {
  const { rows } = await db.execute<{ from: string; to: string; first_scan_id: string; as_of: string }>(
    sql`SELECT n.from::text AS from, n.to::text AS to, n.as_of,
        (SELECT min(s.id) FROM nightshift.scans s
          WHERE s.schedule_id = ${scheduleId} AND ${scanDaySql} >= n.from) AS first_scan_id
      FROM (
        SELECT m.to, greatest(m.to - ${days - 1}::integer, m.first) AS from, m.as_of FROM (
          SELECT min(${scanDaySql}) AS first, greatest(max(${scanDaySql}), (
              SELECT max((t.last_observed_at AT TIME ZONE 'UTC')::date) FROM nightshift.tracked_companies t
              WHERE t.schedule_id = ${scheduleId})) AS to,
            max(greatest(s.created_at, s.begun_at, s.finished_at, s.evaluated_at)) AS as_of
          FROM nightshift.scans s WHERE s.schedule_id = ${scheduleId} HAVING count(*) > 0
        ) m
      ) n`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { from: row.from, to: row.to, firstScanId: row.first_scan_id, asOf: new Date(row.as_of) };
}
