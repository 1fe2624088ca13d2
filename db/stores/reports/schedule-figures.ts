import { sql } from 'drizzle-orm';
import { chartDaysMax, type ScheduleFigures } from '../../../src/core/reports/charts.ts';
import type { Completeness } from '../../../src/core/reports/schedule-data.ts';
import type { Sql } from '../../connection/client.ts';
import { drawnMax } from '../sql/history-part.ts';
import { readActivity, readCompaniesNow, readFormatsNow, readLongestNow } from './schedule-companies.ts';
import { readDays } from '../schedules/schedule-changes.ts';
import { partOf, readSpan } from './schedule-data.ts';

/** Companies that are picked out as having the most ads. */
const mostAdsMax = 12;

/** Counts what charts draw of a schedule, over the longest span of days that they can be asked for. */
export async function countSchedule(db: Sql, scheduleId: number): Promise<ScheduleFigures> {
  const span = await readSpan(db, scheduleId, chartDaysMax);
  const part = partOf(scheduleId, span);
  const { rows, total } = await readCompaniesNow(db, part, mostAdsMax);
  const drawn = rows.slice(0, drawnMax).map(({ company }) => company);
  const formats = await readFormatsNow(db, scheduleId);
  const { days } = await readDays(db, part);
  return {
    window: span === null ? null : { from: span.from, to: span.to },
    companies: {
      rows: rows.map(({ company, adsActive, completeness }) => ({ company, adsActive, completeness })),
      total,
    },
    completeness: await countCompleteness(db, scheduleId),
    adsActive: formats.adsActive,
    activity: await readActivity(db, part, drawn),
    days,
    formats: formats.rows,
    longest: await readLongestNow(db, scheduleId, { rowsMax: 0, withMarkup: false }),
  };
}

async function countCompleteness(db: Sql, scheduleId: number): Promise<ScheduleFigures['completeness']> {
  const { rows } = await db.execute<{ completeness: Completeness; companies: string }>(
    sql`SELECT c.completeness, count(*) AS companies FROM nightshift.tracked_companies t
      JOIN nightshift.scan_companies c ON c.scan_id = t.last_scan_id AND c.company_key = t.company_key
      WHERE t.schedule_id = ${scheduleId} GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ completeness, companies }) => [completeness, Number(companies)]));
}
