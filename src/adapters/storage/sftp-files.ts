import { constants } from 'node:fs';
import { posix } from 'node:path';
import type { SFTPWrapper, Stats } from 'ssh2';
import { Conflict, NotFound, StorageRejected } from '../../core/errors.ts';
import type { LocalFile, StorageFile } from '../../core/storage/storage.ts';
import type { FolderEntry } from './list-folders.ts';
import { readLocalFile } from './local-file.ts';
import { isNoSuchFile } from './sftp-errors.ts';
import type { Done, SftpSession } from './sftp-session.ts';
import { readEntries, writePieces } from './sftp-transfer.ts';
import { abandonedNames, temporaryPlace } from './temporary-place.ts';

interface FolderReading {
  readonly isRoot: boolean;
  readonly moved: () => void;
}

export async function readFolder(
  session: SftpSession,
  place: string,
  { isRoot, moved }: FolderReading,
): Promise<readonly FolderEntry[] | null> {
  const folder = place === '/' ? '/' : place.replace(/\/$/, '');
  let handle: Buffer;
  try {
    handle = await session.call<Buffer>((sftp, done) => sftp.opendir(folder, done));
  } catch (error) {
    if (!isRoot && isNoSuchFile(error)) return null;
    throw error;
  }
  try {
    const entries = await readEntries(session, handle, moved);
    return entries
      .map(({ filename, attrs }) => ({
        name: filename,
        type: attrs.mode & constants.S_IFMT,
        state: stateOf(attrs),
      }))
      .filter(({ type }) => type === constants.S_IFREG || type === constants.S_IFDIR)
      .map(({ type, ...entry }) => ({ ...entry, isFolder: type === constants.S_IFDIR }));
  } finally {
    closeQuietly(session, handle);
  }
}

function stateOf({ size, mtime }: Pick<Stats, 'size' | 'mtime'>): Omit<StorageFile, 'path'> {
  return { bytes: size, modifiedAt: new Date(mtime * 1000), version: `${size}-${mtime}` };
}

export async function findFile(
  session: SftpSession,
  place: string,
  path: string,
): Promise<StorageFile | null> {
  const stats = await lstat(session, place);
  return stats?.isFile() === true ? { path, ...stateOf(stats) } : null;
}

export async function openFile(session: SftpSession, place: string, file: StorageFile) {
  const stats = await lstat(session, place);
  if (stats?.isFile() !== true) throw notFound(file.path);
  const handle = await session.call<Buffer>((sftp, done) => sftp.open(place, 'r', done));
  try {
    await assertUnchanged(session, handle, file);
    return { session, handle };
  } catch (error) {
    closeQuietly(session, handle);
    throw error;
  }
}

/** @throws Conflict when an open file has changed since it was listed. */
export async function assertUnchanged(
  session: SftpSession,
  handle: Buffer,
  file: StorageFile,
): Promise<void> {
  const stats = await session.call<Stats>((sftp, done) => sftp.fstat(handle, done));
  if (stateOf(stats).version !== file.version) throw changed(file.path);
}

/** Temporary files of earlier writes. */
interface Temporaries {
  /** Folders that are searched for those of killed processes. */
  readonly cleared: Set<string>;
  /** Own ones that a lost connection has left on the server. */
  readonly left: Set<string>;
}

interface Store {
  readonly root: string;
  readonly path: string;
  readonly file: LocalFile;
  readonly temporaries: Temporaries;
  readonly moved: () => void;
  readonly signal: AbortSignal;
}

export async function storeFile(
  session: SftpSession,
  { root, path, file, temporaries, moved, signal }: Store,
): Promise<void> {
  await makeFolders(session, root, path);
  const place = `${root === '/' ? '' : root}/${path}`;
  const temporary = temporaryPlace(place);
  let handle: Buffer | null = null;
  try {
    handle = await session.call<Buffer>((sftp, done) => sftp.open(temporary, 'wx', done));
    await clearOnce(session, { temporaries, temporary, moved });
    await writePieces(session, handle, { source: stopOnAbort(readLocalFile(file), signal), moved });
    await flush(session, handle);
    await close(session, handle);
    signal.throwIfAborted();
    await replace(session, temporary, place);
  } catch (error) {
    if (handle !== null) closeQuietly(session, handle);
    await removeFile(session, temporary).catch(() => temporaries.left.add(temporary));
    throw error;
  }
}

interface Clearing extends Pick<Store, 'temporaries' | 'moved'> {
  readonly temporary: string;
}

/**
 * Removes what a lost connection has left, and once what killed processes have left in the folder of a temporary file. Without the right to,
 * it stays.
 */
async function clearOnce(session: SftpSession, { temporaries, temporary, moved }: Clearing): Promise<void> {
  const { cleared, left } = temporaries;
  for (const place of left) {
    await removeFile(session, place).then(
      () => left.delete(place),
      () => {},
    );
  }
  const folder = posix.dirname(temporary);
  if (cleared.has(folder)) return;
  cleared.add(folder);
  const entries = await readFolder(session, folder, { isRoot: false, moved }).catch(() => null);
  const files = (entries ?? []).map(({ name, state }) => ({ name, modifiedAt: state?.modifiedAt ?? null }));
  for (const name of abandonedNames(files, posix.basename(temporary)))
    await removeFile(session, `${folder}/${name}`).catch(() => {});
}

async function* stopOnAbort(
  source: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of source) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** Asks a server that can to write the file to its disk. */
async function flush(session: SftpSession, handle: Buffer): Promise<void> {
  await ifSupported(() =>
    session.call<void>((sftp, done) => sftp.ext_openssh_fsync(handle, (error) => done(error, undefined))),
  );
}

/** Renames a file in place of another: in one step where the server can, else after removing the other. */
async function replace(session: SftpSession, from: string, to: string): Promise<void> {
  const rename = (start: (sftp: SFTPWrapper, done: Done<void>) => void) => session.call<void>(start);
  const isDone = await ifSupported(() =>
    rename((sftp, done) => sftp.ext_openssh_rename(from, to, (error) => done(error, undefined))),
  );
  if (isDone) return;
  await removeFile(session, to);
  await rename((sftp, done) => sftp.rename(from, to, (error) => done(error, undefined)));
}

/** False when the server does not support the extension. */
async function ifSupported(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    // The library throws before it sends anything.
    if (error instanceof Error && /does not support this extended request/.test(error.message)) return false;
    throw error;
  }
}

/** Creates the folders of a path one by one. @throws StorageRejected when the root is missing. */
async function makeFolders(session: SftpSession, root: string, path: string): Promise<void> {
  await assertRoot(session, root);
  let folder = root === '/' ? '' : root;
  for (const part of path.split('/').slice(0, -1)) {
    folder = `${folder}/${part}`;
    if ((await lstat(session, folder)) !== null) continue;
    try {
      await session.call<void>((sftp, done) => sftp.mkdir(folder, (error) => done(error, undefined)));
    } catch (error) {
      // Another write may have created it at the same time.
      if ((await lstat(session, folder)) === null) throw error;
    }
  }
}

export async function assertRoot(session: SftpSession, root: string): Promise<void> {
  const stats = await session.call<Stats>((sftp, done) => sftp.stat(root, done));
  if (!stats.isDirectory())
    throw new StorageRejected(`${root} is a file there. Name the folder that contains it.`);
}

interface Move {
  readonly root: string;
  readonly from: string;
  readonly to: string;
}

export async function moveFile(session: SftpSession, { root, from, to }: Move): Promise<void> {
  await makeFolders(session, root, to);
  const base = root === '/' ? '' : root;
  const stats = await lstat(session, `${base}/${from}`);
  if (stats === null) {
    if ((await lstat(session, `${base}/${to}`)) === null) throw notFound(from);
    return;
  }
  if (!stats.isFile()) throw new StorageRejected(`${JSON.stringify(from)} is not a regular file.`);
  await replace(session, `${base}/${from}`, `${base}/${to}`);
}

export async function removeFile(session: SftpSession, place: string): Promise<void> {
  try {
    await session.call<void>((sftp, done) => sftp.unlink(place, (error) => done(error, undefined)));
  } catch (error) {
    if (!isNoSuchFile(error)) throw error;
  }
}

async function lstat(session: SftpSession, place: string): Promise<Stats | null> {
  try {
    return await session.call<Stats>((sftp, done) => sftp.lstat(place, done));
  } catch (error) {
    if (isNoSuchFile(error)) return null;
    throw error;
  }
}

/** The server closes the files of a lost connection by itself. */
export function closeQuietly(session: SftpSession, handle: Buffer): void {
  void close(session, handle).catch(() => {});
}

function close(session: SftpSession, handle: Buffer): Promise<void> {
  return session.call<void>((sftp, done) => sftp.close(handle, (error) => done(error, undefined)));
}

function notFound(path: string): NotFound {
  return new NotFound(`The file ${JSON.stringify(path)} does not exist.`);
}

function changed(path: string): Conflict {
  return new Conflict(`The file ${JSON.stringify(path)} has changed since it was listed. List it again.`);
}
