import { createInboxFileStore } from '../../../db/stores/inboxes/inbox-files.ts';
import type { Database } from '../../../db/connection/client.ts';
import type { FileSpool } from '../../adapters/storage/spool-file.ts';
import { noBounds } from '../../core/batches/batch.ts';
import { Misconfigured, ValidationError } from '../../core/errors.ts';
import type { ClaimedInbox } from '../../core/inboxes/inbox-store.ts';
import type { InboxWork, LoadedFile } from '../../core/inboxes/inbox-work.ts';
import { pollInbox } from '../../core/inboxes/poll-inbox.ts';
import { keepInboxes } from '../../dispatcher/keep-inboxes.ts';
import type { Logger } from '../../log.ts';
import type { LoadedBatch, LoadOptions } from '../../producer/load/load-batch.ts';
import { defaultFileLimits } from '../../producer/rows/read-companies.ts';
import type { InboxQueue } from '../../queue/inbox-queue.ts';
import type { SourceRegistry } from '../sources/source-registry.ts';

/** Options of the inbox service. */
export interface InboxServiceOptions extends Pick<InboxWork, 'openStorage' | 'queryRows'> {
  readonly db: Database['sql'];
  readonly loadBatch: (options: LoadOptions) => Promise<LoadedBatch>;
  readonly sources: SourceRegistry;
  readonly spool: FileSpool;
  readonly leaseMs: number;
  readonly log: Logger;
}

/** Service that looks into inboxes and loads their files. */
export interface InboxService {
  /** Looks into an inbox that is due. */
  readonly poll: (inbox: string, signal: AbortSignal) => Promise<void>;
  /** Enqueues the inboxes that are due: a part of a dispatcher's round. */
  readonly keep: (queue: InboxQueue) => Promise<void>;
}

/** Creates the inbox service: from a place over its files to their batches. */
export function createInboxService({ db, log, spool, ...options }: InboxServiceOptions): InboxService {
  const files = createInboxFileStore(db);
  const work: InboxWork = {
    files,
    openStorage: options.openStorage,
    queryRows: options.queryRows,
    spool: spool.spool,
    load: (inbox, file, signal) => loadFile(inbox, file, { ...options, signal }),
    bytesMax: defaultFileLimits.bytesMax,
    leaseMs: options.leaseMs,
    onError: (error) => log.warn({ err: error }, 'file of an inbox not loaded; will retry'),
  };
  return {
    poll: (inbox, signal) => pollInbox(work, inbox, signal),
    keep: (queue) => keepInboxes(files, queue),
  };
}

interface Loading extends Pick<InboxServiceOptions, 'loadBatch' | 'sources'> {
  readonly signal: AbortSignal;
}

/** Loads the batch of a file, like any other batch: the same content joins an earlier one. */
async function loadFile(
  inbox: ClaimedInbox,
  { fileName, file, link, publicId }: LoadedFile,
  { loadBatch, sources, signal }: Loading,
): Promise<LoadedBatch> {
  const { accountId, location, fileOptions, operations, search, maxCreditsMicro, again } = inbox;
  return loadBatch({
    accountId,
    open: file.open,
    sha256: file.sha256,
    reading: {
      ...fileOptions,
      ...(location.kind === 'postgres' ? formOfRows : {}),
      fileName,
      ...(operations === null ? {} : { operations }),
    },
    sources: () => checkSources(sources, inbox),
    search,
    bounds: { ...noBounds, maxCreditsMicro },
    ...(again ? { joinedBy: `inbox file ${publicId}` } : {}),
    labels: { origin: 'inbox' },
    inboxFile: link,
    again: false,
    onProgress: () => undefined,
    signal,
  });
}

/** Form of the files that `queryRows` writes: nothing is left to detect. */
const formOfRows = { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', skipLines: 0 } as const;

/** @throws Misconfigured when the sources of the inbox can no longer be used: its files are not to blame. */
async function checkSources(
  sources: SourceRegistry,
  { sources: names, search }: ClaimedInbox,
): Promise<readonly string[]> {
  try {
    await sources.check(names, search);
    await sources.named(names);
    return names;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new Misconfigured(error.message, { cause: error });
  }
}
