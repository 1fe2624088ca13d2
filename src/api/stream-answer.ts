import { PassThrough, Readable, type Writable } from 'node:stream';

/**
 * What is being written, as the body of an answer. Half an answer must not look whole: the connection is cut off. A client that went
 * away is no trouble of ours.
 */
export function streamAnswer(
  write: (target: Writable) => Promise<unknown>,
  onTrouble: (error: unknown) => void,
): ReadableStream {
  const target = new PassThrough();
  write(target).then(
    () => target.end(),
    (error: unknown) => {
      if (!target.destroyed) onTrouble(error);
      target.destroy(error instanceof Error ? error : new Error('The answer was cut off.'));
    },
  );
  return Readable.toWeb(target) as ReadableStream;
}
