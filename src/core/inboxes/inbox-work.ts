import type { Readable } from 'node:stream';
import type { LocalFile, Storage, StorageFile } from '../storage/storage.ts';
import type { TakenNames } from './file-names.ts';
import type { ClaimedInbox, InboxFileLink, InboxFileStore } from './inbox-store.ts';
import type { QueryCursor } from './query-cursor.ts';

/** A file in a temporary folder of this machine. */
export interface SpooledFile extends LocalFile {
  /** Opens it at its beginning. */
  readonly open: () => Readable;
  readonly remove: () => Promise<void>;
}

/** Rows of a query in a temporary file, as CSV with the names of the columns. */
export interface SpooledRows {
  readonly file: SpooledFile;
  readonly rows: number;
  /** Position after these rows; null without a column for newer rows. */
  readonly cursor: QueryCursor | null;
}

/** A file to load as a batch. */
export interface LoadedFile {
  readonly fileName: string;
  readonly file: SpooledFile;
  readonly link: InboxFileLink;
  /** Id of the file, which makes its batch unique where `again` is set. */
  readonly publicId: string;
}

/** The stores and functions that looking into inboxes needs. */
export interface InboxWork {
  readonly files: InboxFileStore;
  readonly openStorage: (inbox: ClaimedInbox) => Promise<Storage>;
  /** Runs the query of an inbox from its position on. Null without rows. */
  readonly queryRows: (inbox: ClaimedInbox, signal: AbortSignal) => Promise<SpooledRows | null>;
  /** Copies a stream to a temporary file. @throws TooLarge beyond `bytesMax`. */
  readonly spool: (
    content: Readable,
    options: { readonly fileName: string; readonly bytesMax: number; readonly signal: AbortSignal },
  ) => Promise<SpooledFile>;
  /**
   * Loads a file as a batch, and records it as loaded in the transaction in which the batch becomes runnable. `isNew` false: there may be a
   * batch with its content already, and the file may be recorded or not.
   */
  readonly load: (
    inbox: ClaimedInbox,
    file: LoadedFile,
    signal: AbortSignal,
  ) => Promise<{ readonly batchId: number; readonly isNew: boolean }>;
  /** Maximum size of a file, in bytes. */
  readonly bytesMax: number;
  /** Lease of a process that looks into an inbox. */
  readonly leaseMs: number;
  /** Receives unexpected errors of files. */
  readonly onError: (error: unknown) => void;
}

/** A look into an inbox with files. */
export interface InboxPoll {
  readonly work: InboxWork;
  readonly inbox: ClaimedInbox;
  readonly storage: Storage;
  readonly taken: TakenNames;
  /** Files to load once more, as listed below `failed/`. */
  readonly retried: ReadonlyMap<bigint, StorageFile>;
  readonly signal: AbortSignal;
}
