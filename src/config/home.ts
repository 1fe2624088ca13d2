import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Surroundings of a process that decide where its home folder is. */
export interface HomePlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Working folder. Default: that of the process. */
  readonly folder?: string;
  /** Default: that of the process. */
  readonly platform?: NodeJS.Platform;
}

/**
 * Returns the absolute path of the home folder: NIGHTSHIFT_HOME, else the nearest `.nightshift` of the working folder and the folders
 * above it, else `nightshift` in the user's data folder. Creates nothing.
 *
 * A `.nightshift` above the working folder counts only if the current user owns it: anybody can create one in /tmp.
 */
export function chooseHome({
  environment,
  folder = process.cwd(),
  platform = process.platform,
}: HomePlace): string {
  const named = environment['NIGHTSHIFT_HOME'] ?? '';
  if (named !== '') return resolve(folder, named);
  return findAbove(folder) ?? join(dataFolder(environment, platform), 'nightshift');
}

function findAbove(working: string): string | null {
  for (let folder = resolve(working); ; folder = dirname(folder)) {
    const home = join(folder, '.nightshift');
    const owner = readOwner(home);
    if (owner !== null && (folder === resolve(working) || owner === ownUid())) return home;
    if (folder === dirname(folder)) return null;
  }
}

/** Returns the owner of a folder; null if there is no such folder. */
function readOwner(path: string): number | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() === true ? found.uid : null;
  } catch {
    // A folder that this user cannot enter has no home for this user.
    return null;
  }
}

/** Returns 0 on a system without users, as `stat` does. */
function ownUid(): number {
  return process.geteuid?.() ?? 0;
}

/** Returns the folder in which programs keep the data of a user (XDG Base Directory 0.8 and its equivalents). */
function dataFolder(environment: HomePlace['environment'], platform: NodeJS.Platform): string {
  const home = absolute(environment['HOME']) ?? homedir();
  if (platform === 'win32')
    return absolute(environment['LOCALAPPDATA']) ?? join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return absolute(environment['XDG_DATA_HOME']) ?? join(home, '.local', 'share');
}

/** Returns the path if it is absolute: the specification has a relative one ignored. */
function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
