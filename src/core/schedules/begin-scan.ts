import { failpoint } from '../failpoint.ts';
import { Conflict, EnrichError, LimitReached, Misconfigured, ValidationError } from '../errors.ts';
import { keepRenewing } from '../async/keep-renewing.ts';
import type { ScanStore, ScanToBegin } from './schedule-store.ts';

/** The stores and functions that starting a scan needs. */
export interface ScanWork {
  readonly scans: ScanStore;
  /**
   * Loads the file of a scan as its batch.
   *
   * @throws Conflict when the scan has already started; Misconfigured when one of its sources cannot be used.
   */
  readonly load: (scan: ScanToBegin) => Promise<void>;
  /** Lease of a process that starts a scan. */
  readonly leaseMs: number;
  /** Receives the reason why a scan could not start. */
  readonly onError: (error: unknown) => void;
}

/** Handles the due ticks of a schedule, and starts its waiting scan. Safe at any time, by several processes at once. */
export async function tickSchedule(work: ScanWork, schedulePublicId: string): Promise<void> {
  await work.scans.fire(schedulePublicId);
  const scanId = await work.scans.takeWaiting(schedulePublicId, work.leaseMs);
  if (scanId !== null) await beginScan(work, scanId);
}

/**
 * Starts a claimed scan: loads its file as a batch, which then runs. A scan that cannot start records the reason and is retried
 * later; errors of the database or queue are thrown, and another process claims the scan after the lease.
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
    // Another process was faster, or the schedule was paused meanwhile: this attempt left nothing behind.
    if (error instanceof Conflict) return;
    const reason = reasonOf(error, scan);
    if (reason === null) throw error;
    work.onError(error);
    await scans.putOff(scanId, reason);
  } finally {
    await endRenewing();
  }
}

/** Reason for the account, which does not see settings; null if retrying soon is enough. */
function reasonOf(error: unknown, { sources }: ScanToBegin): string | null {
  if (error instanceof ValidationError || error instanceof LimitReached)
    return `it cannot start: ${error.message}`;
  if (error instanceof Misconfigured)
    return `it cannot start: not all of its sources (${sources.join(', ')}) are set up`;
  return error instanceof EnrichError ? null : 'it cannot start: an unexpected error occurred';
}
