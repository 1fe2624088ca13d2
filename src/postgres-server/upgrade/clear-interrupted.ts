import { Conflict } from '../../core/errors.ts';
import { readClusterMajor } from '../cluster.ts';
import { clearLeftovers, removeData } from '../leftovers.ts';
import { holdsBackPasswords } from '../passwords.ts';

/**
 * Removes what killed upgrades have left in the place of a new data folder of a home.
 *
 * @throws Conflict when other data is there.
 */
export async function clearInterrupted(home: string, dataFolder: string): Promise<void> {
  await clearLeftovers(home);
  if (await holdsBackPasswords(dataFolder)) await removeData(dataFolder);
  if ((await readClusterMajor(dataFolder)) === undefined) return;
  throw new Conflict(
    `${dataFolder} has other data. Move it elsewhere, or remove it if you do not need it, then run this command again.`,
  );
}
