import type { Readable } from 'node:stream';

/** A file in a storage. */
export interface StorageFile {
  /** Path below the root of the storage, with `/` between folders, without `.` and `..`. */
  readonly path: string;
  readonly bytes: number;
  /** Time of the last change, as the storage measures it; null if the storage does not report it. */
  readonly modifiedAt: Date | null;
  /** Changes whenever the content changes: an entity tag, or size and time of the change. Equal versions mean equal content. */
  readonly version: string;
}

/** A file on this machine that is to be stored, with the digest of its bytes. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * Port: files of a folder, a bucket, an SFTP folder or a web address, named by paths below its root.
 *
 * Every operation has a time limit of its own, besides the signal. Errors: `StorageUnavailable` when the storage does not answer or is
 * overloaded (try again later), `StorageRejected` when it rejects the operation (credentials, permissions, a missing bucket: a person has to
 * act). No message contains a credential.
 */
export interface Storage {
  /** True when a file appears only once it is complete, so that a new one can be read at once: S3 and HTTPS. */
  readonly isAtomic: boolean;
  /** Lists the files below the root, in pages, in the order of their paths. Skips what `isListedPath` leaves out: names that begin with a dot, and unfinished downloads. */
  list(signal: AbortSignal): AsyncIterable<readonly StorageFile[]>;
  /** Finds the file at a path, as `list` shows it; null when there is none. */
  find(path: string, signal: AbortSignal): Promise<StorageFile | null>;
  /** Opens a file from its beginning. @throws NotFound when it does not exist, `Conflict` when it has another version than listed. */
  read(file: StorageFile, signal: AbortSignal, options?: ReadOptions): Promise<Readable>;
  /**
   * Stores a file under a path, in place of an earlier one. The path shows either the earlier file, nothing, or the complete new file, and
   * never a part of it; storing the same file again changes nothing. Creates missing folders.
   */
  write(path: string, file: LocalFile, options: WriteOptions): Promise<void>;
  /** Moves a file in place of an earlier one at the new path. Does nothing when only the new path exists, as after a repeated move. */
  move(from: string, to: string, signal: AbortSignal): Promise<void>;
  /** Removes a file. Does nothing when it does not exist. */
  remove(path: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ReadOptions {
  /** True for a file to which its writer only appends: it is read up to the listed size, also when it has grown since. Default false. */
  readonly mayGrow?: boolean;
}

export interface WriteOptions {
  readonly contentType: string;
  readonly signal: AbortSignal;
}
