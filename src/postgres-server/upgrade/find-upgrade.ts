import { Conflict, Misconfigured } from '../../core/errors.ts';
import { findBinaries, type Binaries } from '../binaries/binaries.ts';
import { readClusterMajor } from '../cluster.ts';
import { findHomeData, type HomeData } from '../recover-state.ts';
import { stopPrivateServer } from '../stop.ts';
import { readServerUser, type ServerUser } from '../system/server-user.ts';

/** Data of a home, and the programs that it can be moved to. */
export interface FoundUpgrade {
  readonly home: string;
  readonly data: HomeData['data'];
  readonly major: number;
  readonly user: ServerUser;
  /** Programs of the newest installed version. */
  readonly target: Binaries;
}

/**
 * Finds the data of a home, and the newest installed programs.
 *
 * @throws Misconfigured without data, or when the data is newer than all installed programs.
 */
export async function findUpgrade(home: string): Promise<FoundUpgrade> {
  const found = await findHomeData(home);
  const major = found === undefined ? undefined : await readClusterMajor(found.data.dataFolder);
  if (found === undefined || major === undefined) {
    throw new Misconfigured(
      `There is no database in ${home}. A new one is created with the newest installed version of Postgres. If yours is in another folder, set NIGHTSHIFT_HOME to that folder.`,
    );
  }
  const { realHome, data } = found;
  const user = await readServerUser(data.dataFolder);
  const target = await findBinaries({ user, home: realHome, major: undefined, searchPath: '' });
  if (target.major < major) await findBinaries({ user, home: realHome, major, searchPath: '' });
  return { home: realHome, data, major, user, target };
}

/** Stops the server of a home. @throws Conflict while other processes use it */
export async function stopUnused(home: string): Promise<void> {
  try {
    await stopPrivateServer({ home, force: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new Conflict(
      'The private server is in use. Stop `nightshift up`, `nightshift work` and other programs that are connected to it, then run this command again.',
      { cause: error },
    );
  }
}
