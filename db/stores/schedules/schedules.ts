import { and, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import { newId } from '../../../src/core/ids.ts';
import { admit } from '../../../src/core/schedules/plan-scans.ts';
import type { ScheduleStore } from '../../../src/core/schedules/schedule-store.ts';
import type { Scan } from '../../../src/core/schedules/schedule.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { scans, schedules } from '../../schema/schedules.ts';
import { addSchedule, editSchedule, nextTick } from './edit-schedule.ts';
import { fireLocked, lockSchedule, selectOpen, type LockedSchedule } from './fire-schedule.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { readScanResults } from './scan-counts.ts';
import { scanColumnsSql, toScan, type ScanRow } from './scan-rows.ts';
import { isNamed, noSuchSchedule, readSchedule, selectSchedules } from './schedule-rows.ts';
import { settleScans } from './settle-scans.ts';

/** Schedules in `nightshift.schedules`; each change is one transaction. */
export function createScheduleStore(db: NodePgDatabase): ScheduleStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    add: (accountId, terms, list, kept) =>
      inTransaction((each) => addSchedule(each, accountId, terms, list, kept)),
    list: (accountId, limit, before) => withDatabase(() => listSchedules(db, accountId, limit, before)),
    read: (accountId, schedule) => withDatabase(() => readSchedule(db, accountId, schedule)),
    edit: (accountId, schedule, changes, list) =>
      inTransaction(async (each) => {
        await editSchedule(each, await lockOwn(each, accountId, schedule), changes, list);
        return readSchedule(each, accountId, changes.name ?? schedule);
      }),
    pause: (accountId, schedule) =>
      inTransaction(async (each) => {
        await stop(each, await lockOwn(each, accountId, schedule), 'paused');
        return readSchedule(each, accountId, schedule);
      }),
    resume: (accountId, schedule) =>
      inTransaction(async (each) => {
        await resume(each, await lockOwn(each, accountId, schedule));
        return readSchedule(each, accountId, schedule);
      }),
    remove: (accountId, schedule) =>
      inTransaction(async (each) => stop(each, await lockOwn(each, accountId, schedule), 'removed')),
    run: (accountId, schedule, kept) =>
      inTransaction(async (each) => run(each, await lockOwn(each, accountId, schedule), kept)),
    listScans: (accountId, schedule, limit, before) =>
      withDatabase(() => listScans(db, accountId, schedule, limit, before)),
    readResults: (accountId, scanIds) => withDatabase(() => readScanResults(db, accountId, scanIds)),
  };
}

async function lockOwn(db: Sql, accountId: number, schedule: string): Promise<LockedSchedule> {
  const locked = await lockSchedule(db, sql`${isNamed(accountId, schedule)} AND s.state <> 'removed'`);
  if (locked === null) throw noSuchSchedule(schedule);
  return locked;
}

async function listSchedules(db: Sql, accountId: number, limit: number, before?: string) {
  const ofAccount = sql`s.account_id = ${accountId}`;
  if (before === undefined) return selectSchedules(db, ofAccount, limit);
  return selectSchedules(db, sql`${ofAccount} AND s.id < ${await findListed(db, accountId, before)}`, limit);
}

/** A page continues after its cursor, even if that schedule was removed since. */
async function findListed(db: Sql, accountId: number, publicId: string): Promise<number> {
  const [found] = await db
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.accountId, accountId), eq(schedules.publicId, publicId)));
  if (found === undefined) throw noSuchSchedule(publicId);
  return found.id;
}

/** Stops a schedule. Fires due ticks first: a tick that was missed before a pause stays missed. */
async function stop(db: Sql, schedule: LockedSchedule, state: 'paused' | 'removed'): Promise<void> {
  if (schedule.state === state) return;
  await fireLocked(db, schedule);
  await db
    .update(scans)
    .set({ state: 'skipped', reason: `the schedule was ${state} before it began` })
    .where(and(eq(scans.scheduleId, schedule.scheduleId), eq(scans.state, 'waiting')));
  await db
    .update(schedules)
    .set({
      state,
      stateSince: sql`now()`,
      nextAt: null,
      revision: sql`${schedules.revision} + 1`,
      revisedAt: sql`now()`,
    })
    .where(eq(schedules.id, schedule.scheduleId));
}

async function resume(db: Sql, schedule: LockedSchedule): Promise<void> {
  if (schedule.state === 'active') return;
  await db
    .update(schedules)
    .set({
      state: 'active',
      stateSince: sql`now()`,
      tickedTo: sql`now()`,
      nextAt: nextTick(schedule, schedule.now),
      revision: sql`${schedules.revision} + 1`,
      revisedAt: sql`now()`,
    })
    .where(eq(schedules.id, schedule.scheduleId));
}

async function run(
  db: Sql,
  schedule: LockedSchedule,
  kept: StoredResponse<Scan> | null | undefined,
): Promise<Scan> {
  const { scheduleId, accountId, overlap, now } = schedule;
  await fireLocked(db, schedule);
  await settleScans(db, sql`n.schedule_id = ${scheduleId}`);
  const { state, reason } = admit({ overlap, openScans: await selectOpen(db, scheduleId) });
  if (state === 'skipped')
    throw new Conflict(`No scan was started: ${reason}. Wait for it, or cancel its batch.`);
  const inserted = await db.execute<ScanRow>(
    sql`INSERT INTO nightshift.scans AS n (public_id, account_id, schedule_id, due_at, cause, state, reason)
      VALUES (${newId('scn', Date.now())}, ${accountId}, ${scheduleId}, ${now.toISOString()}, 'manual', 'waiting', ${reason})
      RETURNING ${scanColumnsSql}`,
  );
  const [row] = inserted.rows;
  if (row === undefined) throw new Error('A scan by hand was not written.');
  const scan = toScan(row);
  await keepAnswer(db, kept, scan);
  await notifyWorkers(db);
  return scan;
}

async function listScans(
  db: Sql,
  accountId: number,
  schedule: string,
  limit: number,
  before?: string,
): Promise<readonly Scan[]> {
  const { scheduleId } = await readSchedule(db, accountId, schedule);
  const from = before === undefined ? sql`true` : sql`n.id < ${await findScan(db, scheduleId, before)}`;
  const found = await db.execute<ScanRow>(
    sql`SELECT ${scanColumnsSql} FROM nightshift.scans n WHERE n.schedule_id = ${scheduleId} AND ${from}
      ORDER BY n.id DESC LIMIT ${limit}`,
  );
  return found.rows.map(toScan);
}

async function findScan(db: Sql, scheduleId: number, publicId: string): Promise<bigint> {
  const [found] = await db
    .select({ id: scans.id })
    .from(scans)
    .where(and(eq(scans.scheduleId, scheduleId), eq(scans.publicId, publicId)));
  if (found === undefined) throw new NotFound(`The schedule has no scan ${publicId}.`);
  return found.id;
}
