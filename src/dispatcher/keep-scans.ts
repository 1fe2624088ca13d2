import { failpoint } from '../core/failpoint.ts';
import type { ScanStore } from '../core/schedules/schedule-store.ts';
import { scanStart } from '../core/work/retry-policies.ts';
import type { TickQueue } from '../queue/tick-queue.ts';

/** Delay after which a tick that the queue has not delivered is enqueued again. */
const overdueMs = 2000;
/** Maximum per round, so that a round stays short. */
const schedulesPerRound = 200;

/** Finishes scans whose batch has finished, and abandons those that could not start for long. */
export async function settleScans(scans: Pick<ScanStore, 'settle' | 'giveUp'>): Promise<void> {
  await scans.settle();
  failpoint('scan:settled');
  await scans.giveUp(scanStart.giveUpMs);
}

/** Enqueues lost ticks and scans that have not started. Workers load the batches, so that chunks are dispatched meanwhile. */
export async function queueScans(
  scans: Pick<ScanStore, 'listDue'>,
  ticks: Pick<TickQueue, 'enqueue'>,
): Promise<void> {
  const due = await scans.listDue(overdueMs, schedulesPerRound);
  if (due.length > 0) await ticks.enqueue(due);
}
