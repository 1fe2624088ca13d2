import type { LimitsAtSources } from '../accounts/account-limits.ts';
import type { CallLease } from '../work/lease-keeper.ts';
import type { Pause, Throttle } from '../work/wait-cause.ts';
import type { CalledSource } from './ad-source.ts';
import type { Caller, SourceCallLog } from './call-log.ts';
import type { PlaceOptions } from './pace/call-place.ts';
import type { Share } from './pace/fair-queue.ts';
import type { SourceLines } from './pace/source-line.ts';
import type { WaitBudget } from './wait-budget.ts';

/** The parts of the calls of a lookup to a source. */
export interface CallOptions extends PlaceOptions {
  readonly calls: SourceCallLog;
  /** Wait budget for reservations. */
  readonly waitBudget: WaitBudget;
  /** True when a rescheduled lookup is retried later; false for one whose caller waits. */
  readonly comesBack: boolean;
  /** The account for which the calls are made, and its limits at sources. */
  readonly caller: { readonly accountId: number; readonly limits: LimitsAtSources };
  /** Line in which the calls wait for their sources, and their share of it. Default: they do not wait for others. */
  readonly line?: { readonly lines: SourceLines; readonly share: Share } | undefined;
  /** The lease under which the calls are made. */
  readonly lease: CallLease;
  /** Pause after the source rejected the credential or the address; milliseconds. */
  readonly refusedWaitMs: number;
  /** Number of equal rejections in a row that pause the source. Default: three. */
  readonly refusalsAlikeMax?: number;
  /** Installations that have passed on the lookup; empty if it started here. */
  readonly via: readonly string[];
  /** Monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
  /** Receives internal errors that do not affect the answer. */
  readonly onError: (error: unknown) => void;
  /** Receives the cause of each delay of calls: for status, doctor and logs. An error goes to `onError`. Default: not reported. */
  readonly onWait?: WaitListener;
}

/** Receives why calls to a source wait: a pause, or a throttle. */
export type WaitListener = (source: CalledSource, wait: Pause | Throttle) => Promise<void>;

/** The caller of calls to this source. */
export function callerOf(source: CalledSource, { caller, comesBack }: CallOptions): Caller {
  const { accountId, limits } = caller;
  return { accountId, limits: limits.get(source.name) ?? null, isSearch: !comesBack };
}
