import { failpoint } from '../core/failpoint.ts';
import type { ScanStore } from '../core/schedules/schedule-store.ts';
import { scanStart } from '../core/work/retry-policies.ts';
import type { TickQueue } from '../queue/tick-queue.ts';

export interface KeepScansOptions {
  readonly scans: Pick<ScanStore, 'settle' | 'giveUp' | 'listDue'>;
  readonly ticks: Pick<TickQueue, 'enqueue'>;
}

/** A tick that the queue did not bring by then is put in by us. */
const overdueMs = 2000;
/** Per round, so that a round stays short. */
const schedulesPerRound = 200;

/**
 * A round over all scans: those whose batch has ended end, and ticks that the queue forgot or scans that nobody began go to the workers.
 * Nothing is loaded here, so that chunks are dispatched meanwhile.
 */
export async function keepScans({ scans, ticks }: KeepScansOptions): Promise<void> {
  await scans.settle();
  failpoint('scan:settled');
  await scans.giveUp(scanStart.giveUpMs);
  const due = await scans.listDue(overdueMs, schedulesPerRound);
  if (due.length > 0) await ticks.enqueue(due);
}
