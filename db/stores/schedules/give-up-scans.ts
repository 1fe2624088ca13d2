import { sql, type SQL } from 'drizzle-orm';
import type { LateTicks } from '../../../src/core/schedules/ticks.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../sql/arrays.ts';

/** Schedule and event of an abandoned scan. */
interface ReportedSchedule {
  readonly publicId: string;
  readonly accountId: number;
  readonly name: string;
  readonly notify: readonly number[] | null;
}

/** Ticks that created no scan when they were due, and the row that covers them. */
interface ReportedTicks extends LateTicks {
  readonly scan: string;
  readonly caughtUp: boolean;
}

/** Emits `schedule.missed`, once per row, in the caller's transaction. */
export async function tellOfMissed(
  db: Sql,
  { publicId, accountId, name, notify }: ReportedSchedule,
  { scan, count, first, last, caughtUp }: ReportedTicks,
): Promise<void> {
  const payload = { schedule: name, schedule_id: publicId, missed: count, first, last, caught_up: caughtUp };
  const webhooks = notify === null ? sql`NULL` : bigints(notify);
  await db.execute(
    sql`SELECT nightshift.emit_event(${accountId}, 'schedule.missed', ${scan}, ${JSON.stringify(payload)}::jsonb, ${webhooks})`,
  );
}

/**
 * Ends waiting scans `n` that meet the condition as missed, with the reason why they could not start, and emits events; manual
 * scans end as skipped.
 */
export async function giveUpWaiting(db: Sql, condition: SQL): Promise<void> {
  const given = await db.execute<{
    scan: string;
    state: string;
    ticks: number;
    due_at: string;
    public_id: string;
    account_id: string;
    name: string;
    notify: readonly string[] | null;
  }>(
    sql`UPDATE nightshift.scans n SET state = CASE n.cause WHEN 'manual' THEN 'skipped' ELSE 'missed' END
      FROM nightshift.schedules s
      WHERE s.id = n.schedule_id AND n.state = 'waiting' AND ${condition}
      RETURNING n.public_id AS scan, n.state, n.ticks, n.due_at, s.public_id, s.account_id, s.name, s.notify`,
  );
  for (const row of given.rows) {
    if (row.state !== 'missed') continue;
    const dueAt = new Date(row.due_at);
    await tellOfMissed(
      db,
      {
        publicId: row.public_id,
        accountId: Number(row.account_id),
        name: row.name,
        notify: row.notify?.map(Number) ?? null,
      },
      { scan: row.scan, count: row.ticks, first: dueAt, last: dueAt, caughtUp: false },
    );
  }
}
