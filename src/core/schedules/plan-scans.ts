import type { DueTicks, LateTicks } from './ticks.ts';
import type { CatchUpPolicy, OverlapPolicy, ScanCause, ScanState } from './schedule.ts';

/** A scan that is not over: it stands in the way of the next. */
export interface OpenScan {
  readonly state: 'waiting' | 'running';
  readonly dueAt: Date;
  /** Public id; null until it begins. */
  readonly batch: string | null;
}

/** A row to be written. */
export interface PlannedScan {
  readonly dueAt: Date;
  readonly cause: ScanCause;
  readonly state: Extract<ScanState, 'waiting' | 'skipped' | 'missed'>;
  readonly reason: string | null;
  readonly ticks: number;
  /** The missed ticks that the account is told of with this row; null for none. */
  readonly missed: (LateTicks & { readonly caughtUp: boolean }) | null;
}

/** State and settings that decide on ticks. */
export interface PlanOptions {
  readonly overlap: OverlapPolicy;
  readonly catchUp: CatchUpPolicy;
  readonly openScans: readonly OpenScan[];
}

/**
 * Plans the scans of the ticks that are due: A tick that is on time makes a scan, as far as overlap allows, and those before it are over
 * with it. Where all are late, catch-up says whether one scan is made for them together.
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

/** Decides if one more scan may be made, and how. */
export function admit({ overlap, openScans }: Omit<PlanOptions, 'catchUp'>): Admitted {
  const [open] = openScans;
  if (open === undefined) return { state: 'waiting', reason: null };
  const what = `the scan that was due at ${open.dueAt.toISOString()} ${open.state === 'running' ? `(${open.batch ?? ''}) still runs` : 'has not begun yet'}`;
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

/** Not late, and over all the same: no alarm. */
function overtaken(ticks: readonly Date[]): readonly PlannedScan[] {
  const dueAt = ticks.at(-1);
  if (dueAt === undefined) return [];
  const reason = 'the next one was due already';
  return [{ dueAt, cause: 'tick', state: 'skipped', reason, ticks: ticks.length, missed: null }];
}
