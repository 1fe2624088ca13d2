import type { AdsOutcome } from '../work/outcomes.ts';
import type { CompanyOutcome } from './batch-data.ts';
import type { Bounded, CompanyAd, FormatCount } from './reported-ads.ts';
import type { CompanyActivity, CompanyNow, Completeness, DayOfChanges } from './schedule-data.ts';

/** Days that charts go back, unless others are asked for; and the most that may be. Our choice. */
export const chartDaysUsual = 90;
export const chartDaysMax = 366;

/** Data of charts, in the words of reports. Plain JSON, stored as such. Days are `YYYY-MM-DD`, UTC. */
export interface DrawnDays {
  /** First and last; null while there is nothing to tell of any day. */
  readonly window: { readonly from: string; readonly to: string } | null;
  /** Number of running ads of the companies with the most ads. An absent day repeats the day before it. */
  readonly activity: readonly CompanyActivity[];
}

/** Data of a batch's charts. An ad runs from its first day to its last day at the source. */
export interface BatchFigures extends DrawnDays {
  /** Distinct ones. */
  readonly companies: number;
  /** Number of companies by outcome; outcomes without companies are absent. */
  readonly outcomes: Readonly<Partial<Record<AdsOutcome | 'open', number>>>;
  /** Ads that were found; and those of them whose source gives both days. */
  readonly ads: number;
  readonly adsDated: number;
  /** Days on which ads began, or were last seen; the first first. */
  readonly days: readonly DayOfAds[];
  /** The most first. */
  readonly formats: readonly FormatCount[];
  /** The longest first. */
  readonly longest: readonly CompanyAd[];
  /** The companies with the most ads, the most first. */
  readonly mostAds: readonly CompanyOutcome[];
}

export interface DayOfAds {
  readonly day: string;
  readonly begun: number;
  readonly lastSeen: number;
}

/** Data of a schedule's charts, after its newest evaluated scan. */
export interface ScheduleFigures extends DrawnDays {
  /** Companies that some scan said something about, the most ads first; the first of them. */
  readonly companies: Bounded<DrawnCompany>;
  /** Number of companies by the completeness of their last answer. */
  readonly completeness: Readonly<Partial<Record<Completeness, number>>>;
  readonly adsActive: number;
  /** Days with changes, the first first. */
  readonly days: readonly DayOfChanges[];
  readonly formats: readonly FormatCount[];
  readonly longest: readonly CompanyAd[];
}

/** A company with its ads that run. */
export type DrawnCompany = Pick<CompanyNow, 'company' | 'adsActive' | 'completeness'>;

/** Figures, and how far they can be relied on. */
export interface Charts<Figures> {
  readonly publicId: string;
  readonly name: string;
  /** When they were counted. */
  readonly asOf: Date;
  /** They say what the record says; false: more has happened since, and they will be counted anew. */
  readonly isCurrent: boolean;
  readonly figures: Figures;
}

/** Port: what charts draw. Of a large list it is counted seldom, and told from when it is. */
export interface ChartStore {
  /**
   * Reads the charts of a batch over the last `days` days, which end with the newest day of its ads.
   *
   * @throws NotFound when the account has no such batch; Conflict when it was purged.
   */
  readBatch(accountId: number, publicId: string, days: number): Promise<Charts<BatchFigures>>;
  /**
   * Reads the charts of a schedule over the last `days` days, which end with that of its newest scan.
   *
   * @param schedule its name, or its id `sch_…`, also of a removed schedule.
   * @throws NotFound when the account has no such schedule.
   */
  readSchedule(accountId: number, schedule: string, days: number): Promise<Charts<ScheduleFigures>>;
  /** Counts what has lately come to its end and is large, so that whoever reads it first need not wait; until it is called off. */
  keepUp(signal: AbortSignal): Promise<void>;
}
