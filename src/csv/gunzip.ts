import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fileError } from './file-error.ts';

/** Maximum compression ratio. Real files compress 3 to 30 times; a higher ratio is a decompression bomb. */
const ratioMax = 100;
/** Size above which the ratio is checked: a short file of equal lines is harmless. */
const ratioBytesMin = 1024 * 1024;

/** Detects gzip by its magic bytes (RFC 1952 §2.3.1), because standard input has no file name. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * Decompresses gzip data on demand.
 *
 * @throws ValidationError when the data is damaged, cut off, or grows more than 100 times.
 */
export async function* gunzip(compressed: AsyncIterable<Buffer>, fileName: string): AsyncGenerator<Buffer> {
  let bytesIn = 0;
  let bytesOut = 0;

  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of compressed) {
      bytesIn += chunk.length;
      yield chunk;
    }
  }

  const stream: AsyncIterable<Buffer> = pipeline(counted(), createGunzip({ chunkSize: 64 * 1024 }), ignore);
  try {
    for await (const chunk of stream) {
      bytesOut += chunk.length;
      if (bytesOut > ratioBytesMin && bytesOut > bytesIn * ratioMax) throw tooDense(fileName);
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? damaged(fileName, error) : error;
  }
}

/** Callback for `pipeline`, which requires one. The iteration throws the same error. */
function ignore(): void {}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function tooDense(fileName: string): Error {
  return fileError(
    fileName,
    null,
    `The gzip data expands more than ${ratioMax} times, which is not plausible for a CSV file. If it is correct, decompress it first.`,
  );
}

function damaged(fileName: string, cause: unknown): Error {
  return fileError(fileName, null, 'The gzip data is damaged or cut off. Copy or download the file again.', {
    cause,
  });
}
