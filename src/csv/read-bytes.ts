import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { fileError, fileTooLarge } from './file-error.ts';
import { gunzip, isGzip } from './gunzip.ts';
import { peek } from './peek.ts';

/** Options for reading the bytes of a file. */
export interface ByteOptions {
  readonly fileName: string;
  /** Maximum decompressed size in bytes. */
  readonly bytesMax: number;
  /** Number of bytes to read ahead, if the file has as many. */
  readonly headBytes: number;
}

/** Decompressed content of a file, with its head. */
export interface FileBytes {
  readonly compressed: boolean;
  readonly head: Buffer;
  /** All content, including the head, in chunks of at most 64 KiB. Iterate it once. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Returns digest and number of the bytes read so far. */
  readonly digest: () => { readonly sha256: string; readonly bytes: number };
}

/**
 * Opens a file or a stream, gzipped or not, and reads its head.
 *
 * @throws ValidationError, here or while iterating, when the file cannot be read, the gzip data is damaged, or the content is too large.
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

/** Splits the input into bounded chunks, which bound the output of one step of the parser. */
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
    `The file is larger than ${size} when decompressed. Split it into smaller files.`,
  );
}
