import { and, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { failpoint } from '../../../src/core/failpoint.ts';
import type { ScanStore } from '../../../src/core/schedules/schedule-store.ts';
import { scanStart } from '../../../src/core/work/retry-policies.ts';
import type { TickingSchedule, TickingStamp } from '../../../src/core/schedules/ticking-schedule.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { scans, schedules } from '../../schema/schedules.ts';
import { msFromNow } from '../sql/moments.ts';
import { fireLocked, lockSchedule } from './fire-schedule.ts';
import { giveUpWaiting } from './give-up-scans.ts';
import { prepareScan } from './prepare-scan.ts';
import { cancelSpentScans, settleScans } from './settle-scans.ts';

/** Scans in `nightshift.scans`. */
export function createScanStore(db: NodePgDatabase): ScanStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    listTicking: () => withDatabase(() => listTicking(db)),
    readTickingStamp: () => withDatabase(() => readTickingStamp(db)),
    fire: async (publicId) => {
      await inTransaction((each) => fire(each, publicId));
      failpoint('scan:fired');
    },
    listDue: (graceMs, limit) => withDatabase(() => listDue(db, graceMs, limit)),
    takeWaiting: (publicId, leaseMs) => withDatabase(() => takeWaiting(db, publicId, leaseMs)),
    renew: (scanId, leaseMs) => withDatabase(() => renew(db, scanId, leaseMs)),
    prepare: (scanId) => inTransaction((each) => prepareScan(each, scanId)),
    putOff: (scanId, reason) => withDatabase(() => putOff(db, scanId, reason)),
    giveUp: (afterMs) =>
      inTransaction((each) =>
        giveUpWaiting(
          each,
          sql`n.tries > 0 AND n.created_at < now() - ${afterMs} * interval '1 millisecond'`,
        ),
      ),
    settle: () =>
      withDatabase(async () => {
        await cancelSpentScans(db);
        await settleScans(db, sql`true`);
      }),
  };
}

function listTicking(db: Sql): Promise<readonly TickingSchedule[]> {
  const { id, publicId, revision, cron, timeZone, state } = schedules;
  return db
    .select({ publicId, revision, cron, timeZone })
    .from(schedules)
    .where(eq(state, 'active'))
    .orderBy(id);
}

/** Ids are never reused, and revisions only grow. */
async function readTickingStamp(db: Sql): Promise<TickingStamp> {
  const found = await db.execute<{ count: number; revisions: number }>(
    sql`SELECT count(*)::integer AS count, coalesce(sum(id * revision), 0)::float8 AS revisions
      FROM nightshift.schedules WHERE state = 'active'`,
  );
  return found.rows[0] ?? { count: 0, revisions: 0 };
}

async function fire(db: Sql, publicId: string): Promise<void> {
  const schedule = await lockSchedule(db, sql`s.public_id = ${publicId}`);
  if (schedule !== null) await fireLocked(db, schedule);
}

/** True when scan `n` waits and nothing blocks it. */
const mayBeginSql = sql`n.state = 'waiting' AND n.try_at <= now() AND NOT EXISTS (
  SELECT 1 FROM nightshift.scans r WHERE r.schedule_id = n.schedule_id AND r.state = 'running')`;

async function listDue(db: Sql, graceMs: number, limit: number): Promise<readonly string[]> {
  const found = await db.execute<{ public_id: string }>(
    sql`SELECT s.public_id FROM nightshift.schedules s
      WHERE s.state = 'active' AND s.next_at < now() - ${graceMs} * interval '1 millisecond'
      UNION
      SELECT s.public_id FROM nightshift.scans n JOIN nightshift.schedules s ON s.id = n.schedule_id WHERE ${mayBeginSql}
      LIMIT ${limit}`,
  );
  return found.rows.map((row) => row.public_id);
}

async function takeWaiting(db: Sql, publicId: string, leaseMs: number): Promise<bigint | null> {
  const taken = await db.execute<{ id: string }>(
    sql`UPDATE nightshift.scans n SET try_at = now() + ${leaseMs} * interval '1 millisecond'
      WHERE n.schedule_id = (SELECT s.id FROM nightshift.schedules s WHERE s.public_id = ${publicId}) AND ${mayBeginSql}
      RETURNING n.id`,
  );
  const [row] = taken.rows;
  return row === undefined ? null : BigInt(row.id);
}

async function renew(db: Sql, scanId: bigint, leaseMs: number): Promise<void> {
  await db
    .update(scans)
    .set({ tryAt: msFromNow(leaseMs) })
    .where(and(eq(scans.id, scanId), eq(scans.state, 'waiting')));
}

async function putOff(db: Sql, scanId: bigint, reason: string): Promise<void> {
  const { initialDelayMs, backoffCoefficient, delayMsMax } = scanStart;
  await db.execute(
    sql`UPDATE nightshift.scans SET tries = tries + 1, reason = ${reason},
        try_at = now() + least(${initialDelayMs} * power(${backoffCoefficient}, tries), ${delayMsMax}) * interval '1 millisecond'
      WHERE id = ${scanId} AND state = 'waiting'`,
  );
}
