import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readState } from '../../postgres-server/state.ts';

/** Folder with its access for this user. */
export interface FolderInfo {
  readonly folder: string;
  readonly exists: boolean;
  /** True when it can be written to, or created if it is missing. */
  readonly isWritable: boolean;
}

/** Reads the state of a folder without creating it; for a missing folder, that of the nearest parent. */
export async function readFolderInfo(folder: string): Promise<FolderInfo> {
  const nearest = await nearestFolder(folder);
  const isWritable = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return { folder, exists: nearest === folder, isWritable };
}

/** Reads the free bytes of the disk under a folder, for a user without special privileges. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestFolder(folder));
  return bavail * bsize;
}

/** Finds the data folder of the private server of a home; the home itself while there is none. */
export async function findDataFolder(home: string): Promise<string> {
  return (await readState(home))?.dataFolder ?? home;
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere || parent === path ? path : nearestFolder(parent);
}
