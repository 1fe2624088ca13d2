import { chmod, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { completeLinks, type EmbeddedPackage } from './embedded-package.ts';
import { sharedFolder } from '../system/data-directory.ts';
import { runsAsRoot } from '../system/server-user.ts';
import { errorCode, isTaken } from '../system/system-error.ts';
import { removeLeftovers, temporaryName } from '../system/temporary-name.ts';

/** Folder for copies of the binaries: for root where every user can read them, otherwise in the home. */
export function cacheFolder(home: string): string {
  return join(runsAsRoot() ? sharedFolder : home, 'bin');
}

/**
 * Copies a package into `cache`, complete with its links and readable for everybody, once per version.
 *
 * Made under a temporary name and renamed: neither a kill in the middle nor two processes at once leave half a copy.
 *
 * @returns the folder of the copy, in which `native/` lies as in the package.
 */
export async function copyToCache(from: EmbeddedPackage, cache: string): Promise<string> {
  const copy = join(cache, from.version);
  if (await exists(copy)) return copy;
  await mkdir(cache, { recursive: true, mode: 0o755 });
  await removeLeftovers(copy);
  const making = temporaryName(copy);
  try {
    await cp(join(from.folder, 'native'), join(making, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await completeLinks(making);
    await openToAll(making);
    await rename(making, copy);
  } catch (error) {
    // Another process was quicker: its copy is as good as ours.
    if (!isTaken(error)) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return copy;
}

/** A strict umask at install time or now must not keep the server's user out. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
