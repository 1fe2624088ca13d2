import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Conflict } from '../../core/errors.ts';
import type { LocalFile } from '../../core/storage/storage.ts';

/**
 * Reads a file that is to be stored. Size and digest are checked before the last piece is returned, so that a file that is not as stated
 * reaches no storage completely.
 *
 * @throws Conflict when size or digest are not as stated.
 */
export async function* readLocalFile({ path, bytes, sha256 }: LocalFile): AsyncGenerator<Buffer, undefined> {
  const hash = createHash('sha256');
  const source = createReadStream(path, { highWaterMark: 256 * 1024 });
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let bytesRead = 0;
  let last: Buffer | null = null;
  try {
    for (;;) {
      const next = await iterator.next().catch((cause: unknown) => {
        // Without its code, which would be taken for that of the storage.
        throw new Error('The file to be stored cannot be read.', { cause });
      });
      if (next.done === true) break;
      hash.update(next.value);
      bytesRead += next.value.length;
      if (bytesRead > bytes) throw changed();
      if (last !== null) yield last;
      last = next.value;
    }
    if (bytesRead !== bytes || hash.digest('hex') !== sha256) throw changed();
    if (last !== null) yield last;
  } finally {
    source.destroy();
  }
}

function changed(): Conflict {
  return new Conflict('The file to be stored has changed since it was made. Nothing was stored.');
}
