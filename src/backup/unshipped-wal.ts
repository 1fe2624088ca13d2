import { open, readFile, readdir, writeFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Backup } from '../core/backup/backup.ts';
import { isWalSegment, walAddress, walPosition } from '../core/backup/wal-files.ts';
import { errorCode, listKeptData, listSpooled, spoolName } from '../postgres-server/index.ts';
import { readWalSystem } from './ship-wal.ts';

const compress = promisify(gzip);

/** WAL on this machine that is not in the archive. */
export interface UnshippedWal {
  /** Paths by the name of the file. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of those without which later files of the archive, or among them, are of no use. */
  readonly expected: readonly string[];
}

/**
 * Finds the WAL of the server of a backup in the data folders of a home: the server was stopped, upgraded or replaced before all of it had
 * reached the archive.
 *
 * @param archived names of the files that the archive has.
 */
export async function findUnshippedWal(
  home: string,
  backup: Backup,
  archived: readonly string[],
): Promise<UnshippedWal> {
  const known = new Set(archived);
  const files = new Map<string, string>();
  const isNeeded = (name: string) =>
    isWalSegment(name) &&
    name.slice(0, 8) === backup.walFirst.slice(0, 8) &&
    walPosition(name) >= walPosition(backup.walFirst) &&
    !known.has(name) &&
    !files.has(name);
  for (const dataFolder of await listKeptData(home)) {
    if (!(await isOfServer(dataFolder, backup))) continue;
    for (const name of await listSpooled(dataFolder))
      if (isNeeded(name)) files.set(name, join(dataFolder, spoolName, name));
    const present = join(dataFolder, 'pg_wal');
    for (const name of await readdir(present))
      if (isNeeded(name) && (await isWritten(join(present, name)))) files.set(name, join(present, name));
  }
  const last = [...archived.filter(isWalSegment)].sort().at(-1) ?? '';
  const expected = [...files].filter(([name, path]) => name < last || basename(dirname(path)) === spoolName);
  return { files, expected: expected.map(([name]) => name) };
}

/** True for a file of `pg_wal` that is in use. Postgres gives old files the names of later ones, and overwrites their content then. */
async function isWritten(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return readNumber(buffer.subarray(8)) === walAddress(basename(path));
  } finally {
    await file.close();
  }
}

/** Adds files of WAL to those from the archive, as these are stored. */
export async function packWal(folder: string, { files }: UnshippedWal, signal: AbortSignal): Promise<void> {
  for (const [name, path] of files) {
    signal.throwIfAborted();
    await writeFile(join(folder, `${name}.gz`), await compress(await readFile(path), { level: 1 }), {
      mode: 0o600,
    });
  }
}

/** Data that was restored or upgraded has the system identifier of its origin, or a WAL system of its own. */
async function isOfServer(dataFolder: string, backup: Backup): Promise<boolean> {
  const [id, system] = await Promise.all([readClusterId(dataFolder), readWalSystem(dataFolder)]);
  return id === backup.systemId && system === (backup.walSystem ?? null);
}

/** Reads the system identifier of a cluster: the first field of `pg_control` (PostgreSQL source: pg_control.h). */
async function readClusterId(dataFolder: string): Promise<string | null> {
  try {
    return String(readNumber(await readFile(join(dataFolder, 'global', 'pg_control'))));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** Postgres writes numbers in the order of the processor. */
function readNumber(content: Buffer): bigint {
  return endianness() === 'LE' ? content.readBigUInt64LE() : content.readBigUInt64BE();
}
