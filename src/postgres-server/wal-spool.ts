import { chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './system/system-error.ts';

/** Folder in the data folder for complete files of WAL, until a process of Nightshift carries them to the archive. */
export const spoolName = 'archive_spool';

/** Command that keeps nothing. With an empty one, Postgres would keep all WAL until there is a command. */
export const noArchiveCommand = 'cd .';

/**
 * Command for each complete file. The server runs it as its own user in the data folder, and repeats it until it succeeds. A file appears
 * in the spool when it is complete and on the disk.
 */
export const spoolCommand = `cp "%p" "${spoolName}/%f.tmp" && sync "${spoolName}/%f.tmp" && mv "${spoolName}/%f.tmp" "${spoolName}/%f"`;

/** Creates the spool for the user of the server, if it is missing. */
export async function openSpool(dataFolder: string): Promise<void> {
  const spool = join(dataFolder, spoolName);
  try {
    await mkdir(spool, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const { uid, gid } = await stat(dataFolder);
  if ((await stat(spool)).uid !== uid) await chown(spool, uid, gid);
}

/** Lists complete files in the spool, oldest first; none where there is no spool. */
export async function listSpooled(dataFolder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(join(dataFolder, spoolName));
    return names.filter((name) => !name.endsWith('.tmp')).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Files of WAL that wait for their transport to the archive. */
export interface SpoolInfo {
  readonly bytes: number;
  /** Age of the oldest one; seconds. */
  readonly ageS: number;
}

/** Reads the size and the age of the spool; null when it is empty. */
export async function readSpool(dataFolder: string): Promise<SpoolInfo | null> {
  const names = await listSpooled(dataFolder);
  // One may be carried away meanwhile.
  const found = await Promise.all(
    names.map((name) => stat(join(dataFolder, spoolName, name)).catch(() => null)),
  );
  const files = found.filter((file) => file !== null);
  if (files.length === 0) return null;
  const oldestMs = Math.min(...files.map(({ mtimeMs }) => mtimeMs));
  return {
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ageS: Math.max(0, (Date.now() - oldestMs) / 1000),
  };
}
