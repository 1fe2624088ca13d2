import { failpoint } from '../core/failpoint.ts';
import type { ScanStore } from '../core/schedules/schedule-store.ts';
import type { TickQueue } from '../queue/tick-queue.ts';

export interface KeepScansOptions {
  readonly scans: Pick<ScanStore, 'settle' | 'giveUp' | 'listDue'>;
  readonly ticks: Pick<TickQueue, 'enqueue'>;
}

/** A tick that the queue did not bring by then is put in by us. */
const overdueMs = 2000;
/** A scan that could not begin for so long was missed, and its account is told. Our choice. */
const giveUpMs = 60 * 60_000;
/** Per round, so that a round stays short. */
const schedulesPerRound = 200;

/**
 * A round over all scans: those whose batch has ended end, and ticks that the queue forgot or scans that nobody began go to the workers.
 * Nothing is loaded here, so that chunks are dispatched meanwhile.
 */
export async function keepScans({ scans, ticks }: KeepScansOptions): Promise<void> {
  await scans.settle();
  failpoint('scan:settled');
  await scans.giveUp(giveUpMs);
  const due = await scans.listDue(overdueMs, schedulesPerRound);
  if (due.length > 0) await ticks.enqueue(due);
}
