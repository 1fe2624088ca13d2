import { createHash, type Hash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { BackupPart, BackupPiece } from '../core/backup/backup.ts';
import type { LocalFile } from '../core/storage/storage.ts';
import { errorCode } from '../postgres-server/index.ts';

/** Large enough for a good rate, small enough that several are in memory. */
const pieceBytes = 4 * 1024 * 1024;
/** A part begins a new file when it has reached this size. */
const partBytes = 64 * 1024 * 1024;
/** Pieces that are compressed at once, in threads of Node. */
const piecesAtOnce = 4;
/** The disk and the network are slower than a better compression would pay for. */
const level = 1;

const compress = promisify(gzip);

export interface Packing {
  readonly dataFolder: string;
  /** Relative paths. */
  readonly files: readonly string[];
  /** Folder for the part that is being written. */
  readonly workFolder: string;
  /** Stores a complete part. */
  readonly store: (name: string, part: LocalFile) => Promise<void>;
  /** Receives the number of bytes that were read, after each piece. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Packs the files of a running server into parts. A file that shrinks or disappears meanwhile is packed as far as it can be read: the WAL
 * repeats what is missing.
 */
export async function packFiles(packing: Packing): Promise<readonly BackupPart[]> {
  const parts: BackupPart[] = [];
  let part = await openPart(packing, 1);
  try {
    for await (const { piece, stored } of inOrder(compressPieces(packing))) {
      packing.signal.throwIfAborted();
      await part.add({ ...piece, stored: stored.length }, stored);
      packing.onBytes(piece.bytes);
      if (part.bytes() < partBytes) continue;
      parts.push(await part.finish());
      part = await openPart(packing, parts.length + 1);
    }
    parts.push(await part.finish());
    return parts;
  } finally {
    await part.discard();
  }
}

interface PackedPiece {
  readonly piece: Omit<BackupPiece, 'stored'>;
  readonly stored: Buffer;
}

/** Yields each piece in a tuple: a generator would wait for a promise that it yields as it is. */
async function* compressPieces({
  dataFolder,
  files,
}: Packing): AsyncGenerator<readonly [Promise<PackedPiece>], undefined> {
  for (const path of files) {
    const file = await openIfThere(join(dataFolder, path));
    if (file === null) continue;
    try {
      for (let at = 0; ; at += pieceBytes) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
        // An empty file is a piece, too.
        if (bytesRead === 0 && at > 0) break;
        const piece = { path, at, bytes: bytesRead };
        yield [compress(buffer.subarray(0, bytesRead), { level }).then((stored) => ({ piece, stored }))];
        if (bytesRead < pieceBytes) break;
      }
    } finally {
      await file.close();
    }
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Yields the results in their order, while the next ones are made. */
async function* inOrder<T>(made: AsyncIterable<readonly [Promise<T>]>): AsyncGenerator<T, undefined> {
  const running: Promise<T>[] = [];
  for await (const [promise] of made) {
    // Its error is thrown when it is its turn.
    promise.catch(() => undefined);
    running.push(promise);
    const first = running.length >= piecesAtOnce ? running.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const promise of running) yield await promise;
}

interface OpenPart {
  readonly bytes: () => number;
  readonly add: (piece: BackupPiece, stored: Buffer) => Promise<void>;
  readonly finish: () => Promise<BackupPart>;
  readonly discard: () => Promise<void>;
}

async function openPart({ workFolder, store }: Packing, number: number): Promise<OpenPart> {
  const name = `part-${String(number).padStart(5, '0')}`;
  const path = join(workFolder, name);
  const file = await open(path, 'w', 0o600);
  const hash: Hash = createHash('sha256');
  const pieces: BackupPiece[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    async add(piece, stored) {
      await file.writeFile(stored);
      hash.update(stored);
      bytes += stored.length;
      pieces.push(piece);
    },
    async finish() {
      await file.close();
      const sha256 = hash.digest('hex');
      await store(name, { path, bytes, sha256 });
      await rm(path, { force: true });
      return { name, bytes, sha256, pieces };
    },
    async discard() {
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}
