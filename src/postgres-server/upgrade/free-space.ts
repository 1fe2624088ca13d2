import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseUnavailable, Misconfigured } from '../../core/errors.ts';
import { errorCode } from '../system/system-error.ts';

const mib = 1024 * 1024;

/** For WAL and temporary files of the new server. Our choice: `max_wal_size` of a server that copies is below it. */
const extraBytes = 1024 * mib;

/** `wal_segment_size` of every private server. */
const walFileBytes = 16 * mib;

/** WAL of the old server is not copied. */
const leftOut = new Set(['pg_wal', 'archive_spool']);

/**
 * Checks the free space beside a data folder for a copy of it. Indexes that are built anew are smaller, so this is the most that it takes.
 *
 * @throws Misconfigured with what is needed, and what is free.
 */
export async function assertFreeSpace(dataFolder: string): Promise<void> {
  const parent = dirname(dataFolder);
  const { bavail, bsize } = await statfs(parent);
  const needed = (await readBytes(dataFolder)) + extraBytes;
  if (bavail * bsize >= needed) return;
  throw new Misconfigured(
    `The upgrade needs ${mibText(needed)} of free space in ${parent}, and ${mibText(bavail * bsize)} are free. Free some space and run it again.`,
  );
}

/**
 * Adds the remedy to an error while a server cannot go on in a folder, because no file is left for it, or not the size of one of its WAL: which
 * statement or program fails then, and how, depends on the file that could not grow. Returns any other error unchanged.
 */
export async function explainFullDisk(error: unknown, folder: string): Promise<unknown> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  // Some file systems count no files.
  if (bavail * bsize >= walFileBytes && (files === 0 || ffree > 0)) return error;
  return new DatabaseUnavailable(
    `No space left in ${folder}. Nothing has changed. Free some space and run it again.`,
    { cause: error },
  );
}

/** Size of the files in a folder, in bytes. */
export async function readBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await readBytes(path);
    else if (entry.isFile()) bytes += await readFileBytes(path);
  }
  return bytes;
}

async function readFileBytes(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

function mibText(bytes: number): string {
  return `${Math.ceil(bytes / mib).toLocaleString('en')} MiB`;
}
