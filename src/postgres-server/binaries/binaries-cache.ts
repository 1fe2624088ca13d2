import { chmod, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { completeLinks, type EmbeddedPackage } from './embedded-package.ts';
import { sharedFolder } from '../system/data-directory.ts';
import { exists } from '../system/exists.ts';
import { runsAsRoot } from '../system/server-user.ts';
import { isTaken } from '../system/system-error.ts';
import { removeLeftovers, temporaryName } from '../system/temporary-name.ts';

/** Returns the folder for copies of the binaries: for root a folder that every user can read, otherwise in the home. */
export function cacheFolder(home: string): string {
  return join(runsAsRoot() ? sharedFolder : home, 'bin');
}

/**
 * Copies a package to `cache`, with its links and readable for all users, once per version.
 *
 * Copies to a temporary name and renames: neither a kill nor two processes at once can leave a partial copy.
 *
 * @returns the folder of the copy, which contains `native/` as the package does.
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
    // Another process was faster: its copy is the same.
    if (!isTaken(error)) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return copy;
}

/** Makes a folder readable for all users, regardless of the umask of the installation. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
