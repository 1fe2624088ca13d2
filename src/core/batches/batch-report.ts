import type { Extent } from '../ads/ads-answer.ts';
import type { Relation } from '../ads/relate.ts';
import type { Operation } from '../credits/price-book.ts';
import type { EmailStatus, Recommendation, VerificationLevel } from '../emails/verdict/verdict.ts';
import type { AdsOutcome, EmailOutcome } from '../work/outcomes.ts';
import type { ResultFilter } from './result-filter.ts';

/** One line of a report: an input row with its outcome, and for the finer shapes one of its ads and one variant of that. */
export interface ReportLine {
  /** The user's own cells, as read from the file. */
  readonly cells: readonly string[];
  /** Counts data rows, from 1. */
  readonly rowNo: number;
  /** The line of the file where the row begins, from 1. */
  readonly lineNo: number;
  /** Outcome of the ads search; null for a row that names no company. */
  readonly outcome: AdsOutcome | 'rejected' | 'open' | null;
  /** The company that it names, as it was looked up; of a page of rows. */
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  /** Why it was rejected, or why its ads search failed. */
  readonly reason: string | null;
  readonly warning: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  /** When the source said it; null while nobody has. */
  readonly observedAt: Date | null;
  /** An earlier answer of the account is shown again; null while there is none. */
  readonly isRepeat: boolean | null;
  /** A later page could not be had: the ads are some of those there are. Null while there is no answer. */
  readonly isPartial: boolean | null;
  /** There are more ads than were asked for. Null while there is no answer. */
  readonly isTruncated: boolean | null;
  /** `Extent.estimate`. */
  readonly adsEstimate: Extent['estimate'];
  readonly adsCount: number;
  /**
   * The charge of the row's ads search on the first line of its first row, 0 on all others
   * (docs/architecture/decisions/0007-one-lookup-per-subject.md): a column of them adds up.
   */
  readonly chargedMicro: bigint;
  /** Result for the address; null for a row without one. */
  readonly email: ReportedEmail | null;
  readonly ad: ReportedAd | null;
  readonly variant: ReportedVariant | null;
}

/** Outcome of the validation of a row's address. The fields of a verdict are null without one. */
export interface ReportedEmail {
  readonly outcome: EmailOutcome | 'open';
  /** Why it failed. */
  readonly reason: string | null;
  readonly status: EmailStatus | null;
  readonly subStatus: string | null;
  readonly recommendation: Recommendation | null;
  readonly level: VerificationLevel | null;
  readonly reasons: readonly string[];
  readonly normalised: string | null;
  readonly didYouMean: string | null;
  readonly isDisposable: boolean | null;
  readonly isRole: boolean | null;
  readonly isFree: boolean | null;
  readonly isCatchAll: boolean | null;
  readonly mxRecord: string | null;
  readonly mxProvider: string | null;
  readonly checkedAt: Date | null;
  /** As the charge of the ads search. */
  readonly chargedMicro: bigint;
}

/** An ad as a line of a report has it. Days are `YYYY-MM-DD`, UTC. */
export interface ReportedAd {
  readonly advertiserId: string | null;
  readonly creativeId: string | null;
  readonly advertiserName: string | null;
  readonly format: string | null;
  readonly originalUrl: string | null;
  readonly start: string | null;
  readonly lastSeen: string | null;
  readonly headline: string | null;
  readonly description: string | null;
  readonly displayUrl: string | null;
  readonly finalUrl: string | null;
  readonly adType: string | null;
  readonly variantsCount: number;
  /** Relation of the ad to the company. */
  readonly relation: Relation;
}

export interface ReportedVariant {
  readonly content: string;
  readonly height: number | null;
  readonly width: number | null;
}

export type ReportDepth = 'rows' | 'ads' | 'variants';

/** Part of a batch to report. */
export interface ReportPart {
  readonly depth: ReportDepth;
  /** Default: everything. */
  readonly filter?: ResultFilter;
}

/** Port: a batch's lines, in input order. */
export interface BatchReportStore {
  /**
   * Lets `use` read the lines of a batch as they stand at one moment, in constant memory.
   *
   * Every input row is there at least once: with `ads` once per ad, with `variants` once per variant, and a row without any
   * once all the same. Narrowed by a filter, with `rows` every row that is wanted is there, otherwise every ad that is wanted.
   *
   * @throws Conflict for a batch that was purged.
   */
  read<T>(
    batchId: number,
    part: ReportPart,
    use: (lines: AsyncIterable<readonly ReportLine[]>, form: ReportForm) => Promise<T>,
  ): Promise<T>;
  /** The rows that follow the given one, in input order. @throws Conflict for a batch that was purged. */
  readPage(batchId: number, page: ReportPlace): Promise<ReportPage>;
}

/** Selection of rows. */
export interface ReportPlace {
  readonly afterRow: number;
  readonly limit: number;
  /** Default: everything. */
  readonly filter?: ResultFilter;
}

/** Some rows of a batch, after a given one. */
export interface ReportPage {
  readonly form: ReportForm;
  readonly lines: readonly ReportLine[];
}

/** Columns of the input file. */
export interface ReportForm {
  readonly header: readonly string[];
  /** Cells of the widest row. */
  readonly cellsMax: number;
  /** Operations of the batch. */
  readonly operations: readonly Operation[];
}

/** A row that names nothing to look up, as it stood in the list. */
export interface RejectedRow {
  /** The line of the file where the row begins, from 1. */
  readonly lineNo: number;
  readonly reason: string;
  readonly cells: readonly string[];
}

/** Port: the rejected rows of a batch. */
export interface RejectedRows {
  /**
   * Lets `use` read them in input order, in constant memory, as they stand at one moment.
   *
   * @throws Conflict for a batch that was purged.
   */
  read<T>(
    batchId: number,
    use: (rows: AsyncIterable<readonly RejectedRow[]>, form: ReportForm) => Promise<T>,
  ): Promise<T>;
}
