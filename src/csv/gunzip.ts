import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fileError } from './file-error.ts';

/** A real list compresses 3 to 30 times; more than this is made to fill memory or disk. */
const ratioMax = 100;
/** The ratio is looked at only above this size, since a short file of equal lines is harmless. */
const ratioBytesMin = 1024 * 1024;

/** By the magic bytes of RFC 1952 §2.3.1; a file name says nothing on standard input. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * Decompresses gzip data as it is asked for.
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

/** The iteration throws the same error; the callback is there because `pipeline` wants one. */
function ignore(): void {}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function tooDense(fileName: string): Error {
  return fileError(
    fileName,
    null,
    `The gzip data grows more than ${ratioMax} times, which no list does. Decompress it first if it is right.`,
  );
}

function damaged(fileName: string, cause: unknown): Error {
  return fileError(fileName, null, 'The gzip data is damaged or cut off. Copy or download the file again.', {
    cause,
  });
}
