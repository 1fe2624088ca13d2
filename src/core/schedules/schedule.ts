import { anySearch, type SearchOptions } from '../ads/ads-answer.ts';
import type { ChangeKind } from '../changes/ad-change.ts';
import type { Completeness } from '../changes/observation.ts';
import { hasControlCharacter } from '../companies/control-character.ts';
import { ValidationError } from '../errors.ts';

/** Overlap policies for a tick while a scan of the schedule is open: create no scan, or one that waits. */
export const overlapPolicies = ['skip', 'queue'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** Catch-up policies for missed ticks: no scan, or one scan for all of them. */
export const catchUpPolicies = ['none', 'once'] as const;
export type CatchUpPolicy = (typeof catchUpPolicies)[number];

/** Bounds and defaults of the two settings that end an ad, and the maximum length of a name. Our choice. */
export const missesToEndBounds = { min: 1, max: 30, standard: 2 } as const;
export const staleDaysBounds = { min: 1, max: 3650, standard: 14 } as const;
export const nameCharsMax = 100;

/** Terms of a schedule that a person sets. Amounts in microcredits, null for no bound. */
export interface ScheduleTerms {
  /** Unique in the account. */
  readonly name: string;
  /** Five fields; see `parseCron`. */
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  readonly maxCreditsMicro: bigint | null;
  /** Budget of all scans that start on one day of the time zone. */
  readonly dayCreditsMicro: bigint | null;
  readonly overlap: OverlapPolicy;
  readonly catchUp: CatchUpPolicy;
  /** Complete scans in a row that must miss an ad to end it. */
  readonly missesToEnd: number;
  /** An ad that its own source last saw more than this many days ago has ended. */
  readonly staleDays: number;
  /** Webhooks that receive the events of its scans, by name; null for all that accept such events. */
  readonly notify: readonly string[] | null;
}

/** Defaults of a new schedule. */
export const standardTerms = {
  search: anySearch,
  maxCreditsMicro: null,
  dayCreditsMicro: null,
  overlap: 'skip',
  catchUp: 'once',
  missesToEnd: missesToEndBounds.standard,
  staleDays: staleDaysBounds.standard,
  notify: null,
} as const satisfies Partial<ScheduleTerms>;

/** Options that parse the file of a schedule. Every scan uses them. */
export interface FileOptions {
  readonly map?: Readonly<Record<string, string>>;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly skipLines?: number;
  readonly strict?: boolean;
  readonly noHeader?: boolean;
  readonly columns?: readonly string[];
}

/** The file of a schedule, decompressed; a table of another format than CSV as CSV, so that addresses can be erased from it. */
export interface ScheduleFile {
  readonly fileName: string;
  readonly content: Buffer;
  readonly options: FileOptions;
  /** Number of distinct companies, at least 1. */
  readonly companies: number;
}

/** A schedule as it is shown to people. */
export interface Schedule extends ScheduleTerms {
  readonly scheduleId: number;
  readonly publicId: string;
  readonly fileName: string;
  readonly companies: number;
  readonly state: 'active' | 'paused';
  /** The newest scan in any state; null before the first. */
  readonly lastScan: Scan | null;
  readonly createdAt: Date;
  /** Time of the read, by the database clock: the next ticks follow it. */
  readonly readAt: Date;
}

export const scanStates = ['waiting', 'running', 'finished', 'cancelled', 'skipped', 'missed'] as const;
export type ScanState = (typeof scanStates)[number];

export const scanCauses = ['tick', 'catch_up', 'manual'] as const;
export type ScanCause = (typeof scanCauses)[number];

/** One run of a schedule, or the reason why there was none. */
export interface Scan {
  readonly scanId: bigint;
  readonly publicId: string;
  /** Time of the tick; of the last one of several missed ticks; for a run by hand, the time of the request. */
  readonly dueAt: Date;
  readonly cause: ScanCause;
  readonly state: ScanState;
  /** Reason why it waits, was skipped or missed, in plain words. */
  readonly reason: string | null;
  /** Number of ticks that it covers. */
  readonly ticks: number;
  /** Public id; null until it starts. */
  readonly batch: string | null;
  readonly begunAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Result and cost of a scan. */
export interface ScanResult {
  /** Time of the last evaluation; null: not evaluated yet, and only the credits are valid. */
  readonly evaluatedAt: Date | null;
  /** Companies by the completeness of their answers, and those without one. */
  readonly companies: Readonly<Record<Completeness | 'failed', number>>;
  /** Running ads of these companies after the scan. */
  readonly adsActive: number;
  /** Number of changes by kind. */
  readonly changes: Readonly<Record<Exclude<ChangeKind, 'baseline'>, number>>;
  readonly chargedMicro: bigint;
}

/**
 * Parses the name of a schedule: a line of text that does not look like an id.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function readScheduleName(text: string, where: string): string {
  const name = text.trim();
  if (name === '' || name.length > nameCharsMax || hasControlCharacter(name))
    throw new ValidationError(`${where}: write 1 to ${nameCharsMax} characters on one line.`);
  if (/^sch_/i.test(name))
    throw new ValidationError(`${where} "${name}": names must not begin like the ids of schedules.`);
  return name;
}

/**
 * Parses the number of days after which an unseen ad has ended: `14d`, or `14`.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function readStaleDays(text: string, where: string): number {
  const { min, max, standard } = staleDaysBounds;
  const days = Number(/^(\d{1,4})d?$/.exec(text.trim())?.[1] ?? NaN);
  if (days >= min && days <= max) return days;
  throw new ValidationError(`${where} ${text}: write days from ${min}d to ${max}d, such as ${standard}d.`);
}
