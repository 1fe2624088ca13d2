import type { SearchOptions } from '../ads/ads-answer.ts';
import type { Operation } from '../credits/price-book.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { CompanyQuery } from '../companies/company.ts';
import type { InboxFileLink } from '../inboxes/inbox-store.ts';
import type { EmailQuery } from '../emails/syntax/email-query.ts';
import type { NamedBatch } from './named-batch.ts';
import type { BatchBounds, BatchState, BatchSummary } from './batch.ts';
import type { BatchLabelChanges } from './batch-labels.ts';
import type { BatchOriginKind } from './batch-origin.ts';

/** A batch as it is submitted. `identity` decides whether it is "the same file again" (docs/architecture/concepts.md). */
export interface NewBatch {
  readonly accountId: number;
  readonly fileName: string;
  /** Name of the sheet of the file; null for a file without sheets. */
  readonly sheet: string | null;
  readonly contentSha256: Buffer;
  readonly identity: Buffer;
  readonly operations: readonly Operation[];
  /** The user's column names, in order. */
  readonly header: readonly string[];
  /** Input column (0-based) of each field. */
  readonly columnMap: Readonly<Record<string, number>>;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  /** Author: the id of a key or of a user, or `cli`. Absent for schedules. */
  readonly by?: string;
  /** Default: the name of the file. */
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly origin?: BatchOriginKind;
  /** Batch that is run again. */
  readonly runOf?: number;
  /** Text between two cells of the file; null for another format than CSV. Default: null. */
  readonly delimiter?: string | null;
}

/** A batch that is being loaded, or was. */
export interface OpenedBatch {
  readonly batchId: number;
  readonly publicId: string;
  readonly accountId: number;
  readonly state: BatchState;
  /** False when the same file was submitted before and its batch continues. */
  readonly isNew: boolean;
}

/** The lookup of a row, for one operation. */
export interface RowLookup {
  /** Below 2 ** 53. */
  readonly lookupId: number;
  /** True when the row created its lookup and shows the charge; later rows of the same company or address show 0. */
  readonly isFirst: boolean;
}

/** A row to store. It has either a lookup or the reason why it has none. */
export interface NewRow {
  readonly rowNo: number;
  readonly lineNo: number;
  readonly cells: readonly string[];
  readonly ads: RowLookup | null;
  readonly email: RowLookup | null;
  readonly rejectReason: string | null;
  readonly warning: string | null;
}

export type NewLookup = { readonly lookupId: bigint } & (
  | { readonly operation: 'ads_search'; readonly company: CompanyQuery }
  | { readonly operation: 'email_validation'; readonly address: EmailQuery }
);

/** Consecutive rows of the file. */
export interface RowBlock {
  /** Rows as the store keeps them, in order: results of `BatchStore.packRows`. */
  readonly rows: readonly Uint8Array[];
  /** Lookups that no earlier row has created. */
  readonly lookups: readonly NewLookup[];
  /** Resolves when the previous block is stored. */
  readonly after: Promise<void>;
}

/** Position at which an interrupted load stopped. Rows are stored in order and in whole blocks. */
export interface LoadProgress {
  readonly rowsStored: number;
  readonly rowsRejected: number;
  readonly extraCells: number;
}

/** A company or an address that already has a lookup. */
export interface StoredSubject {
  readonly operation: Operation;
  readonly key: string;
  readonly lookupId: bigint;
}

export interface LoadTotals {
  readonly rowsTotal: number;
  readonly rowsRejected: number;
  readonly extraCells: number;
  readonly lookupsTotal: number;
  /** Number of these lookups that validate addresses. */
  readonly emailLookupsTotal: number;
  readonly lastLookupId: bigint;
  /** True when the same file continues this batch even after it was loaded completely. */
  readonly staysJoinable: boolean;
}

/** Selection of batches. Absent fields select everything. */
export interface BatchFilter {
  /** Words that all occur in the name, the name of the file, the id or a tag; case does not matter. */
  readonly search?: string;
  readonly tag?: string;
  readonly states?: readonly BatchState[];
  readonly origin?: BatchOriginKind;
  /** The id of a user or of a key, `cli`, or the login of a user. */
  readonly owner?: string;
  /** Default `no`: without archived batches. `only`: archived ones. */
  readonly archived?: 'no' | 'only' | 'all';
}

/** Numbers of batches that a filter selects. */
export interface BatchCounts {
  readonly total: number;
  /** By state, as if the filter named no state. */
  readonly states: Readonly<Record<BatchState, number>>;
  /** Archived ones, whether or not the filter selects them. */
  readonly archived: number;
  /** By tag, the most frequent first: up to 100, as if the filter named no tag. */
  readonly tags: readonly { readonly tag: string; readonly batches: number }[];
}

/** Port: batches and their rows. */
export interface BatchStore {
  /**
   * Opens the batch of this identity, or a new one, and loads it under a lock. A second process that submits the same file
   * waits, then continues the same batch.
   */
  withBatch<T>(
    batch: NewBatch,
    options: {
      readonly again: boolean;
      /** Called with the reason before the load waits for another process. */
      readonly onWait?: ((reason: string) => void) | undefined;
      /** Aborts the wait for another process. */
      readonly signal?: AbortSignal | undefined;
    },
    load: (opened: OpenedBatch) => Promise<T>,
  ): Promise<T>;
  /**
   * Milliseconds until the work of a killed process can be taken over; null without such work. Derived from leases of `leaseMs`
   * that are no longer renewed.
   */
  readAbandonedMs(batchId: number, leaseMs: number): Promise<number | null>;
  readLoadProgress(batchId: number): Promise<LoadProgress>;
  /** Lists the subjects that already have lookups, page by page in their order. */
  listSubjects(batchId: number): AsyncIterable<readonly StoredSubject[]>;
  /** Reserves ids for new lookups, in ascending order. */
  takeLookupIds(): Promise<{ readonly first: bigint; readonly count: number }>;
  /**
   * Converts consecutive rows to the form in which they are stored. They begin with the first row of a stored block, and end with the last
   * one of another, or of the file.
   */
  packRows(opened: OpenedBatch, rows: readonly NewRow[]): Uint8Array;
  /**
   * Stores a block of rows and its new lookups in one transaction. Blocks may be written concurrently; each is committed only
   * after the blocks before it.
   *
   * @throws Conflict when the batch is no longer being loaded; also the error of the previous block.
   */
  appendRows(opened: OpenedBatch, block: RowBlock): Promise<void>;
  /**
   * Marks the file as completely loaded, so that the batch can run. The same transaction starts its scan, or records the file of an inbox
   * as loaded, if it belongs to one, and stores the response for an Idempotency-Key.
   *
   * @throws Conflict when the scan must not start any more, or another process loads the file of the inbox; LimitReached when the account has no room for this many open
   * lookups.
   */
  finishLoading(
    opened: OpenedBatch,
    totals: LoadTotals,
    effects?: {
      readonly kept?: StoredResponse<BatchSummary> | null;
      readonly scanId?: bigint | null;
      readonly inboxFile?: InboxFileLink | null;
    },
  ): Promise<void>;
  /** Removes a batch whose file turned out to be unreadable, with its rows. Only while it is being loaded. */
  discard(batchId: number): Promise<void>;
  /** Sets the bounds of the batch. A batch that was paused by an earlier limit resumes if the new limit allows more. */
  setBounds(batchId: number, bounds: BatchBounds): Promise<void>;
  /** Lets a batch that waits for credits or for a source try again now, also after the source rejected the key. */
  wake(batchId: number): Promise<void>;
  /**
   * `accountId` null, for operators, reads batches of all accounts.
   *
   * @throws NotFound when there is none, or when it belongs to another account.
   */
  readSummary(accountId: number | null, publicId: string): Promise<BatchSummary>;
  /**
   * Newest first; `before` is the last batch of the previous page. Default: all batches that are not archived.
   *
   * @throws NotFound when there is no such batch.
   */
  listSummaries(
    accountId: number,
    limit: number,
    before?: string,
    filter?: BatchFilter,
  ): Promise<readonly BatchSummary[]>;
  /** Counts the batches that the filter selects. */
  countBatches(accountId: number, filter: BatchFilter): Promise<BatchCounts>;
  /** Changes the labels of a batch. @throws NotFound */
  label(accountId: number, publicId: string, changes: BatchLabelChanges): Promise<BatchSummary>;
  /**
   * Deletes an ended batch: no list, page or export shows it any more. Housekeeping purges its rows and results from a day after its end
   * (docs/guides/retention.md); its charges stay in the ledger.
   *
   * @throws NotFound; Conflict while it runs, and for the last scan of a schedule, to which the next one is compared.
   */
  delete(accountId: number, publicId: string): Promise<void>;
  /** Finds at most `limit` batches by `latest`, the start of an id, or the name of the file; newest first. */
  findNamed(accountId: number, name: string, limit: number): Promise<readonly NamedBatch[]>;
}
