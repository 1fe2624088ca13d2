import { Readable } from 'node:stream';
import { StorageUnavailable } from '../../core/errors.ts';
import { withinTime, type StorageTimes } from './time-limits.ts';

export interface GuardedStreamOptions {
  readonly signal: AbortSignal;
  readonly times: StorageTimes;
  /** Name of the operation in messages, without secrets. */
  readonly where: string;
  /** Converts an error of the source. */
  readonly translate: (error: unknown) => unknown;
  /** Called after the last byte. An error makes the stream fail instead of ending. */
  readonly atEnd?: () => Promise<void>;
  /** Called once, when the stream has ended, failed or been destroyed. */
  readonly onClose?: () => void;
}

/**
 * Guards the bytes of a file that is being read: a pause or a transfer that takes too long, and the signal of the caller, end it with an
 * error. Destroying it destroys the source.
 */
export function guardStream(source: Readable, options: GuardedStreamOptions): Readable {
  const { signal, times, where, translate, atEnd, onClose } = options;
  const endsAtMs = performance.now() + times.transferMs;
  const timed = { signal, deadlineMs: times.answerMs, where };

  async function* chunks(): AsyncGenerator<unknown, undefined> {
    const iterator: AsyncIterator<unknown> = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await withinTime(timed, () => iterator.next());
        if (next.done === true) break;
        if (performance.now() > endsAtMs) throw new StorageUnavailable(`${where} took too long.`);
        yield next.value;
      }
      if (atEnd !== undefined) await withinTime(timed, atEnd);
    } catch (error) {
      signal.throwIfAborted();
      throw translate(error);
    }
  }

  // The iterator reports errors; without a listener, one that comes when nothing reads would end the process.
  source.on('error', () => {});
  const guarded = Readable.from(chunks(), { objectMode: false });
  guarded.once('close', () => {
    source.destroy();
    onClose?.();
  });
  return guarded;
}
