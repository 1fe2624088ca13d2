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
