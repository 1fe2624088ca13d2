import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Misconfigured } from '../../core/errors.ts';
import { runProgram } from './run-program.ts';
import { isTaken } from './system-error.ts';
import { runsAsRoot, type ServerUser } from './server-user.ts';

/** Folder of root for files that an unprivileged Postgres has to reach (FHS 3.0, section 5.8: state of a program). */
export const sharedFolder = '/var/lib/nightshift';

/**
 * Makes the home folder where it is missing, and answers its path free of symbolic links.
 *
 * @throws Misconfigured when it cannot be made.
 */
export async function openHome(home: string): Promise<string> {
  assert(isAbsolute(home), 'the home of a private server is an absolute path');
  try {
    await mkdir(home, { recursive: true });
    await keepOutOfGit(home);
    return await realpath(home);
  } catch (error) {
    throw new Misconfigured(
      `Cannot make the folder ${home} for the private Postgres server. Name another one through NIGHTSHIFT_HOME, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Passwords lie here, often inside somebody's checkout. */
async function keepOutOfGit(home: string): Promise<void> {
  await writeFile(join(home, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
  });
}

/**
 * The folder that data folders are made in: the home itself where the server's user can get there.
 *
 * As root it may not, for instance below /root (0700): then it is a folder of this home's own under /var/lib/nightshift.
 *
 * @throws Misconfigured when that folder cannot be made.
 */
export async function chooseDataParent(home: string, user: ServerUser): Promise<string> {
  if (!runsAsRoot() || (await canEnter(home, user))) return home;
  const parent = sharedDataParent(home);
  try {
    await mkdir(parent, { recursive: true, mode: 0o755 });
    return parent;
  } catch (error) {
    throw new Misconfigured(
      `Postgres runs as the user "${user.name}", who cannot enter ${home}, and ${parent} cannot be made. Set NIGHTSHIFT_HOME to a folder that everybody may enter, or DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** The data parent of a home that the server's user cannot enter: named by a hash, the same at every start. */
export function sharedDataParent(home: string): string {
  return join(sharedFolder, createHash('sha256').update(home).digest('hex').slice(0, 16));
}

/** Asks the system instead of computing permissions: access lists and mount options count too. */
async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  const result = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], user);
  return result.exitCode === 0;
}
