import type { Writable } from 'node:stream';

/**
 * Writes to a stream of the caller, such as stdout, and leaves it open.
 *
 * Resolves when the stream has passed on the bytes, so that a slow reader slows down the source. It waits for a stalled reader
 * without a timeout, unless the signal aborts.
 *
 * @throws the stream's own error (`EPIPE` when the reader has gone), or the signal's reason.
 */
export function writeToStream(target: Writable, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(toError(signal?.reason));
    // Without a listener, the stream's `error` event, which follows the callback, would end the process.
    target.on('error', reject);
    signal?.addEventListener('abort', giveUp, { once: true });
    target.write(bytes, (error) => {
      signal?.removeEventListener('abort', giveUp);
      if (error) return reject(error);
      target.off('error', reject);
      resolve();
    });
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
