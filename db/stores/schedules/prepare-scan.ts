import { and, eq, gte, ne, notExists, sql, sum } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { Conflict } from '../../../src/core/errors.ts';
import { formatCredits } from '../../../src/core/credits/credits.ts';
import type { ScanToBegin } from '../../../src/core/schedules/schedule-store.ts';
import { dayAt, parseTimeZone, startOfDay } from '../../../src/core/time/time-zone.ts';
import type { Sql } from '../../connection/client.ts';
import { chunks } from '../../schema/lookups.ts';
import { scans, schedules } from '../../schema/schedules.ts';
import { lockSchedule, type LockedSchedule } from './fire-schedule.ts';
import { priceNow } from '../sql/price-book.ts';

/** See `ScanStore.prepare`. The caller's transaction. */
export async function prepareScan(db: Sql, scanId: bigint): Promise<ScanToBegin | null> {
  const schedule = await lockSchedule(
    db,
    sql`s.id = (SELECT n.schedule_id FROM nightshift.scans n WHERE n.id = ${scanId})`,
  );
  if (schedule === null) return null;
  const waiting = await findWaiting(db, scanId);
  if (waiting === null) return null;
  const { maxCreditsMicro, dayCreditsMicro, search, ...scan } = waiting;
  const left = await readDayLeft(db, schedule, dayCreditsMicro);
  if (left.isSpent) {
    await db.update(scans).set({ state: 'skipped', reason: left.reason }).where(isWaiting(scanId));
    return null;
  }
  const bounds = [maxCreditsMicro, left.leftMicro].filter((bound) => bound !== null);
  return {
    ...scan,
    search: search ?? anySearch,
    maxCreditsMicro: bounds.length === 0 ? null : bounds.reduce((a, b) => (a < b ? a : b)),
  };
}

/** The scan and its file, unless another scan of the schedule runs. */
async function findWaiting(db: Sql, scanId: bigint) {
  const {
    accountId,
    name: scheduleName,
    fileName,
    fileContent: content,
    fileOptions,
    sources,
    search,
  } = schedules;
  const { maxCreditsMicro, dayCreditsMicro } = schedules;
  const file = { accountId, scheduleName, fileName, content, fileOptions, sources, search };
  const other = alias(scans, 'other');
  const running = db
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.scheduleId, scans.scheduleId), eq(other.state, 'running')));
  const [waiting] = await db
    .select({ scanId: scans.id, publicId: scans.publicId, ...file, maxCreditsMicro, dayCreditsMicro })
    .from(scans)
    .innerJoin(schedules, eq(schedules.id, scans.scheduleId))
    .where(and(isWaiting(scanId), ne(schedules.state, 'removed'), notExists(running)));
  return waiting ?? null;
}

function isWaiting(scanId: bigint) {
  return and(eq(scans.id, scanId), eq(scans.state, 'waiting'));
}

type DayLeft =
  | { readonly isSpent: false; readonly leftMicro: bigint | null }
  | { readonly isSpent: true; readonly reason: string };

/** Rest of the budget of the day in the schedule's zone; null when it is too small for any lookup. */
async function readDayLeft(
  db: Sql,
  { scheduleId, timeZone, now }: LockedSchedule,
  budgetMicro: bigint | null,
): Promise<DayLeft> {
  if (budgetMicro === null) return { isSpent: false, leftMicro: null };
  const zone = parseTimeZone(timeZone, 'time zone');
  const since = new Date(startOfDay(zone, dayAt(zone, now.getTime())));
  const [summed] = await db
    .select({ spent: sum(chunks.chargedMicro) })
    .from(scans)
    .innerJoin(chunks, eq(chunks.batchId, scans.batchId))
    .where(and(eq(scans.scheduleId, scheduleId), gte(scans.begunAt, since)));
  const spentMicro = BigInt(summed?.spent ?? 0);
  const leftMicro = budgetMicro - spentMicro;
  if (leftMicro > 0n && leftMicro >= (await priceNow(db, 'ads_search'))) return { isSpent: false, leftMicro };
  const reason = `the day's budget of ${formatCredits(budgetMicro)} credits is spent: scans of this day cost ${formatCredits(spentMicro)}`;
  return { isSpent: true, reason };
}

/**
 * Starts the scan in the transaction in which its batch becomes runnable, so that a batch never lacks its scan, and a scan
 * never has two batches.
 *
 * @throws Conflict when it has already started, or must not start any more; the batch must then not run.
 */
export async function linkScan(db: Sql, scanId: bigint, batchId: number): Promise<void> {
  const linked = await db
    .update(scans)
    .set({ state: 'running', batchId, begunAt: sql`now()`, reason: null })
    .where(isWaiting(scanId));
  if (linked.rowCount === 0) throw new Conflict('The scan has already started, or must not start any more.');
}
