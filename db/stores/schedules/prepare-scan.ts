import { sql } from 'drizzle-orm';
import { anySearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import { Conflict } from '../../../src/core/errors.ts';
import { formatCredits } from '../../../src/core/credits/credits.ts';
import type { ScanToBegin } from '../../../src/core/schedules/schedule-store.ts';
import type { FileOptions } from '../../../src/core/schedules/schedule.ts';
import { dayAt, parseTimeZone, startOfDay } from '../../../src/core/time/time-zone.ts';
import type { Sql } from '../../connection/client.ts';
import { lockSchedule, type LockedSchedule } from './fire-schedule.ts';
import { priceNow } from '../sql/price-book.ts';

/** See `ScanStore.prepare`. The caller's transaction. */
export async function prepareScan(db: Sql, scanId: bigint): Promise<ScanToBegin | null> {
  const schedule = await lockSchedule(
    db,
    sql`s.id = (SELECT n.schedule_id FROM nightshift.scans n WHERE n.id = ${scanId})`,
  );
  if (schedule === null) return null;
  const found = await db.execute<PreparedRow>(
    sql`SELECT n.public_id, s.file_name, s.file_content, s.file_options, s.sources, s.search, s.max_credits_micro, s.day_credits_micro
      FROM nightshift.scans n JOIN nightshift.schedules s ON s.id = n.schedule_id
      WHERE n.id = ${scanId} AND n.state = 'waiting' AND s.state <> 'removed' AND NOT EXISTS (
        SELECT 1 FROM nightshift.scans r WHERE r.schedule_id = n.schedule_id AND r.state = 'running')`,
  );
  const row = found.rows[0];
  if (row === undefined) return null;
  const left = await readDayLeft(db, schedule, microOrNull(row.day_credits_micro));
  if (left.isSpent) {
    await db.execute(
      sql`UPDATE nightshift.scans SET state = 'skipped', reason = ${left.reason} WHERE id = ${scanId} AND state = 'waiting'`,
    );
    return null;
  }
  return toScanToBegin(scanId, schedule, row, left.leftMicro);
}

interface PreparedRow extends Record<string, unknown> {
  readonly public_id: string;
  readonly file_name: string;
  readonly file_content: Buffer;
  readonly file_options: FileOptions;
  readonly sources: readonly string[];
  readonly search: SearchOptions | null;
  readonly max_credits_micro: string | null;
  readonly day_credits_micro: string | null;
}

function toScanToBegin(
  scanId: bigint,
  { accountId }: LockedSchedule,
  row: PreparedRow,
  leftMicro: bigint | null,
): ScanToBegin {
  const bounds = [microOrNull(row.max_credits_micro), leftMicro].filter((bound) => bound !== null);
  return {
    scanId,
    publicId: row.public_id,
    accountId,
    fileName: row.file_name,
    content: row.file_content,
    fileOptions: row.file_options,
    sources: row.sources,
    search: row.search ?? anySearch,
    maxCreditsMicro: bounds.length === 0 ? null : bounds.reduce((a, b) => (a < b ? a : b)),
  };
}

function microOrNull(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

type DayLeft =
  | { readonly isSpent: false; readonly leftMicro: bigint | null }
  | { readonly isSpent: true; readonly reason: string };

/** Rest of the day's budget in the schedule's zone; null when it buys nothing any more. */
async function readDayLeft(
  db: Sql,
  { scheduleId, timeZone, now }: LockedSchedule,
  budgetMicro: bigint | null,
): Promise<DayLeft> {
  if (budgetMicro === null) return { isSpent: false, leftMicro: null };
  const zone = parseTimeZone(timeZone, 'time zone');
  const since = new Date(startOfDay(zone, dayAt(zone, now.getTime())));
  const summed = await db.execute<{ spent: string }>(
    sql`SELECT coalesce(sum(c.charged_micro), 0)::bigint AS spent
      FROM nightshift.scans n JOIN nightshift.chunks c ON c.batch_id = n.batch_id
      WHERE n.schedule_id = ${scheduleId} AND n.begun_at >= ${since.toISOString()}`,
  );
  const spentMicro = BigInt(summed.rows[0]?.spent ?? 0);
  const leftMicro = budgetMicro - spentMicro;
  if (leftMicro > 0n && leftMicro >= (await priceNow(db, 'ads_search'))) return { isSpent: false, leftMicro };
  const reason = `the day's budget of ${formatCredits(budgetMicro)} credits is spent: scans of this day cost ${formatCredits(spentMicro)}`;
  return { isSpent: true, reason };
}

/**
 * The batch of a scan is loaded whole: the scan begins in the transaction in which its batch may run, so that there is never a batch
 * that nobody knows the scan of, nor two batches for one scan.
 *
 * @throws Conflict when it has begun already, or is not to begin any more; the batch must not run then.
 */
export async function linkScan(db: Sql, scanId: bigint, batchId: number): Promise<void> {
  const linked = await db.execute(
    sql`UPDATE nightshift.scans SET state = 'running', batch_id = ${batchId}, begun_at = now(), reason = NULL
      WHERE id = ${scanId} AND state = 'waiting'`,
  );
  if (linked.rowCount === 0) throw new Conflict('The scan has begun already, or is not to begin any more.');
}
