import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';

/** Makes an empty temporary folder that is removed, with all in it, when the benchmark ends. */
export async function openFolder(closers: Closers): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nightshift-bench-')));
  closers.add(folder, removeFolder);
  // As root the server runs as another user, who has to get in.
  await chmod(folder, 0o755);
  return folder;
}

/** Removes a folder and all in it; one that is not there is no error. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
