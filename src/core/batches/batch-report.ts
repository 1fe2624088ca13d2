import type { Extent } from '../ads/ads-answer.ts';
import type { PartialReason } from '../ads/ads-answer.ts';
import type { DetailsSummary } from '../ads/details-summary.ts';
import type { Relation } from '../ads/relate.ts';
import type { Operation } from '../credits/price-book.ts';
import type { EmailStatus, Recommendation, VerificationLevel } from '../emails/verdict/verdict.ts';
import type { Since } from '../time/parse-since.ts';
import type { AdsOutcome, EmailOutcome } from '../work/outcomes.ts';
import type { ResultFilter } from './result-filter.ts';
import type { RowSort } from './row-sort.ts';

/** One line of a report: an input row with its outcome, and in the finer shapes one of its ads or one variant of it. */
export interface ReportLine {
  /** The user's own cells, as read from the file. */
  readonly cells: readonly string[];
  /** Number of the data row, from 1. */
  readonly rowNo: number;
  /** The line of the file where the row begins, from 1. */
  readonly lineNo: number;
  /** Outcome of the ads search; null for a row that names no company. */
  readonly outcome: AdsOutcome | 'rejected' | 'open' | null;
  /** Domain of the company as it was looked up; only in a page of rows and in increments. */
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  /** Time at which the row ended: its last lookup, and at the earliest the load of its batch. Only in increments. */
  readonly endedAt: Date | null;
  /** Reason why the row was rejected or its ads search failed. */
  readonly reason: string | null;
  readonly warning: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  /** Time at which the source answered; null without an answer. */
  readonly observedAt: Date | null;
  /** True when an earlier answer of the account was reused; null without an answer. */
  readonly isRepeat: boolean | null;
  /** True when a later page failed, so that ads may be missing; null without an answer. */
  readonly isPartial: boolean | null;
  /** Why the answer is partial; null for a complete answer, and for older ones. */
  readonly partialReason: PartialReason | null;
  /** Number of advertisers that may belong to the company, and whose ads are left out; null: none. */
  readonly uncertainAdvertisers: number | null;
  /** True when there are more ads than were requested; null without an answer. */
  readonly isTruncated: boolean | null;
  /** `Extent.estimate`. */
  readonly adsEstimate: Extent['estimate'];
  /** Number of ads; null unless the outcome is `found` or `none`. */
  readonly adsCount: number | null;
  /**
   * Charge of the ads search, on the first line of its first row; 0 on all other lines, so that the column adds up
   * (docs/architecture/decisions/0007-one-lookup-per-subject.md).
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
  /** Reason why it failed. */
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
  /** Charge of the validation, placed like that of the ads search. */
  readonly chargedMicro: bigint;
}

/** An ad on a line of a report. Days are `YYYY-MM-DD`, UTC. */
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
  /** Probability that the relation is right, and the reasons; null if it follows from the operator's mapping, or the ad has no advertiser. */
  readonly confidence: number | null;
  readonly relationReasons: readonly string[] | null;
  /** Summary of the details, as of the lookup. */
  readonly details: DetailsSummary;
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
  /** Only rows that ended in a span. Default: all. */
  readonly span?: EndedSpan;
}

/**
 * Span in which rows ended: from `since`, and before `until`. Spans that follow each other have every row that ended once, because a row that
 * ended before `until` is stored when the span is opened, and none is added later.
 */
export interface EndedSpan {
  readonly since: Date;
  readonly until: Date;
}

/** Rows of an account that ended in a span. */
export interface EndedPart {
  readonly depth: ReportDepth;
  readonly span: EndedSpan;
}

/** Lines of one batch, in input order. */
export interface EndedLines {
  /** Public id. */
  readonly batch: string;
  readonly form: ReportForm;
  readonly lines: readonly ReportLine[];
}

/** Port: the lines of a batch, in input order. */
export interface BatchReportStore {
  /**
   * Lets `use` read the lines of a batch from one snapshot, in constant memory.
   *
   * Every input row occurs at least once: with `ads` once per ad, with `variants` once per variant, and once if it has none. A
   * filter selects rows with `rows`, and ads otherwise.
   *
   * @throws Conflict for a purged batch.
   */
  read<T>(
    batchId: number,
    part: ReportPart,
    use: (lines: AsyncIterable<readonly ReportLine[]>, form: ReportForm) => Promise<T>,
  ): Promise<T>;
  /** Reads the rows after the given one, in the order of the file or another one. @throws Conflict for a purged batch. */
  readPage(batchId: number, page: ReportPlace): Promise<ReportPage>;
  /**
   * Opens the span from a start up to now. Its end is held back by transactions that are still open.
   *
   * @throws ValidationError for a start in the future; Misconfigured when the database hides sessions that may write.
   */
  openSpan(since: Since): Promise<EndedSpan>;
  /**
   * Lets `use` read the rows of an account that ended in a span, from one snapshot and in constant memory: by batch, oldest first, and then in
   * input order. Purged and deleted batches have none. A retry that ends a row anew returns it again.
   */
  readEnded<T>(
    accountId: number,
    part: EndedPart,
    use: (blocks: AsyncIterable<EndedLines>) => Promise<T>,
  ): Promise<T>;
}

/** Selection of rows. */
export interface ReportPlace {
  /** Number of the last row of the page before; 0: the first page. */
  readonly afterRow: number;
  readonly limit: number;
  /** Default: the order of the file. While the batch runs, answers move rows in any other order, also from one page to the next. */
  readonly sort?: RowSort | null;
  /** Default: everything. */
  readonly filter?: ResultFilter;
}

/** A page of rows. */
export interface ReportPage {
  readonly form: ReportForm;
  readonly lines: readonly ReportLine[];
}

/** Columns of the input file. */
export interface ReportForm {
  readonly header: readonly string[];
  /** Number of cells of the widest row. */
  readonly cellsMax: number;
  /** Operations of the batch. */
  readonly operations: readonly Operation[];
}

/** A row without anything to look up, as it stands in the file. */
export interface RejectedRow {
  /** The line of the file where the row begins, from 1. */
  readonly lineNo: number;
  readonly reason: string;
  readonly cells: readonly string[];
}

/** Port: the rejected rows of a batch. */
export interface RejectedRows {
  /**
   * Lets `use` read them in input order from one snapshot, in constant memory.
   *
   * @throws Conflict for a purged batch.
   */
  read<T>(
    batchId: number,
    use: (rows: AsyncIterable<readonly RejectedRow[]>, form: ReportForm) => Promise<T>,
  ): Promise<T>;
}
