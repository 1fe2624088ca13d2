import { and, count, eq } from 'drizzle-orm';
import { chartDaysMax, type ScheduleFigures } from '../../../src/core/reports/charts.ts';
import type { Sql } from '../../connection/client.ts';
import { scanCompanies, trackedCompanies } from '../../schema/schedules.ts';
import { drawnMax } from '../sql/history-part.ts';
import { readActivity, readCompaniesNow, readFormatsNow, readLongestNow } from './schedule-companies.ts';
import { readDays } from '../schedules/schedule-changes.ts';
import { partOf, readSpan } from './schedule-data.ts';

/** Maximum number of companies in the list of those with the most ads. */
const mostAdsMax = 12;

/** Counts the charts of a schedule, over the maximum span of days. */
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
  const { completeness, scanId, companyKey } = scanCompanies;
  const counts = await db
    .select({ completeness, companies: count() })
    .from(trackedCompanies)
    .innerJoin(
      scanCompanies,
      and(eq(scanId, trackedCompanies.lastScanId), eq(companyKey, trackedCompanies.companyKey)),
    )
    .where(eq(trackedCompanies.scheduleId, scheduleId))
    .groupBy(completeness);
  return Object.fromEntries(counts.map((each) => [each.completeness, each.companies]));
}
