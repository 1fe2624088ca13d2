import { Readable } from 'node:stream';
import { NotFound, StorageRejected } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import { isSetAside, reasonPath } from './file-names.ts';
import type { PollEnd, PendingFile } from './inbox-store.ts';
import type { InboxPoll } from './inbox-work.ts';

const filesPerPage = 100;
const reasonBytesMax = 65_536;

/**
 * Moves or deletes the files whose end is recorded. Each step can be repeated after a kill: the reason is written first, then the file is
 * moved, then its new place is recorded. A file that the storage does not let us move stays where it is, and so does other content under its
 * name.
 */
export async function movePending(poll: Omit<InboxPoll, 'retried'>): Promise<PollEnd | null> {
  const { work, inbox, taken, signal } = poll;
  let problem: PollEnd | null = null;
  for (;;) {
    const pending = await work.files.listPending(inbox, filesPerPage);
    if (pending.length === 0) return problem;
    for (const { target } of pending) if (target !== null) taken.add(target);
    for (const file of pending) {
      signal.throwIfAborted();
      problem = (await moveOne(poll, file)) ?? problem;
    }
  }
}

async function moveOne(poll: Omit<InboxPoll, 'retried'>, file: PendingFile): Promise<PollEnd | null> {
  const { work, inbox } = poll;
  try {
    await moveFile(poll, file);
  } catch (error) {
    if (!(error instanceof StorageRejected || error instanceof NotFound)) throw error;
    await work.files.endPending(inbox, file, file.place);
    // A failed file may stay in a storage that we only read.
    if (file.state === 'failed' || error instanceof NotFound) return null;
    return { kind: 'rejected', error: `${file.path} was loaded, and stays in its place: ${error.message}` };
  }
  await work.files.endPending(inbox, file, file.target);
  return null;
}

async function moveFile(
  { work, storage, signal }: Omit<InboxPoll, 'retried'>,
  file: PendingFile,
): Promise<void> {
  const { place, target } = file;
  if (await isReplaced(storage, file, signal)) return;
  if (target === null) await storage.remove(place, signal);
  else {
    if (file.state === 'failed') await writeReason({ work, storage, signal }, target, file);
    failpoint('inbox:reason-written');
    if (target !== place) await storage.move(place, target, signal);
  }
  failpoint('inbox:file-moved');
  // The reason of an earlier failure.
  if (isSetAside(place) && target !== place) await storage.remove(reasonPath(place), signal);
}

/**
 * True if other content has arrived under the name of the file, during its load or after a move whose answer was lost: the next look loads
 * it. Below `failed/` nothing arrives.
 */
async function isReplaced(
  storage: InboxPoll['storage'],
  { place, path, version }: PendingFile,
  signal: AbortSignal,
): Promise<boolean> {
  if (place !== path) return false;
  const found = await storage.find(place, signal);
  return found !== null && found.version !== version;
}

/** Writes the reason beside the place to which a failed file moves. The text is the same each time. */
async function writeReason(
  { work, storage, signal }: Pick<InboxPoll, 'work' | 'storage' | 'signal'>,
  target: string,
  { path, reason }: PendingFile,
): Promise<void> {
  const text = `${path} was not loaded.\n\n${reason ?? ''}\n`;
  const options = { fileName: 'reason', bytesMax: reasonBytesMax, signal };
  const file = await work.spool(Readable.from([Buffer.from(text)]), options);
  try {
    await storage.write(reasonPath(target), file, { contentType: 'text/plain; charset=utf-8', signal });
  } finally {
    await file.remove();
  }
}
