import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { holdsBackPasswords } from './passwords.ts';
import { readRunningPostmaster } from './postmaster.ts';
import { dataParents, usableName } from './recover-state.ts';
import { logPath } from './server-log.ts';
import { readState } from './state.ts';
import { errorCode } from './system/system-error.ts';
import { listLeftovers, removeLeftover } from './system/temporary-name.ts';

const pollMs = 50;

/**
 * Removes what killed starts, upgrades and restores left of new data in a home, with the servers that still run on it. What running processes
 * make stays.
 */
export async function clearLeftovers(home: string): Promise<void> {
  const inUse = (await readState(home))?.dataFolder;
  const parents = new Set([...dataParents(home), ...(inUse === undefined ? [] : [dirname(inUse)])]);
  for (const parent of parents) {
    const leftovers = await listLeftovers(parent, (name) => usableName.test(name));
    for (const { path, target } of leftovers) {
      await stopAtOnce(path);
      // Killed before the switch, when its log still had the temporary name.
      if (inUse !== undefined && target !== inUse && (await holdsBackPasswords(target)))
        await removeData(target);
      await removeLeftover(path);
    }
  }
}

/** Removes a data folder with its logs. */
export async function removeData(dataFolder: string): Promise<void> {
  await rm(dataFolder, { recursive: true, force: true });
  await rm(logPath(dataFolder), { force: true });
  await rm(`${logPath(dataFolder)}.old`, { force: true });
}

/** Ends the server on a folder, if one runs, without a checkpoint. */
export async function stopAtOnce(folder: string): Promise<void> {
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
