import type { Extent } from '../ads/ads-answer.ts';
import type { BatchSummary } from '../batches/batch.ts';
import type { AdsOutcome } from '../work/outcomes.ts';
import type { Bounded, CompanyAd, FormatCount, NamedCompany } from './reported-ads.ts';

/** Data of a batch's report. */
export interface BatchData {
  readonly summary: BatchSummary;
  /** When the last thing happened that is told here. */
  readonly asOf: Date;
  /** In the order of the list. */
  readonly companies: Bounded<CompanyOutcome>;
  /** Number of companies by outcome. */
  readonly outcomes: ReadonlyMap<AdsOutcome | 'open', number>;
  /** Rows that name nothing to look up, in the order of the list. */
  readonly rejected: Bounded<RejectedRow>;
  /** Companies with the most ads, in descending order. */
  readonly mostAds: readonly CompanyOutcome[];
  /** Formats of all ads found, in descending order. */
  readonly formats: readonly FormatCount[];
  /** The ads that have run for the longest, by what their source says; the longest first. */
  readonly longest: readonly CompanyAd[];
  /** In the order of the list, and of the source. */
  readonly ads: Bounded<CompanyAd>;
}

/** Outcome of a company in a batch. */
export interface CompanyOutcome {
  readonly company: NamedCompany;
  readonly outcome: AdsOutcome | 'open';
  /** Why it failed. */
  readonly reason: string | null;
  readonly source: string | null;
  readonly adsCount: number;
  /** There may be more ads: a later page could not be had, or no more were asked for. */
  readonly isCutShort: boolean;
  /** `Extent.estimate`. */
  readonly adsEstimate: Extent['estimate'];
}

/** A row that names nothing to look up. */
export interface RejectedRow {
  readonly lineNo: number;
  readonly reason: string;
}
