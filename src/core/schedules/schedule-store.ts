import type { StoredResponse } from '../accounts/stored-response.ts';
import type { FileOptions, Scan, ScanResult, Schedule, ScheduleFile, ScheduleTerms } from './schedule.ts';
import type { SearchOptions } from '../ads/ads-answer.ts';
import type { TickingStore } from './ticking-schedule.ts';

/** Schedules of one account, paused ones included, at most: our choice; a schedule takes a list of many companies. */
export const schedulesPerAccountMax = 1000;

/**
 * Port: schedules as people set them. A schedule is named by its name or by its public id.
 *
 * Every call that names one throws NotFound when the account has no such schedule, or has removed it.
 */
export interface ScheduleStore {
  /** @throws Conflict when there is one of that name, or too many; ValidationError for a zone that Postgres does not know, or an unknown webhook. */
  add(
    accountId: number,
    terms: ScheduleTerms,
    file: ScheduleFile,
    kept?: StoredResponse<Schedule> | null,
  ): Promise<Schedule>;
  /** The newest first; `before` names the last one of the page before. */
  list(accountId: number, limit: number, before?: string): Promise<readonly Schedule[]>;
  read(accountId: number, schedule: string): Promise<Schedule>;
  /** Changes what is given. Scans that have begun keep what they began with. @throws as `add` does. */
  edit(
    accountId: number,
    schedule: string,
    changes: Partial<ScheduleTerms>,
    file?: ScheduleFile,
  ): Promise<Schedule>;
  /** No tick counts until it is resumed, as missed neither; a scan that has not begun is skipped, one that runs goes on. */
  pause(accountId: number, schedule: string): Promise<Schedule>;
  /** Ticks count again, from now on. */
  resume(accountId: number, schedule: string): Promise<Schedule>;
  /** For good, as `pause` does. Its scans and their batches stay, and another schedule may take its name. */
  remove(accountId: number, schedule: string): Promise<void>;
  /** A scan by hand. @throws Conflict when one is open and the schedule's overlap lets none wait, or one waits already. */
  run(accountId: number, schedule: string, kept?: StoredResponse<Scan> | null): Promise<Scan>;
  /** The newest first; `before` is the public id of the last one of the page before. @throws NotFound when there is no such scan. */
  listScans(accountId: number, schedule: string, limit: number, before?: string): Promise<readonly Scan[]>;
  /** Reads the results of scans by id; scans without a batch are absent. */
  readResults(accountId: number, scanIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ScanResult>>;
}

/** The parts from which a scan is made. */
export interface ScanToBegin {
  readonly scanId: bigint;
  readonly publicId: string;
  readonly accountId: number;
  readonly fileName: string;
  readonly content: Buffer;
  readonly fileOptions: FileOptions;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  /** Rest of the two budgets, in microcredits; null for no bound. */
  readonly maxCreditsMicro: bigint | null;
}

/** Port: how scans come and go. Every step is one transaction, and safe to repeat, by several processes at once. */
export interface ScanStore extends TickingStore {
  /** Deals with the ticks of a schedule that are due: writes its scan, and tells of those that were missed. */
  fire(schedulePublicId: string): Promise<void>;
  /** Schedules with something to do: a tick that was due so long ago, or a scan that may begin and that nobody has taken; public ids. */
  listDue(graceMs: number, limit: number): Promise<readonly string[]>;
  /** The scan of a schedule that waits, where it may begin; nobody else is given it for so long. */
  takeWaiting(schedulePublicId: string, leaseMs: number): Promise<bigint | null>;
  /** Gives a scan the lease anew. */
  renew(scanId: bigint, leaseMs: number): Promise<void>;
  /** Reads a scan to begin. Null when it must not begin: another process has begun it, another scan runs, or the day's budget is spent. */
  prepare(scanId: bigint): Promise<ScanToBegin | null>;
  /** It could not begin, for this reason; it is tried again, more and more seldom. */
  putOff(scanId: bigint, reason: string): Promise<void>;
  /** Gives up scans that could not begin for so long, and tells of them. */
  giveUp(afterMs: number): Promise<void>;
  /** Ends scans whose batch has ended, opens those again whose batch was retried, and cancels batches that have used up their budget. */
  settle(): Promise<void>;
}
