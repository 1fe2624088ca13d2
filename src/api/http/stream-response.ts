import { PassThrough, Readable, type TransformCallback, type Writable } from 'node:stream';

/** Minimum rate at which a client must read, while there is data: 8 KiB/s over half a minute. Our choice. */
const leastPace = { bytes: 240 * 1024, everyMs: 30_000 };

/** A reader takes so little that others wait for what it holds. */
class SlowReader extends Error {
  constructor({ bytes, everyMs }: typeof leastPace) {
    super(`The reader took less than ${bytes / 1024} KiB in ${everyMs / 1000} s.`);
  }
}

/**
 * Streams a body while it is written. Half an answer must not look whole: the connection is cut off, also for a reader that takes too
 * little to ever come to the end, because it holds a connection to the database and one of few turns. A client that went away is no trouble
 * of ours.
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
        target.destroy(error instanceof Error ? error : new Error('The answer was cut off.'));
      },
    )
    .finally(stopWatching);
  return Readable.toWeb(target) as ReadableStream;
}

/** Counts what has gone through. */
class MeteredStream extends PassThrough {
  bytes = 0;
  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    super._transform(chunk, encoding, done);
  }
}

/** Ends the stream when it was full at both ends of a span and too little went through in between. */
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
