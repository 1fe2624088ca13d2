import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listOwnLeftovers, temporaryName } from '../postgres-server/index.ts';

const name = 'nightshift-backup';

/**
 * Runs `use` with a folder for files on their way to an archive, in the temporary folder, and removes what killed processes have left of theirs: they
 * may contain passwords and parts of the data.
 */
export async function withWorkFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  for (const path of await listOwnLeftovers(name)) await rm(path, { recursive: true, force: true });
  const folder = temporaryName(join(tmpdir(), name));
  await mkdir(folder, { mode: 0o700 });
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
