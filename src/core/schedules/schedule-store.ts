import type { StoredResponse } from '../accounts/stored-response.ts';
import type { FileOptions, Scan, ScanResult, Schedule, ScheduleFile, ScheduleTerms } from './schedule.ts';
import type { SearchOptions } from '../ads/ads-answer.ts';
import type { TickingStore } from './ticking-schedule.ts';

/** Maximum number of schedules of an account, including paused ones. Our choice; a schedule takes a batch of many companies. */
export const schedulesPerAccountMax = 1000;

/**
 * Port: management of schedules. A schedule is named by its name or its public id.
 *
 * Every call that names one throws NotFound when the account has no such schedule or has removed it.
 */
export interface ScheduleStore {
  /**
   * @throws Conflict when the name is taken, or there are too many; ValidationError for a zone that Postgres does not know, or
   * an unknown webhook.
   */
  add(
    accountId: number,
    terms: ScheduleTerms,
    file: ScheduleFile,
    kept?: StoredResponse<Schedule> | null,
  ): Promise<Schedule>;
  /** Newest first; `before` is the last schedule of the previous page. */
  list(accountId: number, limit: number, before?: string): Promise<readonly Schedule[]>;
  read(accountId: number, schedule: string): Promise<Schedule>;
  /** Changes the given fields. Scans that have started keep their settings. @throws as `add` does. */
  edit(
    accountId: number,
    schedule: string,
    changes: Partial<ScheduleTerms>,
    file?: ScheduleFile,
  ): Promise<Schedule>;
  /**
   * Pauses a schedule: ticks are ignored and do not count as missed. A scan that has not started is skipped; a running scan
   * continues.
   */
  pause(accountId: number, schedule: string): Promise<Schedule>;
  /** Resumes a schedule: ticks count again from now on. */
  resume(accountId: number, schedule: string): Promise<Schedule>;
  /** Removes a schedule for good, and skips scans as `pause` does. Its scans and their batches stay, and its name becomes free. */
  remove(accountId: number, schedule: string): Promise<void>;
  /**
   * Starts a scan by hand.
   *
   * @throws Conflict when a scan is open and the overlap policy does not let another wait, or one is already waiting.
   */
  run(accountId: number, schedule: string, kept?: StoredResponse<Scan> | null): Promise<Scan>;
  /** Newest first; `before` is the public id of the last scan of the previous page. @throws NotFound when there is no such scan. */
  listScans(accountId: number, schedule: string, limit: number, before?: string): Promise<readonly Scan[]>;
  /** Reads the results of scans by id; scans without a batch are absent. */
  readResults(accountId: number, scanIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ScanResult>>;
}

/** The data from which a scan starts. */
export interface ScanToBegin {
  readonly scanId: bigint;
  readonly publicId: string;
  readonly accountId: number;
  readonly scheduleName: string;
  readonly fileName: string;
  readonly content: Buffer;
  readonly fileOptions: FileOptions;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  /** Remaining budget, the smaller of both, in microcredits; null for no bound. */
  readonly maxCreditsMicro: bigint | null;
}

/** Port: the life cycle of scans. Every step is one transaction and safe to repeat, by several processes at once. */
export interface ScanStore extends TickingStore {
  /** Handles the due ticks of a schedule: creates its scan, and emits events about missed ticks. */
  fire(schedulePublicId: string): Promise<void>;
  /** Lists schedules with something to do: a tick that has been due for `graceMs`, or an unclaimed scan that may start; public ids. */
  listDue(graceMs: number, limit: number): Promise<readonly string[]>;
  /** Claims the waiting scan of a schedule, if it may start, for `leaseMs`. */
  takeWaiting(schedulePublicId: string, leaseMs: number): Promise<bigint | null>;
  /** Renews the lease on a scan. */
  renew(scanId: bigint, leaseMs: number): Promise<void>;
  /**
   * Reads a scan to start. Null when it must not start: another process has started it, another scan runs, or the budget of the
   * day is spent.
   */
  prepare(scanId: bigint): Promise<ScanToBegin | null>;
  /** Records that a scan could not start, with the reason. It is retried with growing delays. */
  putOff(scanId: bigint, reason: string): Promise<void>;
  /** Abandons scans that could not start for this long, and emits events about them. */
  giveUp(afterMs: number): Promise<void>;
  /**
   * Finishes scans whose batch has finished, reopens those whose batch was retried, and cancels batches that have used up their
   * budget.
   */
  settle(): Promise<void>;
}
