import type { SourcePace } from '../sources/source-call.ts';

/** Invariants that `nightshift verify` checks (docs/architecture/invariants.md), by number. */
const invariantTitles = {
  1: 'Every row of a batch is stored once, in order, and either rejected or answered by a lookup',
  2: 'A lookup has at most one outcome, and a finished batch no open lookup',
  3: 'Every lookup with a result has exactly one charge at its price, every other has none',
  4: 'Ledger entries add up to the balances without a gap, and no credits are held without open work',
  5: 'Every charge belongs to one lookup, every lookup to the rows of one batch or to one request',
  6: 'The ads and variants stored for a lookup are those of its answer',
  7: 'The same idempotency key has one effect and one response',
  8: 'Nothing stays claimed past its lease, and an empty queue means no open lookup',
  9: 'Calls to a source stay within its rate limit',
  10: 'Schedules in the queue are those of the table, and each due tick makes at most one scan',
  11: 'Exporting a finished batch twice gives equal bytes',
  12: 'Nothing of one account is visible to another, readers read reports only, and jobs carry ids only',
  13: 'Stored changes follow from the observations of scans, and each is reported once',
  14: 'Every file of an inbox that was loaded has a batch of its own, and no file ends without a batch or a reason',
  15: 'Every finished batch lands in each destination that takes it, and its parts add up',
} as const;

export type InvariantNumber = keyof typeof invariantTitles;

/** Maximum number of findings in a report; further ones are only counted. */
export const findingsMax = 20;

/**
 * `not_applicable`: there is no data yet that could break it, or something needed for the check was unavailable; `note` gives
 * the reason.
 */
export type InvariantStatus = 'holds' | 'broken' | 'not_applicable';

/** Result of one invariant. */
export interface InvariantReport {
  readonly number: InvariantNumber;
  readonly title: string;
  /** Number of checked items: rows, lookups, entries, and so on. */
  readonly checked: number;
  /** Number of further items that an earlier run proved, up to a signed checkpoint: they were not read again. */
  readonly proved: number;
  /** The first 20 findings, one line in plain words each, with ids. */
  readonly broken: readonly string[];
  readonly brokenCount: number;
  readonly status: InvariantStatus;
  /** Limits of this check, or remarks beside the findings; null: none. */
  readonly note: string | null;
}

export interface VerifyOptions {
  /**
   * True reads everything from the start. Default false: what an earlier run has proved, up to a signed checkpoint, is not read again.
   */
  readonly isFull?: boolean;
  /** Numbers of the invariants to check. Default all. */
  readonly only?: readonly InvariantNumber[];
  /**
   * Maximum time for which a chunk may stay claimed after its lease ended, a tick unfired or the queue behind the database,
   * until the reconciler runs; milliseconds, default 60,000. With less than the reconciler's interval, a healthy system is
   * reported as broken.
   */
  readonly rescueMs?: number;
  /**
   * True when the queue holds no job, including delayed and active jobs. Default null: unknown, and not checked. Pass true only
   * if a reconciler has run since the queue became empty: a batch that was just loaded is open with an empty queue, as is one
   * whose queue was just lost.
   */
  readonly queueIsEmpty?: boolean | null;
  /** Rate limits in force, by the name of the source. Default none: recorded calls are reported, not checked. */
  readonly paces?: ReadonlyMap<string, SourcePace>;
  /** Calls older than this may have run under another rate limit and are not checked; milliseconds, default one hour. */
  readonly paceAgeMsMax?: number;
  /** Reads the payloads of all jobs as JSON text, if the queue is not on this Postgres. Default none: jobs are not checked. */
  readonly readJobPayloads?: () => Promise<readonly string[]>;
  /** Reads the names of the queue's job schedulers. Default none: they are not compared with the schedules. */
  readonly readJobSchedulers?: () => Promise<readonly string[]>;
  /** Exports a batch twice and returns both SHA-256. Default none: invariant 11 is not checked. */
  readonly exportDigests?: (batchPublicId: string) => Promise<readonly [string, string]>;
  /** Receives each report as soon as it is ready. */
  readonly onReport?: (report: InvariantReport) => void;
}

/** Port: checks the invariants of the stored data. Reads all that is open in one snapshot, and changes nothing but its checkpoints. */
export interface VerifyStore {
  /** Returns all reports, in the order of their numbers. Takes seconds per million rows. */
  check(options?: VerifyOptions): Promise<readonly InvariantReport[]>;
}

/** A report of an invariant that was not checked. */
export function notApplicable(number: InvariantNumber, note: string): InvariantReport {
  const title = invariantTitles[number];
  return { number, title, checked: 0, proved: 0, broken: [], brokenCount: 0, status: 'not_applicable', note };
}

/** A report from findings. `findings` may be truncated after the twentieth. */
export function reportOf(
  number: InvariantNumber,
  { checked, proved = 0, findings, findingsTotal, note }: Evaluation,
): InvariantReport {
  return {
    number,
    title: invariantTitles[number],
    checked,
    proved,
    broken: findings.slice(0, findingsMax),
    brokenCount: findingsTotal,
    status: findingsTotal === 0 ? 'holds' : 'broken',
    note,
  };
}

/** Remark on items that were not read again. */
export function provedNote(items: 'Entries' | 'Rows' | 'Lookups' | 'Lookups and ads'): string {
  return `${items} before the newest checkpoint were proved by an earlier run; --full reads them again.`;
}

/** Result of the check of an invariant. */
export interface Evaluation {
  readonly checked: number;
  /** Default 0. */
  readonly proved?: number;
  readonly findings: readonly string[];
  readonly findingsTotal: number;
  readonly note: string | null;
}
