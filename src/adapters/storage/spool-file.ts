import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { TooLarge } from '../../core/errors.ts';
import { copyToFile } from '../../files/copy-to-file.ts';
import { removeStale } from '../../files/remove-stale.ts';
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
  await removeStale(folder, prefix);
}

async function spoolTo(path: string, content: Readable, options: SpoolOptions): Promise<SpooledFile> {
  const { fileName, bytesMax, signal } = options;
  try {
    const copied = await copyToFile(content, path, {
      ...{ bytesMax, isNew: true, signal },
      tooLarge: () => tooLarge(fileName, bytesMax),
    });
    return {
      path,
      bytes: copied.bytes,
      sha256: copied.sha256.toString('hex'),
      open: () => createReadStream(path),
      remove: () => rm(path, { force: true }),
    };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function tooLarge(fileName: string, bytesMax: number): TooLarge {
  const mebibytes = Math.floor(bytesMax / (1024 * 1024));
  return new TooLarge(
    `${fileName} has more than ${mebibytes} MiB, the maximum. Split it into smaller files.`,
  );
}
