import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Conflict } from '../../core/errors.ts';
import type { LocalFile } from '../../core/storage/storage.ts';

/**
 * Reads a file that is to be stored.
 *
 * @throws Conflict after the last byte when size or digest are not as stated: what was stored must not become visible.
 */
export async function* readLocalFile({ path, bytes, sha256 }: LocalFile): AsyncGenerator<Buffer, undefined> {
  const hash = createHash('sha256');
  let bytesRead = 0;
  const source = createReadStream(path, { highWaterMark: 256 * 1024 });
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await iterator.next().catch((cause: unknown) => {
        // Without its code, which would be taken for that of the storage.
        throw new Error('The file to be stored cannot be read.', { cause });
      });
      if (next.done === true) break;
      hash.update(next.value);
      bytesRead += next.value.length;
      yield next.value;
    }
  } finally {
    source.destroy();
  }
  if (bytesRead !== bytes || hash.digest('hex') !== sha256) {
    throw new Conflict('The file to be stored has changed since it was made. Nothing was stored.');
  }
}
