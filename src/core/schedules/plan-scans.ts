import type { DueTicks, LateTicks } from './ticks.ts';
import type { CatchUpPolicy, OverlapPolicy, ScanCause, ScanState } from './schedule.ts';

/** A scan that is not finished and blocks the next one. */
export interface OpenScan {
  readonly state: 'waiting' | 'running';
  readonly dueAt: Date;
  /** Public id; null until it starts. */
  readonly batch: string | null;
}

/** A row to insert. */
export interface PlannedScan {
  readonly dueAt: Date;
  readonly cause: ScanCause;
  readonly state: Extract<ScanState, 'waiting' | 'skipped' | 'missed'>;
  readonly reason: string | null;
  readonly ticks: number;
  /** Missed ticks that this row reports to the account; null for none. */
  readonly missed: (LateTicks & { readonly caughtUp: boolean }) | null;
}

/** State and settings that decide about ticks. */
export interface PlanOptions {
  readonly overlap: OverlapPolicy;
  readonly catchUp: CatchUpPolicy;
  readonly openScans: readonly OpenScan[];
}

/**
 * Plans the scans of due ticks. A tick that is on time creates a scan, if the overlap policy allows it, and supersedes earlier
 * ticks. If all ticks are late, the catch-up policy decides whether one scan covers them all.
 */
export function planScans(
  { late, onTime }: Omit<DueTicks, 'next'>,
  options: PlanOptions,
): readonly PlannedScan[] {
  const last = onTime.at(-1);
  const admitted = admit(options);
  const isAdmitted = admitted.state === 'waiting';
  if (last === undefined) {
    if (late === null) return [];
    if (options.catchUp === 'none') return [missedRow(late, 'no dispatcher was running', false)];
    if (!isAdmitted)
      return [missedRow(late, `no dispatcher was running, and then ${admitted.reason}`, false)];
    const missed = { ...late, caughtUp: true };
    return [{ dueAt: late.last, cause: 'catch_up', ...admitted, ticks: late.count, missed }];
  }
  return [
    ...(late === null ? [] : [missedRow(late, 'no dispatcher was running', isAdmitted)]),
    ...overtaken(onTime.slice(0, -1)),
    { dueAt: last, cause: 'tick', ...admitted, ticks: 1, missed: null },
  ];
}

/** Decides whether and how one more scan may be created. */
export function admit({ overlap, openScans }: Omit<PlanOptions, 'catchUp'>): Admitted {
  const [open] = openScans;
  if (open === undefined) return { state: 'waiting', reason: null };
  const what = `the scan that was due at ${open.dueAt.toISOString()} ${open.state === 'running' ? `(${open.batch ?? ''}) still runs` : 'has not started yet'}`;
  if (overlap === 'skip') return { state: 'skipped', reason: what };
  if (openScans.some(({ state }) => state === 'waiting'))
    return { state: 'skipped', reason: `${what}, and one at a time waits` };
  return { state: 'waiting', reason: what };
}

export type Admitted =
  | { readonly state: 'waiting'; readonly reason: string | null }
  | { readonly state: 'skipped'; readonly reason: string };

function missedRow(late: LateTicks, reason: string, caughtUp: boolean): PlannedScan {
  const { last: dueAt, count: ticks } = late;
  return { dueAt, cause: 'tick', state: 'missed', reason, ticks, missed: { ...late, caughtUp } };
}

/** Ticks that are on time but superseded: not reported as missed. */
function overtaken(ticks: readonly Date[]): readonly PlannedScan[] {
  const dueAt = ticks.at(-1);
  if (dueAt === undefined) return [];
  const reason = 'the next one was already due';
  return [{ dueAt, cause: 'tick', state: 'skipped', reason, ticks: ticks.length, missed: null }];
}
