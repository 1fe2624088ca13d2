import { constants, type BigIntStats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { Conflict, NotFound, StorageRejected } from '../../core/errors.ts';
import { isFolderWithin } from '../../core/storage/assert-folder-allowed.ts';
import type { FolderLocation } from '../../core/storage/location.ts';
import { assertStoragePath } from '../../core/storage/storage-path.ts';
import type { LocalFile, Storage, StorageFile } from '../../core/storage/storage.ts';
import { flushFolder } from '../../files/flush-folder.ts';
import { openStagedFile } from '../../files/staged-file.ts';
import { codeOf, folderError } from './folder-errors.ts';
import { withinFolderTime } from './folder-time.ts';
import { guardStream } from './guarded-stream.ts';
import { listFolders } from './list-folders.ts';
import { readLocalFile } from './local-file.ts';
import { abandonedNames, isTemporaryName, temporaryPlace } from './temporary-place.ts';
import { standardTimes, type StorageTimes } from './time-limits.ts';

export interface FolderOptions {
  /** Folders that the real path of the root must be in; null: it may be anywhere. For a folder that an account has named. */
  readonly within?: readonly string[] | null;
  readonly times?: StorageTimes;
}

/**
 * Opens a folder. Links are not followed: a list leaves them out, and a path through one that leads out of the folder is rejected. The root
 * itself may be a link. A version is the size and the time of the last change, in nanoseconds.
 */
export function openFolderStorage(
  location: FolderLocation,
  { within = null, times = standardTimes }: FolderOptions = {},
): Storage {
  const { path: root } = location;
  const { answerMs, transferMs } = times;
  const cleared = new Set<string>();

  /** Runs an operation, and explains errors of the file system. */
  const run = <T>(
    signal: AbortSignal,
    work: (inner: AbortSignal) => Promise<T>,
    deadlineMs = answerMs,
  ): Promise<T> =>
    withinFolderTime(root, { signal, deadlineMs }, async (inner) => {
      try {
        return await work(inner);
      } catch (error) {
        throw folderError(error, root);
      }
    });

  return {
    isAtomic: false,
    list: (signal) =>
      listFolders({
        readFolder: (path) => run(signal, () => readFolder(root, path, within)),
        readFile: (path) => run(signal, () => readState(join(root, path), path)),
      }),
    find: (path, signal) =>
      run(signal, async () => {
        const place = await placeOf(root, path, within);
        return place === null ? null : readState(place, path);
      }),
    async read(file, signal, { mayGrow = false } = {}) {
      const isAsListed = (stats: BigIntStats) => {
        const { bytes, version } = stateOf(file.path, stats);
        return mayGrow ? bytes >= file.bytes : version === file.version;
      };
      const handle = await run(signal, (inner) =>
        openFile(root, file, { within, isAsListed, signal: inner }),
      );
      return streamFile(handle, file, { root, isAsListed, signal, times });
    },
    write: (path, file, { signal }) =>
      run(
        signal,
        async (inner) =>
          storeFile(await placeFor(root, path, within), file, {
            signal: inner,
            opened: (temporary) => clearOnce(cleared, temporary),
          }),
        transferMs,
      ),
    move: (from, to, signal) => run(signal, () => moveFile(root, { from, to, within })),
    remove: (path, signal) =>
      run(signal, async () => {
        const place = await placeOf(root, path, within);
        if (place !== null) await rm(place, { force: true });
      }),
    close: async () => {},
  };
}

/** Returns the real path of the root. @throws StorageRejected when it is missing or is not a folder. */
async function realRoot(root: string, within: readonly string[] | null): Promise<string> {
  const real = await realpath(root);
  if (!(await lstat(real)).isDirectory()) {
    throw new StorageRejected(`${root} is a file. Name the folder that contains it.`);
  }
  if (within !== null) {
    const allowed = await Promise.all(within.map((folder) => realpath(folder).catch(() => folder)));
    if (!isFolderWithin(real, allowed)) {
      throw new StorageRejected(
        `${root} leads out of the folders in NIGHTSHIFT_FOLDERS. Name another folder.`,
      );
    }
  }
  return real;
}

async function readFolder(root: string, path: string, within: readonly string[] | null) {
  const real = await realRoot(root, within);
  try {
    const entries = await readdir(join(real, path), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch (error) {
    if (path !== '' && ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null;
    throw error;
  }
}

async function readState(place: string, path: string): Promise<StorageFile | null> {
  const stats = await lstat(place, { bigint: true }).catch(ifMissing);
  return stats?.isFile() === true ? stateOf(path, stats) : null;
}

function stateOf(path: string, { size, mtimeMs, mtimeNs }: BigIntStats): StorageFile {
  const modifiedAt = new Date(Number(mtimeMs));
  return { path, bytes: Number(size), modifiedAt, version: `${size}-${mtimeNs}` };
}

interface Opening {
  readonly within: readonly string[] | null;
  /** Compares the state of the opened file with the listed one. */
  readonly isAsListed: (stats: BigIntStats) => boolean;
  readonly signal: AbortSignal;
}

/** Opens a file for reading. The check of the opened file holds even if a folder is replaced by a link at the same time. */
async function openFile(
  root: string,
  file: StorageFile,
  { within, isAsListed, signal }: Opening,
): Promise<FileHandle> {
  const place = await placeOf(root, file.path, within);
  if (place === null) throw notFound(file.path);
  // A device or a pipe would block; a link is not followed.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(place, flags).catch(ifMissing);
  if (handle === undefined) throw notFound(file.path);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || !(await isOpenAt(handle, place))) throw notFound(file.path);
    if (!isAsListed(stats)) throw changed(file.path);
    // No one receives the file any more.
    signal.throwIfAborted();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Compares the path that the system reports for an open file; true where the system reports none. */
async function isOpenAt(handle: FileHandle, place: string): Promise<boolean> {
  const real = await realpath(`/proc/self/fd/${handle.fd}`).catch(() => place);
  return real === place;
}

interface Reading extends Pick<Opening, 'isAsListed'> {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly times: StorageTimes;
}

function streamFile(
  handle: FileHandle,
  file: StorageFile,
  { root, isAsListed, signal, times }: Reading,
): Readable {
  const bytes =
    file.bytes === 0
      ? Readable.from([])
      : handle.createReadStream({ autoClose: false, highWaterMark: 256 * 1024, end: file.bytes - 1 });
  return guardStream(bytes, {
    signal,
    times,
    where: `The folder ${root}`,
    translate: (error) => folderError(error, root),
    atEnd: async () => {
      if (!isAsListed(await handle.stat({ bigint: true }))) throw changed(file.path);
    },
    onClose: () => void handle.close().catch(() => {}),
  });
}

interface Storing {
  readonly signal: AbortSignal;
  /** Receives the place of the temporary file. */
  readonly opened: (temporary: string) => Promise<void>;
}

async function storeFile(place: string, file: LocalFile, { signal, opened }: Storing): Promise<void> {
  const temporary = temporaryPlace(place);
  const staged = await openStagedFile(place, temporary);
  try {
    await opened(temporary);
    for await (const chunk of readLocalFile(file)) {
      signal.throwIfAborted();
      await staged.write(chunk);
    }
    await staged.flush();
    signal.throwIfAborted();
    await staged.commit();
    await flushFolder(dirname(place));
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Removes what killed processes have left in the folder of a temporary file, unless it did so before. Without the right to, it stays. */
async function clearOnce(cleared: Set<string>, temporary: string): Promise<void> {
  const folder = dirname(temporary);
  if (cleared.has(folder)) return;
  cleared.add(folder);
  const names = (await readdir(folder).catch(() => [])).filter(isTemporaryName);
  const files = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => null);
      return stats === null ? [] : [{ name, modifiedAt: stats.mtime }];
    }),
  );
  for (const name of abandonedNames(files.flat(), basename(temporary)))
    await rm(join(folder, name), { force: true }).catch(() => {});
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly within: readonly string[] | null;
}

async function moveFile(root: string, { from, to, within }: Move): Promise<void> {
  const target = await placeFor(root, to, within);
  const source = await placeOf(root, from, within);
  const stats = source === null ? undefined : await lstat(source).catch(ifMissing);
  if (source === null || stats === undefined) {
    if ((await lstat(target).catch(ifMissing)) === undefined) throw notFound(from);
    return;
  }
  if (!stats.isFile()) throw new StorageRejected(`${JSON.stringify(from)} is not a regular file.`);
  await rename(source, target);
  await flushFolder(dirname(target));
}

/** Returns the real place of a path; null when its folder does not exist. @throws StorageRejected when it is outside of the root. */
async function placeOf(root: string, path: string, within: readonly string[] | null): Promise<string | null> {
  assertStoragePath(path);
  const real = await realRoot(root, within);
  const place = join(real, path);
  const folder = await realpath(dirname(place)).catch(ifMissing);
  if (folder === undefined) return null;
  if (!isFolderWithin(folder, [real])) throw outside(path);
  return join(folder, basename(place));
}

/** Returns the real place of a path, after it has created missing folders one by one. */
async function placeFor(root: string, path: string, within: readonly string[] | null): Promise<string> {
  assertStoragePath(path);
  const real = await realRoot(root, within);
  const parts = path.split('/');
  let folder = real;
  for (const part of parts.slice(0, -1)) {
    const next = join(folder, part);
    await mkdir(next).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    folder = await realpath(next);
    if (!isFolderWithin(folder, [real])) throw outside(path);
  }
  const place = join(folder, parts.at(-1) ?? '');
  const stats = await lstat(place).catch(ifMissing);
  if (stats !== undefined && !stats.isFile()) {
    throw new StorageRejected(`${JSON.stringify(path)} is a folder or a link there. Use another name.`);
  }
  return place;
}

function ifMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) throw error;
}

function notFound(path: string): NotFound {
  return new NotFound(`The file ${JSON.stringify(path)} does not exist.`);
}

function changed(path: string): Conflict {
  return new Conflict(`The file ${JSON.stringify(path)} has changed since it was listed. List it again.`);
}

function outside(path: string): StorageRejected {
  return new StorageRejected(`The path ${JSON.stringify(path)} leads out of the folder through a link.`);
}
