import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Misconfigured } from '../../core/errors.ts';
import { runProgram } from './run-program.ts';
import { isTaken } from './system-error.ts';
import { runsAsRoot, type ServerUser } from './server-user.ts';

/** Folder of root for files that an unprivileged Postgres needs (FHS 3.0, section 5.8: state of a program). */
export const sharedFolder = '/var/lib/nightshift';

/**
 * Creates the home folder if it is missing, and returns its path without symbolic links.
 *
 * @throws Misconfigured when it cannot be created.
 */
export async function openHome(home: string): Promise<string> {
  assert(isAbsolute(home), 'the home of a private server is an absolute path');
  try {
    await mkdir(home, { recursive: true });
    await keepOutOfGit(home);
    return await realpath(home);
  } catch (error) {
    throw new Misconfigured(
      `Cannot create the folder ${home} for the private Postgres server. Set NIGHTSHIFT_HOME to another folder, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Excludes the home from git: it contains passwords, and is often inside a checkout. */
async function keepOutOfGit(home: string): Promise<void> {
  await writeFile(join(home, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
  });
}

/**
 * Returns the parent of data folders: the home, if the user of the server can enter it.
 *
 * A server started by root may not, for example below /root (0700): the parent is then a folder for this home in /var/lib/nightshift.
 *
 * @throws Misconfigured when that folder cannot be created.
 */
export async function chooseDataParent(home: string, user: ServerUser): Promise<string> {
  if (!runsAsRoot() || (await canEnter(home, user))) return home;
  const parent = sharedDataParent(home);
  try {
    await mkdir(parent, { recursive: true, mode: 0o755 });
    return parent;
  } catch (error) {
    throw new Misconfigured(
      `Postgres runs as the user "${user.name}", who cannot enter ${home}, and ${parent} cannot be created. Set NIGHTSHIFT_HOME to a folder that all users can enter, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Returns the data parent of a home that the user of the server cannot enter: named by a hash, the same at every start. */
export function sharedDataParent(home: string): string {
  return join(sharedFolder, createHash('sha256').update(home).digest('hex').slice(0, 16));
}

/** Tests access with a command instead of computing permissions, because access lists and mount options count as well. */
async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  const result = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], user);
  return result.exitCode === 0;
}
