import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { openStagedFile } from '../../files/staged-file.ts';
import { writeToStream } from '../files/write-to-stream.ts';

/** Size of a written document, and its SHA-256 in hex. */
export interface WrittenDocument {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a text atomically to a file, or to a stream, which stays open.
 *
 * @throws ValidationError | Misconfigured when the file cannot be written; the message says what to do.
 */
export async function writeDocument(
  text: string,
  target: string | Writable,
  signal?: AbortSignal,
): Promise<WrittenDocument> {
  const bytes = Buffer.from(text);
  if (typeof target === 'string') await writeFile(target, bytes, signal);
  else await writeToStream(target, bytes, signal);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function writeFile(path: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  const file = await openStagedFile(path);
  try {
    await file.write(bytes);
    await file.flush();
    signal?.throwIfAborted();
    await file.commit();
  } finally {
    await file.discard();
  }
}
