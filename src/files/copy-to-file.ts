import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface CopyOptions {
  readonly bytesMax: number;
  /** Creates the error for more bytes than `bytesMax`. */
  readonly tooLarge: () => Error;
  /** True: the path must not exist. Default false: an earlier file is replaced. */
  readonly isNew?: boolean;
  readonly signal?: AbortSignal;
}

/** Size of a copy and its SHA-256. */
export interface CopiedFile {
  readonly bytes: number;
  readonly sha256: Buffer;
}

/** Copies a stream to a file that only its owner can read. @throws errors of the stream and of the disk; an incomplete file stays */
export async function copyToFile(
  content: Readable,
  path: string,
  { bytesMax, tooLarge, isNew = false, signal }: CopyOptions,
): Promise<CopiedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const metered = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > bytesMax ? tooLarge() : null, chunk);
    },
  });
  const file = createWriteStream(path, { mode: 0o600, flags: isNew ? 'wx' : 'w' });
  await pipeline(content, metered, file, signal === undefined ? {} : { signal });
  return { bytes, sha256: hash.digest() };
}
