import type { Bounded, CompanyAd, FormatCount, NamedCompany, ShownAd } from './reported-ads.ts';

/** Completeness of a scan's answer about a company. */
export type Completeness = 'complete' | 'truncated' | 'partial' | 'unconfirmed_empty';

/** Data of a schedule's report: its scans of some days, and their changes. Days are `YYYY-MM-DD`, UTC. */
export interface ScheduleData {
  readonly schedule: ReportedSchedule;
  /** When the last thing happened that is told here. */
  readonly asOf: Date;
  /** The days that are told of, first and last; null while there is no scan. */
  readonly window: { readonly from: string; readonly to: string } | null;
  /** The newest first. */
  readonly scans: Bounded<ReportedScan>;
  /** Companies with an answer, those with the most ads first. */
  readonly companies: Bounded<CompanyNow>;
  /** Ads that run, of all companies, as far as is known after the newest scan. */
  readonly adsActive: number;
  /** Companies with the most ads, in the order of `companies`. */
  readonly activity: readonly CompanyActivity[];
  /** Days with changes, the first first. */
  readonly days: readonly DayOfChanges[];
  /** Formats of running ads, in descending order. */
  readonly formats: readonly FormatCount[];
  /** The ads that run and have done so for the longest, by what their source says; the longest first. */
  readonly longest: readonly CompanyAd[];
  /** News alone, the newest first: what a first scan found, or an earlier one had missed, is none. */
  readonly changes: Bounded<ReportedChange>;
  /** Number of ads in the baseline. */
  readonly baseline: number;
  /** Failed lookups of the newest scan with a batch; null without one. */
  readonly failures: ScanFailures | null;
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
}

export interface ReportedScan {
  readonly publicId: string;
  readonly dueAt: Date;
  readonly cause: 'tick' | 'catch_up' | 'manual';
  readonly state: 'waiting' | 'running' | 'finished' | 'cancelled' | 'skipped' | 'missed';
  /** Why it waits, was skipped or missed. */
  readonly reason: string | null;
  /** Ticks that it stands for. */
  readonly ticks: number;
  /** Null where it made none. */
  readonly batch: string | null;
  /** Its changes have been computed. */
  readonly isEvaluated: boolean;
  /** Companies by how complete the answer about them is, and those without one. */
  readonly companies: Readonly<
    Record<'complete' | 'truncated' | 'partial' | 'unconfirmed' | 'failed', number>
  >;
  readonly changes: ChangeCounts;
  readonly chargedMicro: bigint;
}

/** News by their kind. */
export type ChangeCounts = Readonly<Record<ChangeKind, number>>;
export type ChangeKind = 'new' | 'reactivated' | 'changed' | 'ended';

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
  /** Before the first day that is told of; null while nobody had looked. */
  readonly before: number | null;
  /** After the last scan of each day with one. */
  readonly days: readonly { readonly day: string; readonly adsActive: number }[];
}

export interface ReportedChange {
  readonly kind: ChangeKind;
  /** Reason of an end: `not_seen` or `last_seen_long_ago`. */
  readonly reason: string | null;
  readonly observedAt: Date;
  /** The days of the scans it rests on, the first first. */
  readonly restsOn: readonly string[];
  /** The last day that an ended ad is known to have run. */
  readonly ranTo: string | null;
  readonly company: NamedCompany;
  readonly ad: ShownAd;
  /** Version before the change. */
  readonly before: AdLabels | null;
}

/** Texts of an ad. */
export type AdLabels = Pick<ShownAd, 'format' | 'headline' | 'description' | 'displayUrl' | 'finalUrl'>;

/** The companies that a scan has no answer about. */
export interface ScanFailures {
  readonly scan: string;
  readonly batch: string;
  readonly dueAt: Date;
  readonly companies: Bounded<{ readonly company: NamedCompany; readonly reason: string }>;
  /** True when a retry is possible: the batch is finished. */
  readonly isRetriable: boolean;
}
