import { PassThrough, Readable, type TransformCallback, type Writable } from 'node:stream';

/** Minimum rate at which a client must read while data is available: 8 KiB/s over 30 s. Our choice. */
const leastPace = { bytes: 240 * 1024, everyMs: 30_000 };

/** Error of a client that reads below the minimum rate and blocks a slot that others wait for. */
class SlowReader extends Error {
  constructor({ bytes, everyMs }: typeof leastPace) {
    super(`The client read less than ${bytes / 1024} KiB in ${everyMs / 1000} s.`);
  }
}

/**
 * Streams a body while it is written. An incomplete response must not look complete: after an error the connection is closed. It is also
 * closed for a client that reads too slowly, because that client holds a database connection and one of few slots. A client that
 * disconnects is not an error.
 */
export function streamAnswer(
  write: (target: Writable) => Promise<unknown>,
  onError: (error: unknown) => void,
  pace = leastPace,
): ReadableStream {
  const target = new MeteredStream();
  const stopWatching = watchPace(target, pace);
  write(target)
    .then(
      () => target.end(),
      (error: unknown) => {
        if (!target.destroyed || target.errored instanceof SlowReader) onError(target.errored ?? error);
        target.destroy(error instanceof Error ? error : new Error('A response was cut off.'));
      },
    )
    .finally(stopWatching);
  return Readable.toWeb(target) as ReadableStream;
}

/** Stream that counts its bytes. */
class MeteredStream extends PassThrough {
  bytes = 0;
  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    super._transform(chunk, encoding, done);
  }
}

/** Ends the stream when its buffer was full at both ends of a period and too few bytes passed in between. */
function watchPace(target: MeteredStream, pace: typeof leastPace): () => void {
  let before = { bytes: 0, isFull: false };
  const timer = setInterval(() => {
    const now = { bytes: target.bytes, isFull: target.writableNeedDrain };
    if (before.isFull && now.isFull && now.bytes - before.bytes < pace.bytes)
      target.destroy(new SlowReader(pace));
    before = now;
  }, pace.everyMs).unref();
  return () => clearInterval(timer);
}
