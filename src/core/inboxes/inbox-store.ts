import type { StoredResponse } from '../accounts/stored-response.ts';
import type { Credentials } from '../storage/credentials.ts';
import type { StorageFile } from '../storage/storage.ts';
import type { Inbox, InboxFile, InboxFileState, InboxTerms, PendingMove } from './inbox.ts';
import type { QueryCursor } from './query-cursor.ts';

/** Maximum number of inboxes of an account, including paused ones. Our choice. */
export const inboxesPerAccountMax = 1000;

/** Secrets of a new or changed inbox, and the right of its author to name any folder. */
export interface InboxAccess {
  readonly credentials: Credentials | null;
  /** True when the operator names the location. */
  readonly isOperators: boolean;
}

/**
 * Port: management of inboxes. An inbox is named by its name or its public id.
 *
 * Every call that names one throws NotFound when the account has no such inbox or has removed it.
 */
export interface InboxStore {
  /** @throws Conflict when the name is taken, or there are too many; ValidationError for a zone that Postgres does not know. */
  add(
    accountId: number,
    terms: InboxTerms,
    access: InboxAccess,
    kept?: StoredResponse<Inbox> | null,
  ): Promise<Inbox>;
  /** Newest first; `before` is the last inbox of the previous page. */
  list(accountId: number, limit: number, before?: string): Promise<readonly Inbox[]>;
  read(accountId: number, inbox: string): Promise<Inbox>;
  /** Reads the secrets of an inbox, to try another location with them. */
  readAccess(accountId: number, inbox: string): Promise<InboxAccess>;
  /** Changes the given fields. Files that are being loaded keep the earlier terms. @throws as `add` does. */
  edit(accountId: number, inbox: string, changes: Partial<InboxTerms>, access?: InboxAccess): Promise<Inbox>;
  /** Pauses an inbox: nothing is looked at, and no further file is loaded. */
  pause(accountId: number, inbox: string): Promise<Inbox>;
  /** Resumes an inbox, and looks at once. */
  resume(accountId: number, inbox: string): Promise<Inbox>;
  /** Removes an inbox for good, with its credentials. Batches and the list of its files stay, and its name becomes free. */
  remove(accountId: number, inbox: string): Promise<void>;
  /** Makes an inbox due now. @throws Conflict while it is paused. */
  pollNow(accountId: number, inbox: string): Promise<Inbox>;
  /** Newest first; `before` is the public id of the last file of the previous page. @throws NotFound when there is no such file. */
  listFiles(
    accountId: number,
    inbox: string,
    options: { readonly limit: number; readonly before?: string; readonly state?: InboxFileState },
  ): Promise<readonly InboxFile[]>;
  /**
   * Loads a failed file once more with the present terms. It is named by its path or its public id.
   *
   * @throws NotFound; Conflict when it has not failed, or is still being moved.
   */
  retry(accountId: number, inbox: string, file: string): Promise<InboxFile>;
}

/** An inbox that no other process looks into until the lease ends. */
export interface ClaimedInbox extends InboxTerms, InboxAccess {
  readonly inboxId: number;
  readonly publicId: string;
  readonly accountId: number;
  /** Fencing token of the claim. */
  readonly token: string;
  readonly cursor: QueryCursor | null;
}

/** A file to load, as it was last listed. */
export interface FileToLoad {
  readonly fileId: bigint;
  readonly publicId: string;
  readonly path: string;
  /** Path at which it is now: below `failed/` when it is loaded once more. */
  readonly place: string;
  readonly version: string;
  readonly bytes: number;
  readonly modifiedAt: Date | null;
  /** Loads that have begun, with this one. */
  readonly attempts: number;
}

/** Effects of the end of a file, in the transaction that records it. */
export interface FileEnd {
  /** Hexadecimal; null when the file could not be read. */
  readonly contentSha256: string | null;
  readonly pending: PendingMove | null;
  /** New place of a file that is to be moved. */
  readonly target: string | null;
  /** New position of the query; null without one. */
  readonly cursor: QueryCursor | null;
}

/** A file whose batch becomes runnable in the transaction that records the file as loaded. */
export interface InboxFileLink extends FileEnd {
  readonly fileId: bigint;
  readonly inboxId: number;
  readonly token: string;
}

/** A settled file that is still to be moved or deleted. */
export interface PendingFile {
  readonly fileId: bigint;
  readonly path: string;
  readonly place: string;
  /** Version that became a batch or failed. */
  readonly version: string;
  readonly pending: PendingMove;
  readonly target: string | null;
  readonly state: InboxFileState;
  readonly reason: string | null;
}

/** Rows of a query that are to be loaded. */
export interface QueriedRows {
  readonly path: string;
  readonly version: string;
  readonly bytes: number;
}

/** End of a look. */
export type PollEnd =
  | { readonly kind: 'done' }
  /** Another process continues at once. */
  | { readonly kind: 'interrupted' }
  /** `rejected`: a person has to act, so only the pattern repeats the look; `unavailable`: it is repeated earlier. */
  | { readonly kind: 'rejected' | 'unavailable'; readonly error: string };

/**
 * Port: the life cycle of the files of inboxes. Every step is one transaction, and every step with a claim throws LeaseLost when another
 * process has claimed the inbox since, or when it was removed.
 */
export interface InboxFileStore {
  /** Lists the inboxes that are due and that no process has claimed; public ids. */
  listDue(limit: number): Promise<readonly string[]>;
  /** Claims an inbox that is due. Files whose load was interrupted are ready again. Null when it is not due, or claimed. */
  claim(publicId: string, leaseMs: number): Promise<ClaimedInbox | null>;
  renew(inbox: ClaimedInbox, leaseMs: number): Promise<void>;
  /**
   * Records a page of a list. A new file waits until it has not changed for the settle time; in an atomic storage it is ready at once. A
   * version that is known changes nothing.
   */
  recordSeen(
    inbox: ClaimedInbox,
    files: readonly StorageFile[],
    storage: { readonly isAtomic: boolean },
  ): Promise<void>;
  /** Ends a complete list: open files that were not in it are gone, and are ignored. */
  endListing(inbox: ClaimedInbox): Promise<void>;
  /** Lists the failed files that are to be loaded once more from below `failed/`. */
  listRetried(inbox: ClaimedInbox): Promise<readonly Pick<FileToLoad, 'fileId' | 'place'>[]>;
  /** Takes the next file that is ready; null without one, and once the inbox is paused. */
  takeNext(inbox: ClaimedInbox): Promise<FileToLoad | null>;
  /** Takes the rows of a query as a file; null when these rows have ended before. */
  takeRows(inbox: ClaimedInbox, rows: QueriedRows): Promise<FileToLoad | null>;
  /** Records that a batch with the content of the file exists already. Does nothing when the file is its origin. */
  join(inbox: ClaimedInbox, file: FileToLoad, batchId: number, end: FileEnd): Promise<void>;
  /** Records that a file cannot be loaded, and emits the event about it. */
  fail(inbox: ClaimedInbox, file: FileToLoad, reason: string, end: FileEnd): Promise<void>;
  /** Records that a file is gone. */
  ignore(inbox: ClaimedInbox, file: FileToLoad, reason: string): Promise<void>;
  /** Lets a file wait again, because it has changed. */
  waitAgain(inbox: ClaimedInbox, file: FileToLoad): Promise<void>;
  /** Puts a file back. `delayMs` null: until the next tick. `counts`: the load counts as an attempt. */
  putOff(
    inbox: ClaimedInbox,
    file: FileToLoad,
    options: { readonly reason: string | null; readonly delayMs: number | null; readonly counts: boolean },
  ): Promise<void>;
  /** Lists settled files that are still to be moved or deleted, oldest first. */
  listPending(inbox: ClaimedInbox, limit: number): Promise<readonly PendingFile[]>;
  /** Records the place of a file that was moved or deleted; null: it was deleted. */
  endPending(inbox: ClaimedInbox, file: PendingFile, place: string | null): Promise<void>;
  /** Ends a claim: plans the next look, and emits `inbox.failing` once per episode of failed looks. */
  release(inbox: ClaimedInbox, end: PollEnd): Promise<void>;
}
