import {
  Conflict,
  DatabaseUnavailable,
  EnrichError,
  LeaseLost,
  LimitReached,
  Misconfigured,
  NotFound,
  QueueUnavailable,
  StorageRejected,
  TooLarge,
  ValidationError,
} from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import type { StorageFile } from '../storage/storage.ts';
import { accountLimit, backoffMs, inboxFileLoad } from '../work/retry-policies.ts';
import { doneFolder, failedFolder, isSetAside, nameOf } from './file-names.ts';
import { isWritable } from './inbox.ts';
import type { ClaimedInbox, FileEnd, FileToLoad, PollEnd } from './inbox-store.ts';
import type { InboxWork, InboxPoll, SpooledFile } from './inbox-work.ts';
import { movePending } from './move-pending.ts';

/** Reason of a file that may kill the processes that load it. */
const killedReason = `The process that loaded it ended ${inboxFileLoad.attemptsMax} times. Look at the log of Nightshift, then run \`nightshift inbox retry\`.`;

/** Rejected reads in a row after which a look ends: the storage rejects them all. */
const rejectionsMax = 3;

/** Loads the files that are ready, one after the other. Returns what a person has to know about, or null. */
export async function loadFiles(poll: InboxPoll): Promise<PollEnd | null> {
  const { work, inbox, signal } = poll;
  let problem: PollEnd | null = null;
  let rejections = 0;
  while (rejections < rejectionsMax) {
    signal.throwIfAborted();
    const file = await work.files.takeNext(inbox);
    if (file === null) break;
    failpoint('inbox:file-taken');
    const found = await loadFile(poll, file);
    rejections = found?.kind === 'rejected' ? rejections + 1 : 0;
    problem = (await movePending(poll)) ?? found ?? problem;
  }
  return problem;
}

/** Loads the rows of a query that are new, if there are any. */
export async function loadRows(
  work: InboxWork,
  inbox: ClaimedInbox,
  signal: AbortSignal,
): Promise<PollEnd | null> {
  const queried = await work.queryRows(inbox, signal);
  if (queried === null) return null;
  const { file: spooled, cursor } = queried;
  try {
    failpoint('inbox:rows-read');
    const path = `${inbox.name.replace(/[^\p{L}\p{N} ._-]/gu, '_')}.csv`;
    const file = await work.files.takeRows(inbox, {
      path,
      version: spooled.sha256,
      bytes: spooled.bytes,
    });
    if (file === null) return null;
    const end = { contentSha256: spooled.sha256, pending: null, target: null };
    if (file.attempts > inboxFileLoad.attemptsMax) {
      await work.files.fail(inbox, file, killedReason, { ...end, cursor: null });
      return null;
    }
    const ends = { loaded: { ...end, cursor }, failed: () => ({ ...end, cursor: null }) };
    return await loadSpooled({ work, inbox, signal }, { file, spooled, ends });
  } finally {
    await spooled.remove();
  }
}

async function loadFile(poll: InboxPoll, file: FileToLoad): Promise<PollEnd | null> {
  const { work, inbox } = poll;
  if (file.attempts > inboxFileLoad.attemptsMax) {
    await work.files.fail(inbox, file, killedReason, failedEnd(poll, file, null));
    return null;
  }
  const read = await readFile(poll, file);
  if (read.kind !== 'read') return read.kind === 'problem' ? read.end : null;
  const { spooled } = read;
  try {
    failpoint('inbox:file-read');
    const ends = {
      loaded: loadedEnd(poll, file, spooled.sha256),
      failed: () => failedEnd(poll, file, spooled.sha256),
    };
    return await loadSpooled(poll, { file, spooled, ends });
  } finally {
    await spooled.remove();
  }
}

type Read =
  | { readonly kind: 'read'; readonly spooled: SpooledFile }
  | { readonly kind: 'settled' }
  | { readonly kind: 'problem'; readonly end: PollEnd };

/** Copies a file to this machine, once. @throws StorageUnavailable, after the file was put back. */
async function readFile(poll: InboxPoll, file: FileToLoad): Promise<Read> {
  const { work, inbox, storage, retried, signal } = poll;
  const { files, bytesMax } = work;
  const listed = file.place === file.path ? listedFile(file) : retried.get(file.fileId);
  try {
    if (listed === undefined) throw new NotFound(`${file.place} does not exist.`);
    if (listed.bytes > bytesMax) throw tooLarge(bytesMax);
    const content = await storage.read(listed, signal);
    const fileName = nameOf(file.path);
    return { kind: 'read', spooled: await work.spool(content, { fileName, bytesMax, signal }) };
  } catch (error) {
    if (signal.aborted) {
      await putBack(poll, file);
      throw signal.reason;
    }
    if (error instanceof ValidationError) {
      await files.fail(inbox, file, error.message, failedEnd(poll, file, null));
      return { kind: 'settled' };
    }
    if (error instanceof Conflict || error instanceof NotFound) {
      if (file.place === file.path) await files.waitAgain(inbox, file);
      else await files.ignore(inbox, file, `It is no longer at ${file.place}.`);
      return { kind: 'settled' };
    }
    if (error instanceof StorageRejected) {
      await files.putOff(inbox, file, { reason: error.message, delayMs: null, counts: false });
      return { kind: 'problem', end: { kind: 'rejected', error: error.message } };
    }
    await putBack(poll, file);
    throw error;
  }
}

function listedFile({ path, version, bytes, modifiedAt }: FileToLoad): StorageFile {
  return { path, version, bytes, modifiedAt };
}

/** Makes a file ready again, as if its load had not begun. */
async function putBack({ work, inbox }: Pick<InboxPoll, 'work' | 'inbox'>, file: FileToLoad): Promise<void> {
  await work.files.putOff(inbox, file, { reason: null, delayMs: 0, counts: false });
}

interface Spooled {
  readonly file: FileToLoad;
  readonly spooled: SpooledFile;
  /** The end of a failed file takes a name below `failed/`, so it is made only for one. */
  readonly ends: { readonly loaded: FileEnd; readonly failed: () => FileEnd };
}

async function loadSpooled(
  poll: Pick<InboxPoll, 'work' | 'inbox' | 'signal'>,
  { file, spooled, ends }: Spooled,
): Promise<PollEnd | null> {
  const { work, inbox, signal } = poll;
  const { fileId, publicId } = file;
  const link = { ...ends.loaded, fileId, inboxId: inbox.inboxId, token: inbox.token };
  try {
    const loaded = { fileName: nameOf(file.path), file: spooled, link, publicId };
    const { batchId, isNew } = await work.load(inbox, loaded, signal);
    failpoint('inbox:file-loaded');
    if (!isNew) await work.files.join(inbox, file, batchId, ends.loaded);
    failpoint('inbox:file-settled');
    return null;
  } catch (error) {
    return afterLoadError(poll, { file, ends, error });
  }
}

/** Records why a file was not loaded. Errors of the database are thrown. */
async function afterLoadError(
  { work, inbox, signal }: Pick<InboxPoll, 'work' | 'inbox' | 'signal'>,
  { file, ends, error }: Pick<Spooled, 'file' | 'ends'> & { readonly error: unknown },
): Promise<PollEnd | null> {
  const { files } = work;
  if (signal.aborted) {
    await putBack({ work, inbox }, file);
    throw signal.reason;
  }
  if (error instanceof ValidationError) {
    await files.fail(inbox, file, error.message, ends.failed());
    failpoint('inbox:file-failed');
    return null;
  }
  if (error instanceof LimitReached) {
    const { delayMs } = accountLimit;
    await files.putOff(inbox, file, { reason: error.message, delayMs, counts: false });
    return null;
  }
  if (error instanceof Misconfigured) {
    const reason = `Not all of its sources (${inbox.sources.join(', ')}) are set up.`;
    await files.putOff(inbox, file, { reason, delayMs: null, counts: false });
    return { kind: 'rejected', error: reason };
  }
  if (isOfServers(error)) throw error;
  // Also a conflict: another process has finished or discarded the same batch at this moment.
  if (!(error instanceof Conflict)) work.onError(error);
  const reason = `It could not be loaded: ${error instanceof EnrichError ? error.message : 'an unexpected error occurred.'}`;
  if (file.attempts >= inboxFileLoad.attemptsMax) await files.fail(inbox, file, reason, ends.failed());
  else
    await files.putOff(inbox, file, {
      reason,
      delayMs: backoffMs(inboxFileLoad, file.attempts - 1),
      counts: true,
    });
  return null;
}

/** Errors after which nothing can be recorded: another process continues after the lease. */
function isOfServers(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable || error instanceof QueueUnavailable || error instanceof LeaseLost
  );
}

/** A file that became a batch is moved or deleted only if the inbox says so, or when it was below `failed/`. */
function loadedEnd({ inbox, taken }: InboxPoll, file: FileToLoad, contentSha256: string): FileEnd {
  const after = inbox.after === 'keep' && isSetAside(file.place) ? 'move' : inbox.after;
  const pending = after === 'keep' ? null : after;
  const target = pending === 'move' ? taken.free(doneFolder, file.path, tagOf(file)) : null;
  return { contentSha256, pending, target, cursor: null };
}

/** A failed file is moved where that is possible. One that fails again stays below `failed/`, with its new reason. */
function failedEnd({ inbox, taken }: InboxPoll, file: FileToLoad, contentSha256: string | null): FileEnd {
  if (!isWritable(inbox.location)) return { contentSha256, pending: null, target: null, cursor: null };
  const isThere = isSetAside(file.place);
  const target = isThere ? file.place : taken.free(failedFolder, file.path, tagOf(file));
  return { contentSha256, pending: 'move', target, cursor: null };
}

/** Part of the id that no other file of the inbox shares. */
function tagOf({ publicId }: FileToLoad): string {
  return publicId.slice(-8);
}

function tooLarge(bytesMax: number): TooLarge {
  const mebibytes = Math.floor(bytesMax / (1024 * 1024));
  return new TooLarge(`It has more than ${mebibytes} MiB, the maximum. Split it into smaller files.`);
}
