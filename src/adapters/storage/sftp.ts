import { Readable } from 'node:stream';
import { StorageUnavailable } from '../../core/errors.ts';
import type { SftpLocation } from '../../core/storage/location.ts';
import { assertStoragePath } from '../../core/storage/storage-path.ts';
import type { Storage } from '../../core/storage/storage.ts';
import type { ConnectOptions } from '../http/http-connect.ts';
import { guardStream } from './guarded-stream.ts';
import { keepSession } from './keep-session.ts';
import { listFolders } from './list-folders.ts';
import {
  assertRoot,
  assertUnchanged,
  closeQuietly,
  findFile,
  moveFile,
  openFile,
  readFolder,
  removeFile,
  storeFile,
} from './sftp-files.ts';
import { sshError } from './sftp-errors.ts';
import {
  openSftpSession,
  readShownKey,
  serverName,
  type SessionOptions,
  type SftpSession,
} from './sftp-session.ts';
import { readPieces } from './sftp-transfer.ts';
import { standardTimes, whileMoving, withinTime, type StorageTimes } from './time-limits.ts';

export interface SftpOptions extends SessionOptions {
  readonly times?: StorageTimes;
  /** Temporary files that lost connections have left on the server. The next write removes them. Default: those of this storage. */
  readonly left?: Set<string>;
}

/**
 * Opens a folder of an SFTP server. Connects with the first operation, and again after a lost connection. Lists leave out links.
 *
 * A version is size and time of the last change, in whole seconds as SFTP reports it: a change within the same second that keeps the size
 * is not seen.
 */
export function openSftpStorage(location: SftpLocation, options: SftpOptions): Storage {
  const { times = standardTimes, left = new Set() } = options;
  const { answerMs } = times;
  const where = serverName(location);
  const root = location.path.replace(/(?<=.)\/+$/, '');
  const placeOf = (path: string) => (root === '/' ? `/${path}` : `${root}/${path}`);
  const folder = { root, temporaries: { cleared: new Set<string>(), left } };
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
            (session, moved) => readFolder(session, placeOf(path), { isRoot: path === '', moved }),
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
        atEnd: () => assertUnchanged(session, handle, file),
        onClose: () => closeQuietly(session, handle),
      });
    },
    async write(path, file, { signal }) {
      assertStoragePath(path);
      const storing = { ...folder, path, file, signal };
      await run(signal, (session, moved) => storeFile(session, { ...storing, moved }), true);
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
