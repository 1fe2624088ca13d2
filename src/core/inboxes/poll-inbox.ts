import { keepRenewing } from '../async/keep-renewing.ts';
import { LeaseLost, StorageRejected, StorageUnavailable } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import type { Storage, StorageFile } from '../storage/storage.ts';
import { createTakenNames, isArrival, isSetAside } from './file-names.ts';
import type { ClaimedInbox, PollEnd } from './inbox-store.ts';
import type { InboxWork, InboxPoll } from './inbox-work.ts';
import { loadFiles, loadRows } from './load-inbox-file.ts';
import { movePending } from './move-pending.ts';

/**
 * Looks into an inbox that is due: lists its files, and loads those that are complete, one after the other. Safe at any time, by several
 * processes at once. An error of the database is thrown, and another process continues after the lease.
 */
export async function pollInbox(work: InboxWork, publicId: string, stop: AbortSignal): Promise<void> {
  const inbox = await work.files.claim(publicId, work.leaseMs);
  if (inbox === null) return;
  failpoint('inbox:claimed');
  const lost = new AbortController();
  const endRenewing = keepRenewing(() => work.files.renew(inbox, work.leaseMs), {
    everyMs: work.leaseMs / 3,
    onError: (error) => {
      if (error instanceof LeaseLost) lost.abort(error);
    },
  });
  try {
    const end = await endOfPoll(work, inbox, { stop, signal: AbortSignal.any([stop, lost.signal]) });
    await work.files.release(inbox, end);
    failpoint('inbox:released');
  } catch (error) {
    // Another process continues, or the inbox was removed.
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    await endRenewing();
  }
}

/** Looks, and says how the look ended. @throws errors of the database, and LeaseLost. */
async function endOfPoll(
  work: InboxWork,
  inbox: ClaimedInbox,
  { stop, signal }: { readonly stop: AbortSignal; readonly signal: AbortSignal },
): Promise<PollEnd> {
  try {
    return (await poll(work, inbox, signal)) ?? { kind: 'done' };
  } catch (error) {
    if (stop.aborted) return { kind: 'interrupted' };
    if (signal.aborted) throw signal.reason;
    if (error instanceof StorageRejected) return { kind: 'rejected', error: error.message };
    if (error instanceof StorageUnavailable) return { kind: 'unavailable', error: error.message };
    throw error;
  }
}

async function poll(work: InboxWork, inbox: ClaimedInbox, signal: AbortSignal): Promise<PollEnd | null> {
  if (inbox.location.kind === 'postgres') return loadRows(work, inbox, signal);
  const storage = await work.openStorage(inbox);
  try {
    const taken = createTakenNames();
    const retried = await listFiles({ work, inbox, storage, taken, signal });
    failpoint('inbox:listed');
    const opened = { work, inbox, storage, taken, retried, signal };
    const moved = await movePending(opened);
    return (await loadFiles(opened)) ?? moved;
  } finally {
    await storage.close();
  }
}

/** Records the files of the storage. Returns those that are to be loaded once more from below `failed/`, as listed. */
async function listFiles({
  work: { files },
  inbox,
  storage,
  taken,
  signal,
}: Omit<InboxPoll, 'retried'> & { readonly storage: Storage }): Promise<ReadonlyMap<bigint, StorageFile>> {
  const wanted = new Map((await files.listRetried(inbox)).map(({ fileId, place }) => [place, fileId]));
  const retried = new Map<bigint, StorageFile>();
  for await (const page of storage.list(signal)) {
    for (const file of page.filter(({ path }) => isSetAside(path))) {
      taken.add(file.path);
      const fileId = wanted.get(file.path);
      if (fileId !== undefined) retried.set(fileId, file);
    }
    const arrivals = page.filter(({ path }) => isArrival(path, inbox.pattern));
    if (arrivals.length > 0) await files.recordSeen(inbox, arrivals, storage);
    failpoint('inbox:page-recorded');
  }
  await files.endListing(inbox);
  return retried;
}
