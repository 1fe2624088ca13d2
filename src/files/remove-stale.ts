import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than any use of a temporary file. */
const staleMs = 24 * 60 * 60 * 1000;

/** Removes files and folders with this prefix that a killed process left in a folder a day ago; none where the folder cannot be listed. */
export async function removeStale(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > staleMs)
      await rm(path, { recursive: true, force: true });
  }
}
