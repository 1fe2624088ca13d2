import type { TickingStamp, TickingStore } from '../core/schedules/ticking-schedule.ts';
import { schedulerName, type TickQueue } from '../queue/tick-queue.ts';

export interface KeepSchedulersOptions {
  readonly schedules: TickingStore;
  readonly ticks: TickQueue;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** So often everything is compared, whether or not anything seems to differ. */
  readonly compareEveryMs: number;
}

/**
 * Keeps the job schedulers of the queue those of the record: what was added, changed or removed follows, and what the queue lost comes back
 * with the next round (docs/architecture/decisions/0003-postgres-is-the-record.md). A round in which nothing differs costs a count on each
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
    const wanted = await schedules.listTicking();
    const names = new Set(wanted.map(schedulerName));
    const there = new Set(await ticks.listSchedulers());
    await ticks.remove([...there].filter((name) => !names.has(name)));
    await ticks.put(wanted.filter((schedule) => !there.has(schedulerName(schedule))));
    compared = { stamp, atMs: nowMs() };
  };
}
