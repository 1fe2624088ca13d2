import type { ChangeCounts, ChangeKind } from './change-counts.ts';
import type { ScheduleHighlights } from './highlights.ts';
import type { Bounded, CompanyAd, FormatCount, NamedCompany, ShownAd } from './reported-ads.ts';

/** Completeness of a scan's answer about a company. */
export type Completeness = 'complete' | 'truncated' | 'partial' | 'unconfirmed_empty';

/** Data of a schedule's report: the scans of a span of days, and their changes. Days are `YYYY-MM-DD`, UTC. */
export interface ScheduleData {
  readonly schedule: ReportedSchedule;
  /** Name of its account. */
  readonly account: string;
  /** Time of the latest event in the report. */
  readonly asOf: Date;
  /** First and last day of the report; null without a scan. */
  readonly window: { readonly from: string; readonly to: string } | null;
  /** Newest first. */
  readonly scans: Bounded<ReportedScan>;
  /** Companies with an answer, in descending order of their ads. */
  readonly companies: Bounded<CompanyNow>;
  /** Running ads of all companies after the newest scan. */
  readonly adsActive: number;
  /** Companies with the most ads, in the order of `companies`. */
  readonly activity: readonly CompanyActivity[];
  /** Days with changes, oldest first. */
  readonly days: readonly DayOfChanges[];
  /** Formats of running ads, in descending order. */
  readonly formats: readonly FormatCount[];
  /** Running ads that have run longest, by the days of their source; longest first. */
  readonly longest: readonly CompanyAd[];
  /** Newest first. Excludes baselines: ads of a first scan, and those that an earlier scan may have missed. */
  readonly changes: Bounded<ReportedChange>;
  /** Number of ads in the baseline. */
  readonly baseline: number;
  /** Failed lookups of the newest scan with a batch; null without one. */
  readonly failures: ScanFailures | null;
  readonly highlights: ScheduleHighlights;
}

export interface ReportedSchedule {
  readonly publicId: string;
  readonly name: string;
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly fileName: string;
  /** Number of companies in its batch. */
  readonly companies: number;
  readonly sources: readonly string[];
  readonly state: 'active' | 'paused' | 'removed';
  readonly nextAt: Date | null;
  /** Complete scans in a row that must miss an ad to end it. */
  readonly missesToEnd: number;
  /** An ad that its source last saw longer ago has ended. */
  readonly staleDays: number;
  /** Start of the purge of its history; null before. */
  readonly purgedAt: Date | null;
}

export interface ReportedScan {
  readonly publicId: string;
  readonly dueAt: Date;
  readonly cause: 'tick' | 'catch_up' | 'manual';
  readonly state: 'waiting' | 'running' | 'finished' | 'cancelled' | 'skipped' | 'missed';
  /** Reason why it waits, was skipped or missed. */
  readonly reason: string | null;
  /** Number of ticks that it covers. */
  readonly ticks: number;
  /** Null if it created none. */
  readonly batch: string | null;
  /** Its changes have been computed. */
  readonly isEvaluated: boolean;
  /** Companies by the completeness of their answers, and those without one. */
  readonly companies: Readonly<
    Record<'complete' | 'truncated' | 'partial' | 'unconfirmed' | 'failed', number>
  >;
  readonly changes: ChangeCounts;
  readonly chargedMicro: bigint;
}

export interface DayOfChanges extends ChangeCounts {
  readonly day: string;
}

/** State of a company after its last scan. */
export interface CompanyNow {
  readonly company: NamedCompany;
  readonly adsActive: number;
  /** Completeness of the last answer. */
  readonly completeness: Completeness;
  readonly observedAt: Date;
  readonly changes: ChangeCounts;
}

/** Number of running ads of a company, by day. */
export interface CompanyActivity {
  readonly company: NamedCompany;
  /** Before the first day; null before the first observation. */
  readonly before: number | null;
  /** After the last scan of each day with one. */
  readonly days: readonly { readonly day: string; readonly adsActive: number }[];
}

export interface ReportedChange {
  readonly kind: ChangeKind;
  /** Reason of an end: `not_seen` or `last_seen_long_ago`. */
  readonly reason: string | null;
  readonly observedAt: Date;
  /** Days of the scans on which it is based, oldest first. */
  readonly restsOn: readonly string[];
  /** Last day on which an ended ad is known to have run. */
  readonly ranTo: string | null;
  readonly company: NamedCompany;
  readonly ad: ShownAd;
  /** Version before the change. */
  readonly before: AdLabels | null;
}

/** Texts of an ad. */
export type AdLabels = Pick<ShownAd, 'format' | 'headline' | 'description' | 'displayUrl' | 'finalUrl'>;

/** Companies without an answer in a scan. */
export interface ScanFailures {
  readonly scan: string;
  readonly batch: string;
  readonly dueAt: Date;
  readonly companies: Bounded<{ readonly company: NamedCompany; readonly reason: string }>;
  /** True when a retry is possible: the batch is finished. */
  readonly isRetriable: boolean;
}
