import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { copyToFile } from '../../files/copy-to-file.ts';
import { removeStale } from '../../files/remove-stale.ts';
import { Problem } from '../http/problem.ts';
import { bodyProblem } from '../http/request-body.ts';
import { defaultFileLimits } from '../../producer/rows/read-companies.ts';

/** An uploaded file on the disk, kept while it is read. */
export interface SpooledList {
  /** Opens the file at its beginning. A file is read twice. */
  readonly open: () => Readable;
  /** Opens the file so that it stays readable to its end after the work with it has ended. */
  readonly openHeld: () => Promise<Readable>;
  /** SHA-256 of the file. */
  readonly digest: Buffer;
}

/** Temporary storage of files during an upload. */
export interface Spool {
  /**
   * Stores a file until `work` has ended, with or without an error. An incomplete file is not stored.
   *
   * @throws Problem when the file is too large, or the disk has no room.
   */
  keep<T>(name: string, body: Readable, work: (list: SpooledList) => Promise<T>): Promise<T>;
  /** Removes files that a killed process left behind. */
  sweep(): Promise<void>;
}

const prefix = 'upload-';

/** Creates a spool in a folder that only its owner can read. */
export function createSpool(home: string): Spool {
  const folder = join(home, 'input');

  async function keep<T>(name: string, body: Readable, work: (list: SpooledList) => Promise<T>): Promise<T> {
    const path = join(folder, `${prefix}${name}`);
    try {
      const digest = await write(folder, path, body);
      const open = () => createReadStream(path);
      // An open file stays readable after its name is removed.
      const openHeld = async () => {
        const held = open();
        await once(held, 'open');
        return held;
      };
      return await work({ open, openHeld, digest });
    } finally {
      await rm(path, { force: true });
    }
  }

  return { keep, sweep: () => removeStale(folder, prefix) };
}

async function write(folder: string, path: string, body: Readable): Promise<Buffer> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The rest of a rejected body is left unread: the connection is needed for the response.
    const pieces = Readable.from(body.iterator({ destroyOnReturn: false }));
    const { sha256 } = await copyToFile(pieces, path, { bytesMax: defaultFileLimits.bytesMax, tooLarge });
    return sha256;
  } catch (error) {
    if (isDiskError(error)) throw diskProblem(error);
    throw bodyProblem(error);
  }
}

function tooLarge(): Problem {
  const mebibytes = defaultFileLimits.bytesMax / (1024 * 1024);
  return new Problem('payload_too_large', {
    titles: [`A file may have at most ${mebibytes} MiB. Split it into smaller files`],
  });
}

function isDiskError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

function diskProblem(cause: Error): Problem {
  return new Problem('service_unavailable', {
    titles: ['The server has no disk space for the file at the moment'],
    headers: { 'Retry-After': '60' },
    cause,
  });
}
