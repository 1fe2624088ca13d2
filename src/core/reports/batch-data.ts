import type { Extent } from '../ads/ads-answer.ts';
import type { BatchSummary } from '../batches/batch.ts';
import type { AdsOutcome } from '../work/outcomes.ts';
import type { BatchHighlights } from './highlights.ts';
import type { AdRankings, Bounded, CompanyAd, FormatCount, NamedCompany } from './reported-ads.ts';

/** Data of a batch's report. */
export interface BatchData extends AdRankings {
  readonly summary: BatchSummary;
  /** Name of its account. */
  readonly account: string;
  /** Time of the latest event in the report. */
  readonly asOf: Date;
  /** In input order. */
  readonly companies: Bounded<CompanyOutcome>;
  /** Number of companies by outcome. */
  readonly outcomes: ReadonlyMap<AdsOutcome | 'open', number>;
  /** Rows without anything to look up, in input order. */
  readonly rejected: Bounded<RejectedRow>;
  /** Companies with the most ads, in descending order. */
  readonly mostAds: readonly CompanyOutcome[];
  /** Formats of all ads found, in descending order. */
  readonly formats: readonly FormatCount[];
  /** Ads that have run longest, by the days of their source; longest first. */
  readonly longest: readonly CompanyAd[];
  /** In input order, then in the order of the source. */
  readonly ads: Bounded<CompanyAd>;
  readonly highlights: BatchHighlights;
}

/** Outcome of a company in a batch. */
export interface CompanyOutcome {
  readonly company: NamedCompany;
  readonly outcome: AdsOutcome | 'open';
  /** Reason why it failed. */
  readonly reason: string | null;
  readonly source: string | null;
  readonly adsCount: number;
  /** True when there may be more ads: a later page failed, or the number of ads was limited. */
  readonly isCutShort: boolean;
  /** `Extent.estimate`. */
  readonly adsEstimate: Extent['estimate'];
}

/** A row without anything to look up. */
export interface RejectedRow {
  readonly lineNo: number;
  readonly reason: string;
}
