import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Conflict } from '../../core/errors.ts';
import { readClusterMajor } from '../cluster.ts';
import { holdsBackPasswords } from '../passwords.ts';
import { readRunningPostmaster } from '../postmaster.ts';
import { logPath } from '../server-log.ts';
import { errorCode } from '../system/system-error.ts';
import { parseTemporaryName, removeLeftovers } from '../system/temporary-name.ts';

const pollMs = 50;

/**
 * Removes what killed upgrades have left in the place of a new data folder.
 *
 * @throws Conflict when other data is there.
 */
export async function clearInterrupted(dataFolder: string): Promise<void> {
  const parent = dirname(dataFolder);
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    // Their logs are beside them.
    if (!entry.isDirectory() || parseTemporaryName(entry.name, basename(dataFolder)) === undefined) continue;
    await stopServer(join(parent, entry.name));
  }
  await removeLeftovers(dataFolder);
  if (await holdsBackPasswords(dataFolder)) await removeData(dataFolder);
  if ((await readClusterMajor(dataFolder)) === undefined) return;
  throw new Conflict(
    `${dataFolder} has other data. Move it elsewhere, or remove it if you do not need it, then run this command again.`,
  );
}

/** Removes a data folder with its logs. */
export async function removeData(dataFolder: string): Promise<void> {
  await rm(dataFolder, { recursive: true, force: true });
  await rm(logPath(dataFolder), { force: true });
  await rm(`${logPath(dataFolder)}.old`, { force: true });
}

/** Ends the server on the folder of a killed upgrade at once: its data is not needed. */
async function stopServer(folder: string): Promise<void> {
  for (;;) {
    const running = await readRunningPostmaster(folder);
    if (running === undefined) return;
    try {
      process.kill(running.pid, 'SIGQUIT');
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
    await delay(pollMs);
  }
}
