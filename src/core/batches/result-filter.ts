import type { EmailStatus, Recommendation } from '../emails/verdict/verdict.ts';
import type { RowRange } from '../rows/row-ranges.ts';
import type { AdsOutcome } from '../work/outcomes.ts';

/** Outcome of a row of a batch. */
export type RowOutcome = AdsOutcome | 'rejected' | 'open';

/**
 * Filter of the results of a batch; null: any. It applies to a row together with one of its ads: a row matches with one of its
 * ads, or without any if no field concerns ads.
 */
export interface ResultFilter {
  /**
   * All of these must occur, case-insensitively, in the row (its cells, its company's domain) or in the ad (advertiser,
   * headline, display address).
   */
  readonly words: readonly string[];
  /** Key of a company: `CompanyQuery.key`. */
  readonly companyKey: string | null;
  readonly outcome: RowOutcome | null;
  /** Reason why the row was rejected or one of its lookups failed. */
  readonly reason: string | null;
  readonly emailStatus: EmailStatus | null;
  readonly recommendation: Recommendation | null;
  readonly advertiserId: string | null;
  /** Case-insensitive. */
  readonly format: string | null;
  /** Last seen by its source on this day or later, `YYYY-MM-DD`. */
  readonly seenSince: string | null;
  /** Rows by number, in order and without overlaps. */
  readonly rows: readonly RowRange[] | null;
}

/** Everything. */
export const wholeResult: ResultFilter = {
  words: [],
  companyKey: null,
  outcome: null,
  reason: null,
  emailStatus: null,
  recommendation: null,
  advertiserId: null,
  format: null,
  seenSince: null,
  rows: null,
};

/** True when the filter has any condition. */
export function isNarrowed({ words, ...others }: ResultFilter): boolean {
  return words.length > 0 || Object.values(others).some((value) => value !== null);
}

/** True when a field of the filter concerns ads. */
export function asksForAds({ advertiserId, format, seenSince }: ResultFilter): boolean {
  return [advertiserId, format, seenSince].some((value) => value !== null);
}

/** True when no row can match: filters on ads match only rows with ads. */
export function wantsNothing(filter: ResultFilter): boolean {
  return asksForAds(filter) && filter.outcome !== null && filter.outcome !== 'found';
}

/** The words of a search text. */
export function splitWords(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}
