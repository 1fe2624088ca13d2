import type { AdsOutcome } from '../work/outcomes.ts';
import type { CompanyOutcome } from './batch-data.ts';
import type { AdRankings, Bounded, CompanyAd, FormatCount } from './reported-ads.ts';
import type { CompanyActivity, CompanyNow, Completeness, DayOfChanges } from './schedule-data.ts';

/** Default and maximum number of days of a chart. Our choice. */
export const chartDaysUsual = 90;
export const chartDaysMax = 366;

/** Data of charts, in the terms of reports. Plain JSON, stored as such. Days are `YYYY-MM-DD`, UTC. */
export interface DrawnDays {
  /** First and last day; null without data. */
  readonly window: { readonly from: string; readonly to: string } | null;
  /** Number of running ads of the companies with the most ads. An absent day repeats the day before it. */
  readonly activity: readonly CompanyActivity[];
}

/** Data of a batch's charts. An ad runs from its first day to its last day at the source. */
export interface BatchFigures extends DrawnDays, AdRankings {
  /** Number of distinct companies. */
  readonly companies: number;
  /** Number of companies by outcome; outcomes without companies are absent. */
  readonly outcomes: Readonly<Partial<Record<AdsOutcome | 'open', number>>>;
  /** Number of ads, and of those whose source gives both days. */
  readonly ads: number;
  readonly adsDated: number;
  /** Days on which ads started or were last seen, oldest first. */
  readonly days: readonly DayOfAds[];
  /** In descending order. */
  readonly formats: readonly FormatCount[];
  /** Longest first. */
  readonly longest: readonly CompanyAd[];
  /** Companies with the most ads, in descending order. */
  readonly mostAds: readonly CompanyOutcome[];
}

export interface DayOfAds {
  readonly day: string;
  readonly begun: number;
  readonly lastSeen: number;
}

/** Data of a schedule's charts, after its newest evaluated scan. */
export interface ScheduleFigures extends DrawnDays {
  /** Observed companies with the most ads, in descending order; bounded. */
  readonly companies: Bounded<DrawnCompany>;
  /** Number of companies by the completeness of their last answer. */
  readonly completeness: Readonly<Partial<Record<Completeness, number>>>;
  readonly adsActive: number;
  /** Days with changes, oldest first. */
  readonly days: readonly DayOfChanges[];
  readonly formats: readonly FormatCount[];
  readonly longest: readonly CompanyAd[];
}

/** A company with its number of running ads. */
export type DrawnCompany = Pick<CompanyNow, 'company' | 'adsActive' | 'completeness'>;

/** Data of charts, and its freshness. */
export interface Charts<Figures> {
  readonly publicId: string;
  readonly name: string;
  /** Time of the count. */
  readonly asOf: Date;
  /** True when the data is up to date; false: there are newer results, and the data will be recounted. */
  readonly isCurrent: boolean;
  readonly figures: Figures;
}

/** Port: data of charts. For large batches it is recounted rarely, and `asOf` tells its age. */
export interface ChartStore {
  /**
   * Reads the charts of a batch over the last `days` days, which end with the newest day of its ads.
   *
   * @throws NotFound when the account has no such batch; Conflict when it was purged.
   */
  readBatch(accountId: number, publicId: string, days: number): Promise<Charts<BatchFigures>>;
  /**
   * Reads the charts of a schedule over the last `days` days, which end with the day of its newest scan.
   *
   * @param schedule its name, or its id `sch_…`, also of a removed schedule.
   * @throws NotFound when the account has no such schedule.
   */
  readSchedule(accountId: number, schedule: string, days: number): Promise<Charts<ScheduleFigures>>;
  /**
   * Counts large batches and schedules that have recently finished, so that their first reader does not wait; until the signal
   * aborts.
   */
  keepUp(signal: AbortSignal): Promise<void>;
}
