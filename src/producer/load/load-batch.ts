import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import type { BatchStore, NewBatch, OpenedBatch } from '../../core/batches/batch-store.ts';
import type { BatchBounds, BatchSummary } from '../../core/batches/batch.ts';
import { failpoint } from '../../core/failpoint.ts';
import { Conflict, LimitReached, ValidationError } from '../../core/errors.ts';
import type { StoredResponse } from '../../core/accounts/stored-response.ts';
import type { InboxFileLink } from '../../core/inboxes/inbox-store.ts';
import { usedColumns } from '../columns/company-file.ts';
import { storeRows } from './store-rows.ts';
import { readBytes } from '../../csv/read-bytes.ts';
import {
  defaultFileLimits,
  readCompanies,
  type CompanyFile,
  type FileForm,
  type RawRow,
  type ReadOptions,
} from '../rows/read-companies.ts';

/** File to load as a batch, with its options. */
export interface LoadOptions {
  readonly accountId: number;
  /** Opens the file from its beginning; called twice, because the identity of the batch needs the whole content. */
  readonly open: () => Readable;
  /** SHA-256 of the bytes of the file, in hexadecimal, if it is known: unless the file is gzipped, it is then read once. */
  readonly sha256?: string;
  readonly reading: ReadOptions;
  /** Restores what was known about each row when it was submitted first. Default: rows are as they are read. */
  readonly asSubmitted?: (row: RawRow) => RawRow;
  /** Delimiter of the file that was submitted first. Default: that of the file. */
  readonly delimiter?: string | null;
  /** Sources of the ads search; read only for batches with companies. @throws any error that prevents the search. */
  readonly sources: () => Promise<readonly string[]>;
  readonly search: SearchOptions;
  /** Bounds of the batch. A repeated load replaces the earlier ones. */
  readonly bounds: BatchBounds;
  /**
   * Key that joins an existing batch, besides the content and its reading options. Default: the same file of the same account; over HTTP
   * only an Idempotency-Key joins a batch (docs/architecture/concepts.md).
   */
  readonly joinedBy?: string;
  /** Author of the batch, for its timeline: the id of a key or of a user, or `cli`. Default: none. */
  readonly by?: string;
  /** Labels of a new batch, and its origin; a batch that continues keeps its own. */
  readonly labels?: Pick<NewBatch, 'name' | 'tags' | 'origin' | 'runOf'>;
  /** True to create a new batch even if the same file was loaded before. */
  readonly again: boolean;
  /** Scan of the batch: it starts in the transaction that lets the batch run. */
  readonly scanId?: bigint;
  /** File of an inbox that becomes the batch: it is loaded in the transaction that lets the batch run. */
  readonly inboxFile?: InboxFileLink;
  /** Stores the response for a repeated request. */
  readonly kept?: StoredResponse<BatchSummary> | null;
  /** Called with the form of the file before its rows are read. */
  readonly onForm?: (form: FileForm) => void;
  /** Called with the findings about the content of the file, if any, once all rows are stored. */
  readonly onNotes?: (notes: readonly string[]) => void;
  /** Called after each stored block. */
  readonly onProgress: (rowsStored: number) => void;
  /** Called with the reason before the load waits for another process. */
  readonly onWait?: (reason: string) => void;
  /** Stops the load between two blocks; the same file continues it. */
  readonly signal?: AbortSignal;
}

/** Result of a load. */
export interface LoadedBatch {
  readonly batchId: number;
  readonly publicId: string;
  /** False when the file was loaded before with the same options, and its batch continues. */
  readonly isNew: boolean;
}

/**
 * Loads a file of companies as a batch: every data row is stored, with a lookup or with the reason why it has none.
 *
 * Streams in blocks, one transaction each. An interrupted load continues where it stopped; a file that turns out to be invalid is discarded
 * as a whole. Creates one lookup per distinct company and one per distinct address
 * (docs/architecture/decisions/0007-one-lookup-per-subject.md).
 *
 * @throws ValidationError naming file, line and remedy when the file is rejected, LimitReached when it exceeds the limit of the account, and
 * Conflict when its scan has already started, or another process loads the file of its inbox; nothing is stored then. The signal's reason when it aborts; stored blocks are kept.
 */
export async function loadBatch(store: BatchStore, options: LoadOptions): Promise<LoadedBatch> {
  const contentSha256 = await digestContent(options);
  const file = await readCompanies(options.open(), options.reading);
  try {
    options.onForm?.(file.form);
    return await loadOpened(store, { file, contentSha256, options });
  } finally {
    // A file that was loaded before is opened for its header only.
    await file.close();
  }
}

async function loadOpened(store: BatchStore, job: LoadJob): Promise<LoadedBatch> {
  const { file, contentSha256, options } = job;
  const { reading, accountId } = options;
  const columnMap = usedColumns(file.form);
  const { operations, header, sheet } = file.form;
  const sources = operations.includes('ads_search') ? await options.sources() : [];
  const identityParts: unknown[] = [accountId, contentSha256, operations, columnMap, header, sources];
  identityParts.push(...searchIdentity(options.search));
  // Two sheets of a workbook are two batches, whether they were chosen or found.
  if (sheet !== null) identityParts.push({ sheet });
  if (options.joinedBy !== undefined) identityParts.push(options.joinedBy);
  const identity = createHash('sha256').update(JSON.stringify(identityParts)).digest();
  return store.withBatch(
    {
      accountId,
      fileName: reading.fileName,
      sheet,
      delimiter: options.delimiter === undefined ? file.form.delimiter : options.delimiter,
      contentSha256: Buffer.from(contentSha256, 'hex'),
      identity,
      operations,
      header,
      columnMap,
      sources,
      search: options.search,
      ...(options.by === undefined ? {} : { by: options.by }),
      ...options.labels,
    },
    { again: options.again, onWait: options.onWait, signal: options.signal },
    async (opened) => {
      failpoint('load:batch-opened');
      await store.setBounds(opened.batchId, options.bounds);
      if (opened.state === 'loading') await loadRows(store, opened, job);
      return { batchId: opened.batchId, publicId: opened.publicId, isNew: opened.isNew };
    },
  );
}

/** Returns the search options that are part of the identity: none for a search without options. */
function searchIdentity(search: SearchOptions): readonly unknown[] {
  const { region, surface, adsMax, ownOnly, ageMsMax } = search;
  if (region === null && surface === null && adsMax === null && !ownOnly && ageMsMax === null) return [];
  // Batches that were loaded before surfaces existed keep their identity.
  return [{ region, ...(surface === null ? {} : { surface }), adsMax, ownOnly, ageMsMax }];
}

/** Returns the SHA-256 of the decompressed content. */
async function digestContent({ open, sha256, reading, signal }: LoadOptions): Promise<string> {
  const { bytesMax } = { ...defaultFileLimits, ...reading.limits };
  const input = open();
  const content = await readBytes(input, { fileName: reading.fileName, bytesMax, headBytes: 1 });
  if (sha256 !== undefined && !content.compressed) {
    input.destroy();
    return sha256;
  }
  for await (const piece of content.chunks) {
    void piece;
    signal?.throwIfAborted();
  }
  return content.digest().sha256;
}

interface LoadJob {
  readonly file: CompanyFile;
  readonly contentSha256: string;
  readonly options: LoadOptions;
}

async function loadRows(store: BatchStore, opened: OpenedBatch, job: LoadJob): Promise<void> {
  try {
    const progress = await store.readLoadProgress(opened.batchId);
    const { file, options } = job;
    const { onProgress, signal } = options;
    const totals = await storeRows(store, opened, restored(job), { progress, onProgress, signal });
    failpoint('load:rows-stored');
    rejectChangedFile(job);
    const notes = file.notes();
    if (notes.length > 0) options.onNotes?.(notes);
    const { kept = null, scanId = null, inboxFile = null } = options;
    const staysJoinable = options.joinedBy === undefined;
    await store.finishLoading(opened, { ...totals, staysJoinable }, { kept, scanId, inboxFile });
    failpoint('load:finished');
  } catch (error) {
    if (isRejection(error)) await store.discard(opened.batchId);
    throw error;
  }
}

function restored({ file, options: { asSubmitted } }: LoadJob): CompanyFile {
  if (asSubmitted === undefined) return file;
  async function* rows(restore: (row: RawRow) => RawRow): AsyncGenerator<readonly RawRow[]> {
    for await (const block of file.rows) yield block.map(restore);
  }
  return { ...file, rows: rows(asSubmitted) };
}

function isRejection(error: unknown): boolean {
  return error instanceof ValidationError || error instanceof Conflict || error instanceof LimitReached;
}

/** Rejects a file that changed between its two reads: once for the identity, once for the rows. */
function rejectChangedFile({ file, contentSha256, options }: LoadJob): void {
  if (file.digest().sha256 === contentSha256) return;
  throw new ValidationError(
    `${options.reading.fileName} changed while it was read. Wait until it is complete, then run the command again.`,
  );
}
