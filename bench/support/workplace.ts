import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';

/** Creates an empty temporary folder that the end of the benchmark removes with its contents. */
export async function openFolder(closers: Closers): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nightshift-bench-')));
  closers.add(folder, removeFolder);
  // Root's server runs as another user, who needs access.
  await chmod(folder, 0o755);
  return folder;
}

/** Removes a folder with its contents; a missing one is not an error. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
