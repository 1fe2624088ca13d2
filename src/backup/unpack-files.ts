import { createHash } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { inLanes } from '../core/async/in-lanes.ts';
import { archivePaths } from '../core/backup/archive-paths.ts';
import type { Backup, BackupPart } from '../core/backup/backup.ts';
import { NotFound, StorageRejected } from '../core/errors.ts';
import type { Storage } from '../core/storage/storage.ts';
import { errorCode } from '../postgres-server/index.ts';

const decompress = promisify(gunzip);

export interface Unpacking {
  readonly storage: Storage;
  readonly backup: Backup;
  /** Empty folder, which becomes the data folder. */
  readonly dataFolder: string;
  /** Receives the number of bytes that were written, after each piece. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Parts that are read at once: one is decompressed while the next one arrives. */
const partsAtOnce = 3;

/**
 * Writes the files of a backup into a folder.
 *
 * @throws NotFound when the archive lacks a part, StorageRejected when a part is damaged.
 */
export async function unpackFiles(unpacking: Unpacking): Promise<void> {
  const { backup, dataFolder } = unpacking;
  for (const folder of backup.folders) await mkdir(join(dataFolder, folder), { mode: 0o700 });
  await inLanes(backup.parts, { lanesMax: partsAtOnce, signal: unpacking.signal }, (part, signal) =>
    unpackPart({ ...unpacking, signal }, part),
  );
}

async function unpackPart(
  { storage, backup, dataFolder, onBytes, signal }: Unpacking,
  part: BackupPart,
): Promise<void> {
  const path = archivePaths.part(backup.id, part.name);
  const damaged = (cause?: unknown) =>
    new StorageRejected(`${path} is damaged. Restore another backup.`, cause === undefined ? {} : { cause });
  const found = await storage.find(path, signal);
  if (found === null) throw new NotFound(`The archive has no ${path}. Restore another backup.`);
  if (found.bytes !== part.bytes) throw damaged();
  const reader = createReader(await storage.read(found, signal));
  const files = createOpenFiles(dataFolder);
  try {
    for (const piece of part.pieces) {
      const stored = await reader.read(piece.stored);
      if (stored === null) throw damaged();
      const content = await decompress(stored).catch((error: unknown) => {
        throw damaged(error);
      });
      if (content.length !== piece.bytes) throw damaged();
      await files.write(piece.path, content, piece.at);
      onBytes(piece.bytes);
    }
    if (reader.sha256() !== part.sha256) throw damaged();
  } finally {
    reader.destroy();
    await files.close();
  }
}

/** Reads pieces of known lengths from a stream; null where it ends before. */
function createReader(stream: Readable) {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const hash = createHash('sha256');
  let rest: Buffer[] = [];
  let restBytes = 0;
  return {
    async read(bytes: number): Promise<Buffer | null> {
      while (restBytes < bytes) {
        const next = await iterator.next();
        if (next.done === true) return null;
        rest.push(next.value);
        restBytes += next.value.length;
      }
      // What one read returned is not copied for each of its small pieces.
      const all = rest.length === 1 && rest[0] !== undefined ? rest[0] : Buffer.concat(rest);
      const piece = all.subarray(0, bytes);
      hash.update(piece);
      rest = [all.subarray(bytes)];
      restBytes -= bytes;
      return piece;
    },
    sha256: () => hash.digest('hex'),
    destroy: () => void stream.destroy(),
  };
}

/** Keeps the last file open: the pieces of a file follow each other. */
function createOpenFiles(dataFolder: string) {
  let current: { readonly path: string; readonly file: FileHandle } | null = null;
  async function close(): Promise<void> {
    const closing = current;
    current = null;
    await closing?.file.close();
  }
  return {
    close,
    async write(path: string, content: Buffer, at: number): Promise<void> {
      if (current?.path !== path) {
        await close();
        // Not truncated: another part may hold the beginning of the file.
        current = { path, file: await openToWrite(join(dataFolder, path)) };
      }
      await current.file.write(content, 0, content.length, at);
    },
  };
}

async function openToWrite(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return open(path, 'r+');
    throw error;
  }
}
