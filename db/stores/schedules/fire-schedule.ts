import { eq, sql, type SQL } from 'drizzle-orm';
import { failpoint } from '../../../src/core/failpoint.ts';
import { newId } from '../../../src/core/ids.ts';
import { dueTicks } from '../../../src/core/schedules/ticks.ts';
import { planScans, type OpenScan, type PlannedScan } from '../../../src/core/schedules/plan-scans.ts';
import type { CatchUpPolicy, OverlapPolicy } from '../../../src/core/schedules/schedule.ts';
import type { Sql } from '../../connection/client.ts';
import { scans, schedules } from '../../schema/schedules.ts';
import { giveUpWaiting, tellOfMissed } from './give-up-scans.ts';
import { settleScans } from './settle-scans.ts';

/** A schedule that is locked until the transaction ends: no other process fires, starts or changes it. */
export interface LockedSchedule {
  readonly scheduleId: number;
  readonly publicId: string;
  readonly accountId: number;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly overlap: OverlapPolicy;
  readonly catchUp: CatchUpPolicy;
  readonly state: 'active' | 'paused' | 'removed';
  readonly notify: readonly number[] | null;
  readonly tickedTo: Date;
  /** The time of the transaction. */
  readonly now: Date;
}

/** Locks the schedule `s` that meets the condition; null without one. */
export async function lockSchedule(db: Sql, condition: SQL): Promise<LockedSchedule | null> {
  const found = await db.execute<{
    id: string;
    public_id: string;
    account_id: string;
    name: string;
    cron: string;
    time_zone: string;
    overlap: OverlapPolicy;
    catch_up: CatchUpPolicy;
    state: LockedSchedule['state'];
    notify: readonly string[] | null;
    ticked_to: string;
    now: string;
  }>(
    sql`SELECT s.id, s.public_id, s.account_id, s.name, s.cron, s.time_zone, s.overlap, s.catch_up, s.state, s.notify, s.ticked_to,
        now() AS now
      FROM nightshift.schedules s WHERE ${condition} FOR UPDATE`,
  );
  const row = found.rows[0];
  if (row === undefined) return null;
  return {
    scheduleId: Number(row.id),
    publicId: row.public_id,
    accountId: Number(row.account_id),
    name: row.name,
    cron: row.cron,
    timeZone: row.time_zone,
    overlap: row.overlap,
    catchUp: row.catch_up,
    state: row.state,
    notify: row.notify?.map(Number) ?? null,
    tickedTo: new Date(row.ticked_to),
    now: new Date(row.now),
  };
}

/**
 * Handles all due ticks of a locked schedule: creates at most one scan, records the other ticks, and emits the event about
 * missed ones.
 */
export async function fireLocked(db: Sql, schedule: LockedSchedule): Promise<void> {
  const { scheduleId, state, tickedTo, now } = schedule;
  // A process that waited for the lock may have an older time than the previous holder.
  if (state !== 'active' || now <= tickedTo) return;
  const { next, ...due } = dueTicks(schedule, { after: tickedTo, now });
  if (due.late === null && due.onTime.length === 0) return;
  await settleScans(db, sql`n.schedule_id = ${scheduleId}`);
  await giveUpWaiting(db, sql`n.schedule_id = ${scheduleId} AND n.tries > 0`);
  const openScans = await selectOpen(db, scheduleId);
  for (const planned of planScans(due, { ...schedule, openScans })) await insertScan(db, schedule, planned);
  failpoint('scan:rows-inserted');
  await db.update(schedules).set({ tickedTo: now, nextAt: next }).where(eq(schedules.id, scheduleId));
}

/** Oldest first. */
export async function selectOpen(db: Sql, scheduleId: number): Promise<readonly OpenScan[]> {
  const open = await db.execute<{ state: OpenScan['state']; due_at: string; batch: string | null }>(
    sql`SELECT n.state, n.due_at, (SELECT b.public_id FROM nightshift.batches b WHERE b.id = n.batch_id) AS batch
      FROM nightshift.scans n WHERE n.schedule_id = ${scheduleId} AND n.state IN ('waiting', 'running') ORDER BY n.id`,
  );
  return open.rows.map(({ state, due_at: dueAt, batch }) => ({ state, dueAt: new Date(dueAt), batch }));
}

/** Each tick creates at most one row, however often it is handled. */
async function insertScan(db: Sql, schedule: LockedSchedule, planned: PlannedScan): Promise<void> {
  const { dueAt, cause, state, reason, ticks, missed } = planned;
  const publicId = newId('scn', Date.now());
  const { accountId, scheduleId } = schedule;
  const inserted = await db
    .insert(scans)
    .values({ publicId, accountId, scheduleId, dueAt, cause, state, reason, ticks })
    .onConflictDoNothing();
  if (inserted.rowCount === 0 || missed === null) return;
  await tellOfMissed(db, schedule, { ...missed, scan: publicId });
}
