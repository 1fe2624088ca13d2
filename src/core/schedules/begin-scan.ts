import { failpoint } from '../failpoint.ts';
import { Conflict, EnrichError, LimitReached, Misconfigured, ValidationError } from '../errors.ts';
import { keepRenewing } from '../async/keep-renewing.ts';
import type { ScanStore, ScanToBegin } from './schedule-store.ts';

/** The stores and functions that beginning a scan needs. */
export interface ScanWork {
  readonly scans: ScanStore;
  /**
   * Loads the list of a scan as its batch.
   *
   * @throws Conflict when the scan has begun already; Misconfigured when a source of it cannot be used.
   */
  readonly load: (scan: ScanToBegin) => Promise<void>;
  /** Lease of a process that begins a scan. */
  readonly leaseMs: number;
  /** Told why a scan could not begin. */
  readonly onError: (error: unknown) => void;
}

/** Deals with the ticks of a schedule that are due, and begins what waits of it. Safe at any time, by several processes at once. */
export async function tickSchedule(work: ScanWork, schedulePublicId: string): Promise<void> {
  await work.scans.fire(schedulePublicId);
  const scanId = await work.scans.takeWaiting(schedulePublicId, work.leaseMs);
  if (scanId !== null) await beginScan(work, scanId);
}

/**
 * Begins a scan that was taken: loads its list as a batch, which runs from then on. One that cannot begin says why, and is tried again
 * later; trouble of our own servers is thrown, and somebody takes the scan when the lease is over.
 */
async function beginScan(work: ScanWork, scanId: bigint): Promise<void> {
  const { scans, leaseMs } = work;
  const scan = await scans.prepare(scanId);
  if (scan === null) return;
  failpoint('scan:prepared');
  const endRenewing = keepRenewing(() => scans.renew(scanId, leaseMs), {
    everyMs: leaseMs / 3,
    onError: () => undefined,
  });
  try {
    await work.load(scan);
    failpoint('scan:begun');
  } catch (error) {
    // Somebody else was faster, or the schedule was paused meanwhile: nothing of ours is left.
    if (error instanceof Conflict) return;
    const reason = reasonOf(error, scan);
    if (reason === null) throw error;
    work.onError(error);
    await scans.putOff(scanId, reason);
  } finally {
    await endRenewing();
  }
}

/** For the account, which is not told of settings; null where trying again soon is all there is to do. */
function reasonOf(error: unknown, { sources }: ScanToBegin): string | null {
  if (error instanceof ValidationError || error instanceof LimitReached)
    return `it cannot begin: ${error.message}`;
  if (error instanceof Misconfigured)
    return `it cannot begin: not all of its sources (${sources.join(', ')}) are set up`;
  return error instanceof EnrichError ? null : 'it cannot begin: something unexpected happened';
}
