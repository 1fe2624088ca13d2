import type { TickingStamp, TickingStore } from '../core/schedules/ticking-schedule.ts';
import { schedulerName, type TickQueue } from '../queue/tick-queue.ts';

/** Stores and clock of the job schedulers. */
export interface KeepSchedulersOptions {
  readonly schedules: TickingStore;
  readonly ticks: TickQueue;
  /** Monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Interval of a full comparison, even without a visible difference. */
  readonly compareEveryMs: number;
}

/**
 * Creates a function that keeps the job schedulers of the queue in line with Postgres: it adds, changes and removes them, and restores lost
 * ones in the next round (docs/architecture/decisions/0003-postgres-is-the-record.md). A round without a difference costs a count on each
 * side.
 */
export function createSchedulerKeeper(options: KeepSchedulersOptions): () => Promise<void> {
  const { schedules, ticks, nowMs, compareEveryMs } = options;
  let compared: { readonly stamp: TickingStamp; readonly atMs: number } | null = null;

  async function isAsBefore(stamp: TickingStamp): Promise<boolean> {
    if (compared === null || nowMs() - compared.atMs >= compareEveryMs) return false;
    const { count, revisions } = compared.stamp;
    return (
      stamp.count === count && stamp.revisions === revisions && (await ticks.countSchedulers()) === count
    );
  }

  return async () => {
    const stamp = await schedules.readTickingStamp();
    if (await isAsBefore(stamp)) return;
    const expected = await schedules.listTicking();
    const names = new Set(expected.map(schedulerName));
    const existing = new Set(await ticks.listSchedulers());
    await ticks.remove([...existing].filter((name) => !names.has(name)));
    await ticks.put(expected.filter((schedule) => !existing.has(schedulerName(schedule))));
    compared = { stamp, atMs: nowMs() };
  };
}
