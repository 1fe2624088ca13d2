import { constants } from 'node:fs';
import { Readable } from 'node:stream';
import type { SFTPWrapper, Stats } from 'ssh2';
import { Conflict, NotFound, StorageRejected, StorageUnavailable } from '../../core/errors.ts';
import type { SftpLocation } from '../../core/storage/location.ts';
import { assertStoragePath } from '../../core/storage/storage-path.ts';
import type { LocalFile, Storage, StorageFile } from '../../core/storage/storage.ts';
import type { ConnectOptions } from '../http/http-connect.ts';
import { guardStream } from './guarded-stream.ts';
import { keepSession } from './keep-session.ts';
import { listFolders, type FolderEntry } from './list-folders.ts';
import { readLocalFile } from './local-file.ts';
import { isNoSuchFile, sshError } from './sftp-errors.ts';
import {
  openSftpSession,
  readShownKey,
  serverName,
  type Done,
  type SessionOptions,
  type SftpSession,
} from './sftp-session.ts';
import { readEntries, readPieces, writePieces } from './sftp-transfer.ts';
import { temporaryPlace } from './temporary-place.ts';
import { standardTimes, whileMoving, withinTime, type StorageTimes } from './time-limits.ts';

export interface SftpOptions extends SessionOptions {
  readonly times?: StorageTimes;
}

/**
 * Opens a folder of an SFTP server. Connects with the first operation, and again after a lost connection. Lists leave out links.
 *
 * A version is size and time of the last change, in whole seconds as SFTP reports it: a change within the same second that keeps the size
 * is not seen.
 */
export function openSftpStorage(location: SftpLocation, options: SftpOptions): Storage {
  const { times = standardTimes } = options;
  const { answerMs } = times;
  const where = serverName(location);
  const root = location.path.replace(/(?<=.)\/+$/, '');
  const placeOf = (path: string) => (root === '/' ? `/${path}` : `${root}/${path}`);
  const connection = keepSession((signal) =>
    // Not with the signal of one operation: others may wait for the same connection.
    withinTime({ signal, deadlineMs: answerMs, where }, (inner) => openSftpSession(location, options, inner)),
  );

  /** Runs an operation. A server that does not answer in time is disconnected, and with it all that it has not answered. */
  async function run<T>(
    signal: AbortSignal,
    work: (session: SftpSession, moved: () => void) => Promise<T>,
    isTransfer = false,
  ): Promise<T> {
    const within = async (_: AbortSignal, moved: () => void = () => {}) => {
      try {
        return await work(await connection.session(), moved);
      } catch (error) {
        throw sshError(error, where);
      }
    };
    try {
      return isTransfer
        ? await whileMoving({ signal, times, where }, within)
        : await withinTime({ signal, deadlineMs: answerMs, where }, within);
    } catch (error) {
      if (error instanceof StorageUnavailable) connection.drop();
      throw error;
    }
  }

  return {
    isAtomic: false,
    list: (signal) =>
      listFolders({
        readFolder: (path) =>
          run(
            signal,
            (session, moved) => readFolder(session, { place: placeOf(path), isRoot: path === '', moved }),
            true,
          ),
        readFile: async () => null,
      }),
    async find(path, signal) {
      assertStoragePath(path);
      return run(signal, (session) => findFile(session, placeOf(path), path));
    },
    async read(file, signal) {
      assertStoragePath(file.path);
      const { session, handle } = await run(signal, (opened) => openFile(opened, placeOf(file.path), file));
      return guardStream(Readable.from(readPieces(session, handle, file.bytes), { objectMode: false }), {
        signal,
        times,
        where,
        translate: (error) => sshError(error, where),
        atEnd: async () => {
          const stats = await session.call<Stats>((sftp, done) => sftp.fstat(handle, done));
          if (stateOf(stats).version !== file.version) throw changed(file.path);
        },
        onClose: () => closeQuietly(session, handle),
      });
    },
    async write(path, file, { signal }) {
      assertStoragePath(path);
      await run(signal, (session, moved) => storeFile(session, { root, path, file, moved, signal }), true);
    },
    async move(from, to, signal) {
      assertStoragePath(from);
      assertStoragePath(to);
      await run(signal, (session) => moveFile(session, { root, from, to }));
    },
    async remove(path, signal) {
      assertStoragePath(path);
      await run(signal, async (session) => {
        await assertRoot(session, root);
        await removeFile(session, placeOf(path));
      });
    },
    close: async () => connection.drop(),
  };
}

/**
 * Reads the key of a server as `SHA256:…`, so that a person can compare it before it is recorded in the location. Does not log in.
 *
 * @throws StorageUnavailable | StorageRejected
 */
export function readHostKey(
  location: SftpLocation,
  { times = standardTimes, ...options }: ConnectOptions & { readonly times?: StorageTimes },
  signal: AbortSignal,
): Promise<string> {
  const timed = { signal, deadlineMs: times.answerMs, where: serverName(location) };
  return withinTime(timed, (inner) => readShownKey(location, options, inner));
}

interface FolderToRead {
  readonly place: string;
  readonly isRoot: boolean;
  readonly moved: () => void;
}

async function readFolder(
  session: SftpSession,
  { place, isRoot, moved }: FolderToRead,
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

async function findFile(session: SftpSession, place: string, path: string): Promise<StorageFile | null> {
  const stats = await lstat(session, place);
  return stats?.isFile() === true ? { path, ...stateOf(stats) } : null;
}

async function openFile(session: SftpSession, place: string, file: StorageFile) {
  const stats = await lstat(session, place);
  if (stats?.isFile() !== true) throw notFound(file.path);
  const handle = await session.call<Buffer>((sftp, done) => sftp.open(place, 'r', done));
  const opened = await session.call<Stats>((sftp, done) => sftp.fstat(handle, done));
  if (stateOf(opened).version === file.version) return { session, handle };
  closeQuietly(session, handle);
  throw changed(file.path);
}

interface Store {
  readonly root: string;
  readonly path: string;
  readonly file: LocalFile;
  readonly moved: () => void;
  readonly signal: AbortSignal;
}

async function storeFile(session: SftpSession, { root, path, file, moved, signal }: Store): Promise<void> {
  await makeFolders(session, root, path);
  const place = `${root === '/' ? '' : root}/${path}`;
  const temporary = temporaryPlace(place);
  await removeFile(session, temporary);
  const handle = await session.call<Buffer>((sftp, done) => sftp.open(temporary, 'wx', done));
  try {
    await writePieces(session, handle, { source: stopOnAbort(readLocalFile(file), signal), moved });
    await flush(session, handle);
    await session.call<void>((sftp, done) => sftp.close(handle, (error) => done(error, undefined)));
    signal.throwIfAborted();
    await replace(session, temporary, place);
  } catch (error) {
    closeQuietly(session, handle);
    await removeFile(session, temporary).catch(() => {});
    throw error;
  }
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

async function assertRoot(session: SftpSession, root: string): Promise<void> {
  const stats = await session.call<Stats>((sftp, done) => sftp.stat(root, done));
  if (!stats.isDirectory())
    throw new StorageRejected(`${root} is a file there. Name the folder that contains it.`);
}

interface Move {
  readonly root: string;
  readonly from: string;
  readonly to: string;
}

async function moveFile(session: SftpSession, { root, from, to }: Move): Promise<void> {
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

async function removeFile(session: SftpSession, place: string): Promise<void> {
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
function closeQuietly(session: SftpSession, handle: Buffer): void {
  void session
    .call<void>((sftp, done) => sftp.close(handle, (error) => done(error, undefined)))
    .catch(() => {});
}

function notFound(path: string): NotFound {
  return new NotFound(`The file ${JSON.stringify(path)} does not exist.`);
}

function changed(path: string): Conflict {
  return new Conflict(`The file ${JSON.stringify(path)} has changed since it was listed. List it again.`);
}
