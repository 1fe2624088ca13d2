import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File on disk that can be read at any position, and several times. */
export interface SpooledFile {
  readonly bytes: number;
  /** File descriptor, open for reading until `close`. */
  readonly fd: number;
  /** Reads a range; shorter at the end of the file. */
  readonly read: (start: number, length: number) => Promise<Buffer>;
  /** Reads all bytes in chunks. */
  readonly chunks: () => AsyncGenerator<Buffer, undefined>;
  /** Removes the file. Can be called several times. */
  readonly close: () => Promise<void>;
}

const chunkBytes = 256 * 1024;

/**
 * Writes a stream to a temporary file that only its owner can read.
 *
 * The name is random and is removed at once where the system allows it, so that nothing stays behind a killed process.
 */
export async function spoolFile(chunks: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const path = join(tmpdir(), `nightshift-table-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  let bytes = 0;
  let closing: Promise<void> | null = null;
  // Windows cannot remove an open file: `close` does it there.
  const removed = await rm(path).then(
    () => true,
    () => false,
  );

  async function read(start: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, bytes - start)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  async function* readChunks(): AsyncGenerator<Buffer, undefined> {
    for (let start = 0; start < bytes; start += chunkBytes) yield await read(start, chunkBytes);
  }

  function close(): Promise<void> {
    closing ??= file.close().then(() => (removed ? undefined : rm(path, { force: true })));
    return closing;
  }

  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { bytes, fd: file.fd, read, chunks: readChunks, close };
}
