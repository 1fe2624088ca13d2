import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ApiContext } from './api-env.ts';
import { brokenOff, Problem } from './problem.ts';

/**
 * Streams the body of a request and decompresses gzip (RFC 9110 §8.4.1.3). Its errors are problems. The reader has to limit what it
 * reads: a few bytes may decompress to many.
 *
 * @throws Problem for any other coding.
 */
export function requestBody(c: ApiContext): Readable {
  const { incoming } = c.env;
  const coding = (c.req.header('content-encoding') ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return incoming;
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new Problem('unsupported_media_type', {
      titles: ['The header Content-Encoding must be gzip or absent'],
      headers: { 'Accept-Encoding': 'gzip' },
    });
  const unpacked = createGunzip();
  incoming.on('error', (error) => unpacked.destroy(brokenOff(error)));
  unpacked.on('error', () => incoming.unpipe(unpacked));
  return incoming.pipe(unpacked);
}

/** Converts an error while reading a body to a problem. */
export function bodyProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^Z_/.test(code))
    return new Problem('validation_error', {
      titles: ['The body does not match its Content-Encoding'],
      cause: error,
    });
  return code === 'ECONNRESET' ? brokenOff(error) : error;
}
