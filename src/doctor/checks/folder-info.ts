import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readState } from '../../postgres-server/state.ts';

/** A folder as far as this user can use it. */
export interface FolderInfo {
  readonly folder: string;
  readonly exists: boolean;
  /** It can be written to, or made where it is missing. */
  readonly isWritable: boolean;
}

/** Looks at a folder without making it: of one that is missing the nearest folder above counts. */
export async function readFolderInfo(folder: string): Promise<FolderInfo> {
  const nearest = await nearestFolder(folder);
  const isWritable = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return { folder, exists: nearest === folder, isWritable };
}

/** Bytes that a user without special rights may still write on the disk under a folder. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestFolder(folder));
  return bavail * bsize;
}

/** Data folder of a home's private server; the home itself while there is none. */
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
