import { join } from 'node:path';
import { findBinaries, type Binaries } from './binaries/binaries.ts';
import { createCluster, readClusterMajor, syncInBackground } from './cluster.ts';
import { clearLeftovers } from './leftovers.ts';
import { chooseDataParent } from './system/data-directory.ts';
import { findLostData, type KeptData } from './recover-state.ts';
import { createPasswords, releasePasswords } from './passwords.ts';
import { chooseFreePort } from './system/port.ts';
import { readServerUser, type ServerUser } from './system/server-user.ts';
import { createState, statePath, type ServerState } from './state.ts';
import { removeLeftovers } from './system/temporary-name.ts';

/** Server that can be started: its data folder exists. */
export interface PreparedServer {
  readonly state: ServerState;
  readonly binaries: Binaries;
  readonly user: ServerUser;
}

/** Home of a server to prepare, with its known state. */
export interface Preparation {
  /** The home folder, links resolved. */
  readonly home: string;
  /** State stored in the home, if there is one. */
  readonly known: ServerState | undefined;
  readonly searchPath: string;
  readonly onProgress: (message: string) => void;
}

/**
 * Prepares a start: user, programs, state file and data folder, each created if it is missing.
 *
 * Repeats steps that a killed process left incomplete, and shares the results of concurrent processes.
 */
export async function prepareServer(preparation: Preparation): Promise<PreparedServer> {
  const { home, known, searchPath } = preparation;
  const kept = known ?? (await findLostData(home));
  const major = kept === undefined ? undefined : await readClusterMajor(kept.dataFolder);
  const user = await readServerUser(major === undefined ? undefined : kept?.dataFolder);
  const binaries = await findBinaries({ user, home, major, searchPath });
  const dataFolder =
    major === undefined || kept === undefined
      ? join(await chooseDataParent(home, user), `postgres-${binaries.major}`)
      : kept.dataFolder;
  const passwords = kept?.passwords ?? createPasswords();
  const state = await keepState(preparation, { dataFolder, passwords }, binaries);
  await removeLeftovers(statePath(home));
  await clearLeftovers(home);
  // An upgrade that was killed after its switch.
  await releasePasswords(state.dataFolder);
  if ((await readClusterMajor(state.dataFolder)) === undefined) {
    preparation.onProgress(`Preparing a private Postgres ${binaries.version} in ${state.dataFolder}`);
    const plan = { dataFolder: state.dataFolder, binaries, user, passwords: state.passwords };
    await createCluster(plan);
    syncInBackground(plan);
  }
  return { state, binaries, user };
}

/** Returns the state to start with. The first one is written before any data exists, so that concurrent processes agree on it. */
async function keepState(
  { home, known }: Preparation,
  { dataFolder, passwords }: KeptData,
  { folder, version }: Binaries,
): Promise<ServerState> {
  if (known !== undefined) return { ...known, dataFolder, binariesFolder: folder, version };
  const port = await chooseFreePort(undefined);
  return createState(home, { dataFolder, port, passwords, binariesFolder: folder, version });
}
