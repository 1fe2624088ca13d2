import { Readable } from 'node:stream';
import { NotFound, StorageRejected } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import { isSetAside, reasonPath } from './file-names.ts';
import type { LookEnd, PendingFile } from './inbox-store.ts';
import type { Look } from './inbox-work.ts';

const filesPerPage = 100;
const reasonBytesMax = 65_536;

/**
 * Moves or deletes the files whose end is recorded. Each step can be repeated after a kill: the reason is written first, then the file is
 * moved, then its new place is recorded. A file that the storage does not let us move stays where it is.
 */
export async function movePending(look: Omit<Look, 'retried'>): Promise<LookEnd | null> {
  const { work, inbox, taken, signal } = look;
  let problem: LookEnd | null = null;
  for (;;) {
    const pending = await work.files.listPending(inbox, filesPerPage);
    if (pending.length === 0) return problem;
    for (const { target } of pending) if (target !== null) taken.add(target);
    for (const file of pending) {
      signal.throwIfAborted();
      problem = (await moveOne(look, file)) ?? problem;
    }
  }
}

async function moveOne(look: Omit<Look, 'retried'>, file: PendingFile): Promise<LookEnd | null> {
  const { work, inbox } = look;
  try {
    await moveFile(look, file);
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

async function moveFile({ work, storage, signal }: Omit<Look, 'retried'>, file: PendingFile): Promise<void> {
  const { place, target } = file;
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

/** Writes the reason beside the place to which a failed file moves. The text is the same each time. */
async function writeReason(
  { work, storage, signal }: Pick<Look, 'work' | 'storage' | 'signal'>,
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
