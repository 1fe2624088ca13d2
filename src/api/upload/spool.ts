import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../http/problem.ts';
import { bodyProblem } from '../http/request-body.ts';
import { defaultFileLimits } from '../../producer/rows/read-companies.ts';

/** A list as it was sent, on the disk for as long as it is read. */
export interface SpooledList {
  /** From its beginning; a list is read twice. */
  readonly open: () => Readable;
  /** The same, open by now: it can be read to its end also once the work with the list is over. */
  readonly openHeld: () => Promise<Readable>;
  /** SHA-256 of what was sent. */
  readonly digest: Buffer;
}

/** Temporary storage of files during an upload. */
export interface Spool {
  /**
   * Keeps what is sent until `work` has ended, however it ends. Nothing is stored of a list that does not arrive whole.
   *
   * @throws Problem when it is too large, or the disk does not take it.
   */
  keep<T>(name: string, body: Readable, work: (list: SpooledList) => Promise<T>): Promise<T>;
  /** Removes what a process that was killed left behind. */
  sweep(): Promise<void>;
}

const prefix = 'upload-';
const staleMs = 24 * 60 * 60 * 1000;

/** A folder for lists on their way in; only its owner may look into it. */
export function createSpool(home: string): Spool {
  const folder = join(home, 'input');

  async function keep<T>(name: string, body: Readable, work: (list: SpooledList) => Promise<T>): Promise<T> {
    const path = join(folder, `${prefix}${name}`);
    try {
      const digest = await write(folder, path, body);
      const open = () => createReadStream(path);
      // A file that is open stays there for who has it open when its name is removed.
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

  async function sweep(): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      const found = await stat(join(folder, name)).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > staleMs)
        await rm(join(folder, name), { force: true });
    }
  }

  return { keep, sweep };
}

async function write(folder: string, path: string, body: Readable): Promise<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  const metered = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > defaultFileLimits.bytesMax ? tooLarge() : null, chunk);
    },
  });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // What is left of a body that is refused stays where it is: the connection is needed for the answer.
    const pieces = Readable.from(body.iterator({ destroyOnReturn: false }));
    await pipeline(pieces, metered, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    if (isDiskError(error)) throw diskProblem(error);
    throw bodyProblem(error);
  }
  return hash.digest();
}

function tooLarge(): Problem {
  const mebibytes = defaultFileLimits.bytesMax / (1024 * 1024);
  return new Problem('payload_too_large', {
    titles: [`A list may have ${mebibytes} MiB. Split it into smaller ones`],
  });
}

function isDiskError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

function diskProblem(cause: Error): Problem {
  return new Problem('service_unavailable', {
    titles: ['The server has no room for the list at the moment'],
    headers: { 'Retry-After': '60' },
    cause,
  });
}
