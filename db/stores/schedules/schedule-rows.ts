import { and, desc, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import { wholeSearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import { NotFound } from '../../../src/core/errors.ts';
import type { CatchUpPolicy, OverlapPolicy, Schedule } from '../../../src/core/schedules/schedule.ts';
import type { Sql } from '../../connection/client.ts';
import { schedules } from '../../schema/schedules.ts';
import { scanColumnsSql, toScan, type ScanRow } from './scan-rows.ts';

interface ScheduleRow extends Record<string, unknown> {
  readonly id: string;
  readonly public_id: string;
  readonly name: string;
  readonly cron: string;
  readonly time_zone: string;
  readonly file_name: string;
  readonly companies: number;
  readonly sources: readonly string[];
  readonly search: SearchOptions | null;
  readonly max_credits_micro: string | null;
  readonly day_credits_micro: string | null;
  readonly overlap: OverlapPolicy;
  readonly catch_up: CatchUpPolicy;
  readonly misses_to_end: number;
  readonly stale_days: number;
  readonly webhooks: readonly string[] | null;
  readonly state: 'active' | 'paused';
  readonly created_at: string;
  readonly read_at: string;
  readonly last_scan: ScanRow | null;
}

/** Selects schedules that meet the condition, without removed ones, newest first. */
export async function selectSchedules(db: Sql, condition: SQL, limit: number): Promise<readonly Schedule[]> {
  const found = await db.execute<ScheduleRow>(
    sql`SELECT s.id, s.public_id, s.name, s.cron, s.time_zone, s.file_name, s.companies, s.sources, s.search, s.max_credits_micro,
        s.day_credits_micro, s.overlap, s.catch_up, s.misses_to_end, s.stale_days, s.state, s.created_at, now() AS read_at,
        CASE WHEN s.notify IS NOT NULL THEN ARRAY(
          SELECT w.name FROM nightshift.webhooks w WHERE w.id = ANY (s.notify) AND w.state <> 'removed' ORDER BY w.name) END AS webhooks,
        (SELECT to_jsonb(l) FROM (
          SELECT ${scanColumnsSql} FROM nightshift.scans n WHERE n.schedule_id = s.id ORDER BY n.id DESC LIMIT 1) l) AS last_scan
      FROM nightshift.schedules s WHERE s.state <> 'removed' AND ${condition} ORDER BY s.id DESC LIMIT ${limit}`,
  );
  return found.rows.map(toSchedule);
}

/** Reads a schedule of an account by its name or public id. @throws NotFound */
export async function readSchedule(db: Sql, accountId: number, schedule: string): Promise<Schedule> {
  const [found] = await selectSchedules(db, isNamed(accountId, schedule), 1);
  if (found === undefined) throw noSuchSchedule(schedule);
  return found;
}

/** Condition that schedule `s` has this name or public id. */
export function isNamed(accountId: number, schedule: string): SQL {
  return sql`(s.account_id = ${accountId} AND (s.public_id = ${schedule} OR s.name = ${schedule}))`;
}

/** The id of an account's schedule; see `ownSchedule`. @throws NotFound */
export async function findSchedule(db: Sql, accountId: number, named: string): Promise<number> {
  const { where, idFirst } = ownSchedule(accountId, named);
  const [found] = await db
    .select({ id: schedules.id })
    .from(schedules)
    .where(where)
    .orderBy(idFirst)
    .limit(1);
  if (found === undefined) throw noSuchSchedule(named);
  return found.id;
}

/** Finds a schedule of an account; by id also a removed one, whose name may belong to another. */
export function ownSchedule(accountId: number, named: string) {
  const { publicId, name, state } = schedules;
  const isNamedSo = or(eq(publicId, named), and(eq(name, named), ne(state, 'removed')));
  return { where: and(eq(schedules.accountId, accountId), isNamedSo), idFirst: desc(eq(publicId, named)) };
}

export function noSuchSchedule(schedule: string): NotFound {
  return new NotFound(`There is no schedule "${schedule}". \`nightshift schedule list\` lists them.`);
}

function toSchedule(row: ScheduleRow): Schedule {
  return {
    scheduleId: Number(row.id),
    publicId: row.public_id,
    name: row.name,
    cron: row.cron,
    timeZone: row.time_zone,
    fileName: row.file_name,
    companies: row.companies,
    sources: row.sources,
    search: wholeSearch(row.search),
    maxCreditsMicro: row.max_credits_micro === null ? null : BigInt(row.max_credits_micro),
    dayCreditsMicro: row.day_credits_micro === null ? null : BigInt(row.day_credits_micro),
    overlap: row.overlap,
    catchUp: row.catch_up,
    missesToEnd: row.misses_to_end,
    staleDays: row.stale_days,
    notify: row.webhooks,
    state: row.state,
    lastScan: row.last_scan === null ? null : toScan(row.last_scan),
    createdAt: new Date(row.created_at),
    readAt: new Date(row.read_at),
  };
}
