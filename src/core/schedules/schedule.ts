import { anySearch, type SearchOptions } from '../ads/ads-answer.ts';
import type { ChangeKind } from '../changes/ad-change.ts';
import type { Completeness } from '../changes/observation.ts';
import { hasControlCharacter } from '../companies/control-character.ts';
import { ValidationError } from '../errors.ts';

/** Overlap policies for a tick while a scan of the schedule is open: it makes no scan, or one that waits. */
export const overlapPolicies = ['skip', 'queue'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** Catch-up policies for missed ticks: no scan, or one scan for all of them. */
export const catchUpPolicies = ['none', 'once'] as const;
export type CatchUpPolicy = (typeof catchUpPolicies)[number];

/** The bounds of the two numbers that end an ad, and what they are by default; and of a schedule's name. Our choice. */
export const missesToEndBounds = { min: 1, max: 30, standard: 2 } as const;
export const staleDaysBounds = { min: 1, max: 3650, standard: 14 } as const;
export const nameCharsMax = 100;

/** Terms of a schedule that a person sets. Amounts in microcredits, null for no bound. */
export interface ScheduleTerms {
  /** Unlike those of the account's other schedules. */
  readonly name: string;
  /** Five fields; see `parseCron`. */
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  readonly maxCreditsMicro: bigint | null;
  /** Budget of all scans that begin on one day of the zone. */
  readonly dayCreditsMicro: bigint | null;
  readonly overlap: OverlapPolicy;
  readonly catchUp: CatchUpPolicy;
  /** Complete scans in a row that must miss an ad to end it. */
  readonly missesToEnd: number;
  /** An ad that the source itself last saw so many days ago has ended. */
  readonly staleDays: number;
  /** The webhooks that are told of its scans, by name; null for all that take such events. */
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

/** The file of a schedule, decompressed. */
export interface ScheduleFile {
  readonly fileName: string;
  readonly content: Buffer;
  readonly options: FileOptions;
  /** Number of distinct companies, at least 1. */
  readonly companies: number;
}

/** A schedule as people ask about it. */
export interface Schedule extends ScheduleTerms {
  readonly scheduleId: number;
  readonly publicId: string;
  readonly fileName: string;
  readonly companies: number;
  readonly state: 'active' | 'paused';
  /** The newest, whatever became of it; null before the first. */
  readonly lastScan: Scan | null;
  readonly createdAt: Date;
  /** When it was read, by the database's clock: what comes next comes after it. */
  readonly readAt: Date;
}

export const scanStates = ['waiting', 'running', 'finished', 'cancelled', 'skipped', 'missed'] as const;
export type ScanState = (typeof scanStates)[number];

export const scanCauses = ['tick', 'catch_up', 'manual'] as const;
export type ScanCause = (typeof scanCauses)[number];

/** One run of a schedule, or why there was none. */
export interface Scan {
  readonly scanId: bigint;
  readonly publicId: string;
  /** The tick it is for, of several missed ones the last; of a run by hand, when that was asked for. */
  readonly dueAt: Date;
  readonly cause: ScanCause;
  readonly state: ScanState;
  /** Why it waits, was skipped or missed, in plain words. */
  readonly reason: string | null;
  /** Number of ticks that it covers. */
  readonly ticks: number;
  /** Public id; null until it begins. */
  readonly batch: string | null;
  readonly begunAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Result and cost of a scan. */
export interface ScanResult {
  /** When its changes were last worked out; null: they are not yet, and what else stands here is of no use but for the credits. */
  readonly evaluatedAt: Date | null;
  /** Companies by how complete the answer about them is, and those without one. */
  readonly companies: Readonly<Record<Completeness | 'failed', number>>;
  /** Ads of these companies that run, as far as was known after it. */
  readonly adsActive: number;
  /** News by kind. */
  readonly changes: Readonly<Record<Exclude<ChangeKind, 'baseline'>, number>>;
  readonly chargedMicro: bigint;
}

/**
 * The name of a schedule: a line of text that is no id.
 *
 * @throws ValidationError naming `where`, an option or a field.
 */
export function readScheduleName(text: string, where: string): string {
  const name = text.trim();
  if (name === '' || name.length > nameCharsMax || hasControlCharacter(name))
    throw new ValidationError(`${where}: write 1 to ${nameCharsMax} characters on one line.`);
  if (/^sch_/i.test(name)) throw new ValidationError(`${where} "${name}": ids of schedules begin like that.`);
  return name;
}

/**
 * Reads after how many days without a sign of life an ad has ended: `14d`, or `14`.
 *
 * @throws ValidationError naming `where`, an option or a field.
 */
export function readStaleDays(text: string, where: string): number {
  const { min, max, standard } = staleDaysBounds;
  const days = Number(/^(\d{1,4})d?$/.exec(text.trim())?.[1] ?? NaN);
  if (days >= min && days <= max) return days;
  throw new ValidationError(`${where} ${text}: write days from ${min}d to ${max}d, such as ${standard}d.`);
}
