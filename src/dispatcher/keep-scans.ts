import { failpoint } from '../core/failpoint.ts';
import type { ScanStore } from '../core/schedules/schedule-store.ts';
import { scanStart } from '../core/work/retry-policies.ts';
import type { TickQueue } from '../queue/tick-queue.ts';

/** Stores and queue of scans. */
export interface KeepScansOptions {
  readonly scans: Pick<ScanStore, 'settle' | 'giveUp' | 'listDue'>;
  readonly ticks: Pick<TickQueue, 'enqueue'>;
}

/** Delay after which a tick that the queue has not delivered is enqueued again. */
const overdueMs = 2000;
/** Maximum per round, so that a round stays short. */
const schedulesPerRound = 200;

/**
 * Runs a round over all scans: finishes scans whose batch has finished, and enqueues lost ticks and scans that have not started.
 * Workers load the batches, so that chunks are dispatched meanwhile.
 */
export async function keepScans({ scans, ticks }: KeepScansOptions): Promise<void> {
  await scans.settle();
  failpoint('scan:settled');
  await scans.giveUp(scanStart.giveUpMs);
  const due = await scans.listDue(overdueMs, schedulesPerRound);
  if (due.length > 0) await ticks.enqueue(due);
}
