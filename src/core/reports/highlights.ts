import type { ChangeCounts } from './change-counts.ts';
import type { CompanyAd, NamedCompany } from './reported-ads.ts';

/** Number of days that the first page of a report covers, the last day included. */
export const highlightDays = 7;

/** First and last day, `YYYY-MM-DD`, UTC. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/** A company whose ads changed. */
export interface CompanyMove {
  readonly company: NamedCompany;
  /** Running ads after its last scan. */
  readonly adsActive: number;
  readonly changes: ChangeCounts;
}

/** Companies with changes: those with the largest change of running ads first, and the number of all. */
export interface CompanyMoves {
  readonly rows: readonly CompanyMove[];
  readonly total: number;
}

/** Data of the first page of a batch's report. */
export interface BatchHighlights {
  /** The last days, up to the day of the report. */
  readonly week: DaySpan;
  /** Ads whose source gives a first day within the week, and the companies with such ads. */
  readonly adsBegun: number;
  readonly companiesBegun: number;
  /** Ads without a first day. */
  readonly adsUndated: number;
  /** Ads with a first day, newest first; bounded. */
  readonly newest: readonly CompanyAd[];
  /** Null for a batch that is no scan. */
  readonly scan: ScanHighlights | null;
}

/** Comparison of a scan with the scan before it. */
export interface ScanHighlights {
  readonly isEvaluated: boolean;
  /** True without an earlier scan. */
  readonly isFirst: boolean;
  readonly changes: ChangeCounts;
  readonly moves: CompanyMoves;
}

/** Data of the first page of a schedule's report. */
export interface ScheduleHighlights {
  /** The last days of the period; null without a scan. */
  readonly week: DaySpan | null;
  /** Number of evaluated scans, including those before the period. */
  readonly scansEvaluated: number;
  /** Changes within the week. */
  readonly moves: CompanyMoves;
  /** Companies without running ads after their last scan, and those of them that the next scan has to confirm. */
  readonly withoutAds: number;
  readonly unconfirmed: number;
}
