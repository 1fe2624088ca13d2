import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dataParents,
  listOwnLeftovers,
  stopPrivateServer,
  temporaryName,
} from '../../../postgres-server/index.ts';

const name = 'nightshift-verify';

/** Creates a home in the temporary folder, and removes those that killed processes left there, with their servers. */
export async function createScratchHome(): Promise<string> {
  for (const path of await listOwnLeftovers(name)) await removeScratchHome(path);
  const home = temporaryName(join(tmpdir(), name));
  await mkdir(home);
  // As root, the server runs as another user, who has to enter the folder. Its data is closed to others.
  await chmod(home, 0o755);
  return home;
}

export async function removeScratchHome(home: string): Promise<void> {
  await stopPrivateServer({ home, force: true });
  for (const folder of dataParents(home)) await rm(folder, { recursive: true, force: true });
}
