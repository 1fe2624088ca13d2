import { sql } from 'drizzle-orm';
import type { ChangedDay, ChangedDayFilter, ChangedDayPlace } from '../../../src/core/changes/change-list.ts';
import type { Sql } from '../../connection/client.ts';
import { findSchedule } from '../schedules/schedule-rows.ts';

interface DayRow extends Record<string, unknown> {
  readonly day: string;
  readonly schedule: string;
  readonly public_id: string;
  readonly schedule_id: string;
  readonly scans: string;
  readonly new: string;
  readonly reactivated: string;
  readonly ended: string;
  readonly changed: string;
}

/**
 * See `ChangeList.days`. An account may have thousands of scans and millions of changes: the page of days follows from the
 * scans, and only their changes are counted, through the index without baselines.
 */
export async function listChangedDays(
  db: Sql,
  accountId: number,
  { schedule, companyKey, timeZone }: ChangedDayFilter,
  { limit, after }: { readonly limit: number; readonly after: ChangedDayPlace | null },
): Promise<readonly ChangedDay[]> {
  const ofSchedule =
    schedule === null ? sql`` : sql`AND s.schedule_id = ${await findSchedule(db, accountId, schedule)}`;
  const ofCompany = companyKey === null ? sql`` : sql`AND h.company_key = ${companyKey}`;
  const behind =
    after === null ? sql`true` : sql`(s.day, s.schedule_id) < (${after.day}::date, ${after.schedule})`;
  const { rows } = await db.execute<DayRow>(
    sql`SELECT d.day::text AS day, c.name AS schedule, c.public_id, d.schedule_id, d.scans, k.*
      FROM (
        SELECT s.day, s.schedule_id, count(*) AS scans, array_agg(s.id) AS ids FROM (
          SELECT s.id, s.schedule_id, (coalesce(s.begun_at, s.due_at) AT TIME ZONE ${timeZone})::date AS day
          FROM nightshift.scans s JOIN nightshift.schedules c ON c.id = s.schedule_id
          WHERE s.account_id = ${accountId} AND s.evaluated_at IS NOT NULL AND c.purged_at IS NULL ${ofSchedule}
        ) s
        WHERE ${behind} GROUP BY s.day, s.schedule_id ORDER BY s.day DESC, s.schedule_id DESC LIMIT ${limit}
      ) d
      JOIN nightshift.schedules c ON c.id = d.schedule_id
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE h.kind = 'new') AS new, count(*) FILTER (WHERE h.kind = 'reactivated') AS reactivated,
          count(*) FILTER (WHERE h.kind = 'ended') AS ended, count(*) FILTER (WHERE h.kind = 'changed') AS changed
        FROM nightshift.ad_changes h
        WHERE h.account_id = ${accountId} AND h.scan_id = ANY (d.ids) AND h.kind <> 'baseline' ${ofCompany}
      ) k
      ORDER BY d.day DESC, d.schedule_id DESC`,
  );
  return rows.map((row) => ({
    day: row.day,
    schedule: row.schedule,
    scheduleId: row.public_id,
    scans: Number(row.scans),
    new: Number(row.new),
    reactivated: Number(row.reactivated),
    ended: Number(row.ended),
    changed: Number(row.changed),
    place: { day: row.day, schedule: BigInt(row.schedule_id) },
  }));
}
