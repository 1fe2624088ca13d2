import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { describeBytes, quoteNames, tableError, tableTooLarge } from '../records/table-error.ts';

/** Maximum compression ratio. Sheets compress 5 to 40 times; a higher ratio is a decompression bomb. */
const ratioMax = 200;
/** Size above which the ratio is checked: a short file of equal rows is harmless. */
const ratioBytesMin = 4 * 1024 * 1024;

/** Options for a file of an archive. */
export interface EntryOptions {
  readonly fileName: string;
  /** Maximum decompressed size in bytes. It is counted; what the archive says about it is not trusted. */
  readonly bytesMax: number;
}

/**
 * Decompresses a file of an archive on demand, and compares its checksum at the end.
 *
 * @throws ValidationError when it is encrypted, damaged, compressed in an unknown way, larger than allowed, or grows more than 200 times.
 */
export async function* readZipEntry(
  zip: ZipFile,
  entry: Entry,
  { fileName, bytesMax }: EntryOptions,
): AsyncGenerator<Buffer, undefined> {
  rejectUnreadable(entry, fileName);
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of inflated(zip, entry, fileName)) {
    bytes += chunk.length;
    checksum = crc32(chunk, checksum);
    if (bytes > bytesMax) throw tooLarge(entry, fileName, bytesMax);
    if (bytes > ratioBytesMin && bytes > entry.compressedSize * ratioMax) throw tooDense(entry, fileName);
    yield chunk;
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) throw damaged(entry, fileName);
}

function rejectUnreadable(entry: Entry, fileName: string): void {
  if (entry.isEncrypted())
    throw tableError(
      fileName,
      null,
      'The ZIP archive is protected by a password. Decompress it and submit the list itself.',
    );
  if (entry.compressionMethod === 0 || entry.compressionMethod === 8) return;
  throw tableError(
    fileName,
    null,
    `The file ${quoteNames([entry.fileName])} in the ZIP archive is compressed in an unsupported way (method ${entry.compressionMethod}). ` +
      'Create the archive again in the usual way (deflate).',
  );
}

async function* inflated(zip: ZipFile, entry: Entry, fileName: string): AsyncGenerator<Buffer, undefined> {
  try {
    const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    const stream: AsyncIterable<Buffer> =
      entry.compressionMethod === 0
        ? raw
        : pipeline(raw, createInflateRaw({ chunkSize: 256 * 1024 }), ignore);
    yield* stream;
  } catch (error) {
    throw damaged(entry, fileName, error);
  }
}

/** Callback for `pipeline`, which requires one. The iteration throws the same error. */
function ignore(): void {}

function tooLarge(entry: Entry, fileName: string, bytesMax: number): Error {
  return tableTooLarge(
    fileName,
    null,
    `The file ${quoteNames([entry.fileName])} in it is larger than ${describeBytes(bytesMax)} when decompressed. Split it into smaller files.`,
  );
}

function tooDense(entry: Entry, fileName: string): Error {
  return tableError(
    fileName,
    null,
    `The file ${quoteNames([entry.fileName])} in it expands more than ${ratioMax} times, which is not plausible for a list. ` +
      'If it is correct, save it as CSV (UTF-8).',
  );
}

function damaged(entry: Entry, fileName: string, cause?: unknown): Error {
  return tableError(
    fileName,
    null,
    `The file ${quoteNames([entry.fileName])} in it is damaged. Copy or download the file again.`,
    cause === undefined ? {} : { cause },
  );
}
