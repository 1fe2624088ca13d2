import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TooLarge } from '../../core/errors.ts';
import type { SpooledFile } from '../../core/inboxes/inbox-work.ts';

export interface SpoolOptions {
  /** Name of the file in messages. */
  readonly fileName: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Temporary files of this machine, which only their owner can read. */
export interface FileSpool {
  /** Copies a stream to a file. An incomplete copy is removed. @throws TooLarge beyond `bytesMax`; the error of the stream. */
  readonly spool: (content: Readable, options: SpoolOptions) => Promise<SpooledFile>;
}

const prefix = 'inbox-';
const staleMs = 24 * 60 * 60 * 1000;

/** Creates a spool in the data folder of Nightshift. Its first use removes files that a killed process left behind. */
export function createFileSpool(home: string): FileSpool {
  const folder = join(home, 'input');
  let prepared: Promise<void> | undefined;
  return {
    spool: async (content, options) => {
      try {
        await (prepared ??= prepare(folder));
      } catch (error) {
        prepared = undefined;
        content.destroy();
        throw error;
      }
      return spoolTo(join(folder, `${prefix}${randomUUID()}`), content, options);
    },
  };
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > staleMs) await rm(join(folder, name), { force: true });
  }
}

async function spoolTo(path: string, content: Readable, options: SpoolOptions): Promise<SpooledFile> {
  const { fileName, bytesMax, signal } = options;
  const hash = createHash('sha256');
  let bytes = 0;
  const metered = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > bytesMax ? tooLarge(fileName, bytesMax) : null, chunk);
    },
  });
  try {
    await pipeline(content, metered, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return {
    path,
    bytes,
    sha256: hash.digest('hex'),
    open: () => createReadStream(path),
    remove: () => rm(path, { force: true }),
  };
}

function tooLarge(fileName: string, bytesMax: number): TooLarge {
  const mebibytes = Math.floor(bytesMax / (1024 * 1024));
  return new TooLarge(
    `${fileName} has more than ${mebibytes} MiB, the maximum. Split it into smaller files.`,
  );
}
