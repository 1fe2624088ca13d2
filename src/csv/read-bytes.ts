import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { fileError, fileTooLarge } from './file-error.ts';
import { gunzip, isGzip } from './gunzip.ts';
import { peek } from './peek.ts';

export interface ByteOptions {
  readonly fileName: string;
  /** The decompressed size at which reading stops, in bytes. */
  readonly bytesMax: number;
  /** Number of bytes to read ahead, if there are as many. */
  readonly headBytes: number;
}

/** The decompressed content of a file, its beginning known. */
export interface FileBytes {
  readonly compressed: boolean;
  readonly head: Buffer;
  /** All of the content, the head included, in pieces of 64 KiB at most. To be iterated once. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Digest of the bytes read so far. */
  readonly digest: () => { readonly sha256: string; readonly bytes: number };
}

/**
 * Opens a file or a stream, gzipped or not, and reads its head.
 *
 * @throws ValidationError, here or while iterating, when the file cannot be read, the gzip data is damaged or the content larger than allowed.
 */
export async function readBytes(input: Readable, options: ByteOptions): Promise<FileBytes> {
  const raw = await peek(piecesOf(input, options.fileName), 2);
  const compressed = isGzip(raw.head);
  const plain = compressed ? gunzip(raw.chunks, options.fileName) : raw.chunks;
  const hash = createHash('sha256');
  let bytes = 0;

  async function* metered(): AsyncGenerator<Buffer> {
    for await (const chunk of plain) {
      bytes += chunk.length;
      if (bytes > options.bytesMax) throw tooLarge(options);
      hash.update(chunk);
      yield chunk;
    }
  }

  const content = await peek(metered(), options.headBytes);
  return { ...content, compressed, digest: () => ({ sha256: hash.copy().digest('hex'), bytes }) };
}

/** Bounded pieces bound what one step of the parser can produce, whatever the chunks of the input are. */
async function* piecesOf(input: Readable, fileName: string): AsyncGenerator<Buffer> {
  const pieceBytes = 64 * 1024;
  const chunks: AsyncIterable<Buffer | string> = input;
  try {
    for await (const chunk of chunks) {
      const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      for (let start = 0; start < buffer.length; start += pieceBytes) {
        yield buffer.subarray(start, start + pieceBytes);
      }
    }
  } catch (error) {
    throw isSystemError(error) ? unreadable(fileName, error) : error;
  }
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

function unreadable(fileName: string, cause: Error): Error {
  return fileError(fileName, null, `The file cannot be read: ${cause.message}.`, { cause });
}

function tooLarge(options: ByteOptions): Error {
  const mebibytes = Math.floor(options.bytesMax / (1024 * 1024));
  const size = mebibytes > 0 ? `${mebibytes} MiB` : `${options.bytesMax} bytes`;
  return fileTooLarge(
    options.fileName,
    null,
    `The file holds more than ${size} when decompressed. Split it into smaller files.`,
  );
}
