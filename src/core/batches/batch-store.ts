import type { SearchOptions } from '../ads/ads-answer.ts';
import type { Operation } from '../credits/price-book.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { CompanyQuery } from '../companies/company.ts';
import type { EmailQuery } from '../emails/syntax/email-query.ts';
import type { BatchBounds, BatchState, BatchSummary } from './batch.ts';

/** A list as it is handed in. What makes it "the same file again" is in `identity` (docs/architecture/concepts.md). */
export interface NewBatch {
  readonly accountId: number;
  readonly fileName: string;
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
}

/** A batch that is being loaded, or was. */
export interface OpenedBatch {
  readonly batchId: number;
  readonly publicId: string;
  readonly accountId: number;
  readonly state: BatchState;
  /** False when the same file was loaded before and is continued. */
  readonly isNew: boolean;
}

/** The lookup of a row, for one operation. */
export interface RowLookup {
  readonly lookupId: bigint;
  /** The row brought its lookup in: the charge shows here, and 0 on later rows of the same company or address. */
  readonly isFirst: boolean;
}

/** A row on its way into the store. Either it has a lookup or a reason why not. */
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

/** Rows that follow one another in the file. */
export interface RowBlock {
  readonly rows: readonly NewRow[];
  /** Lookups that no earlier row has created. */
  readonly lookups: readonly NewLookup[];
  /** Resolves when the block before is stored. */
  readonly after: Promise<void>;
}

/** Position at which an interrupted load stopped: rows are stored in order and in whole blocks. */
export interface LoadProgress {
  readonly rowsStored: number;
  readonly rowsRejected: number;
  readonly extraCells: number;
}

/** A company or an address that has its lookup. */
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
  /** The same file goes on with this batch also after it was loaded whole. */
  readonly staysJoinable: boolean;
}

/** Port: batches and their rows. */
export interface BatchStore {
  /**
   * Opens the batch of this identity, or a new one, and loads it while nobody else can: a second process that hands in the same
   * file waits, and then continues the same batch.
   */
  withBatch<T>(
    batch: NewBatch,
    options: {
      readonly again: boolean;
      /** Called with the reason before the load waits for another process. */
      readonly onWait?: ((reason: string) => void) | undefined;
      /** Ends the wait for another process. */
      readonly signal?: AbortSignal | undefined;
    },
    load: (opened: OpenedBatch) => Promise<T>,
  ): Promise<T>;
  /**
   * Milliseconds until work that a killed process left behind can be taken up again; null where there is none. Known from leases of
   * `leaseMs` that are not renewed any more.
   */
  readAbandonedMs(batchId: number, leaseMs: number): Promise<number | null>;
  readLoadProgress(batchId: number): Promise<LoadProgress>;
  /** Lists the subjects that have lookups already, page by page in their order. */
  listSubjects(batchId: number): AsyncIterable<readonly StoredSubject[]>;
  /** Ids for new lookups, growing. */
  takeLookupIds(): Promise<{ readonly first: bigint; readonly count: number }>;
  /**
   * Stores a block of rows and the lookups that are new with it, together. Blocks may be on their way side by side; each is there
   * only once those before it are.
   *
   * @throws Conflict when the batch is not being loaded any more; whatever the block before it throws.
   */
  appendRows(opened: OpenedBatch, block: RowBlock): Promise<void>;
  /**
   * The file is read to its end: the batch may run. In the same transaction its scan begins, where it is one, and the answer that tells
   * so is kept.
   *
   * @throws Conflict when the scan is not to begin any more; LimitReached when the account has no room for so many open lookups.
   */
  finishLoading(
    opened: OpenedBatch,
    totals: LoadTotals,
    effects?: { readonly kept?: StoredResponse<BatchSummary> | null; readonly scanId?: bigint | null },
  ): Promise<void>;
  /** Removes a batch whose file turned out to be unreadable, with its rows. Only while it loads. */
  discard(batchId: number): Promise<void>;
  /** Sets how far the batch may go. One that is paused because an earlier limit was reached goes on when this one allows more. */
  setBounds(batchId: number, bounds: BatchBounds): Promise<void>;
  /** Lets a batch that waits for credits or for a source try again now; a source that refused us too. */
  wake(batchId: number): Promise<void>;
  /** For null, the operator, whoever's it is. @throws NotFound when there is none, or it belongs to another account. */
  readSummary(accountId: number | null, publicId: string): Promise<BatchSummary>;
  /** The newest first; `before` names the last one of the page before. @throws NotFound when there is no such batch. */
  listSummaries(accountId: number, limit: number, before?: string): Promise<readonly BatchSummary[]>;
}
