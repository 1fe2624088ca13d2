import { spawn } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Misconfigured } from '../core/errors.ts';
import type { Binaries } from './binaries/binaries.ts';
import { localeAttempts, saysLocaleIsMissing } from './system/locale.ts';
import { writeKeptPasswords, type Passwords } from './passwords.ts';
import { runProgram, serverEnvironment } from './system/run-program.ts';
import type { ServerUser } from './system/server-user.ts';
import { errorCode, isTaken } from './system/system-error.ts';
import { temporaryName } from './system/temporary-name.ts';

/** The parts from which a new data folder is made. */
export interface ClusterPlan {
  readonly dataFolder: string;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly passwords: Passwords;
}

/**
 * Makes the data folder, whole or not at all: under a temporary name beside it, then renamed.
 *
 * When two processes do so at once, one rename wins and the other's work is thrown away.
 *
 * @throws Misconfigured with the words of initdb when it fails.
 */
export async function createCluster(plan: ClusterPlan): Promise<void> {
  const making = temporaryName(plan.dataFolder);
  try {
    await mkdir(making, { mode: 0o700 });
    if (plan.user.spawnAs.uid !== undefined) await chown(making, plan.user.uid, plan.user.gid);
    await initialise(making, plan);
    await writeKeptPasswords(making, plan.passwords, plan.user);
    await rename(making, plan.dataFolder);
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** The major version of the Postgres that made a data folder; undefined when there is no data folder. */
export async function readClusterMajor(dataFolder: string): Promise<number | undefined> {
  try {
    return Number(await readFile(join(dataFolder, 'PG_VERSION'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new Misconfigured(`Cannot look into the data folder ${dataFolder}. Check its permissions.`, {
      cause: error,
    });
  }
}

/**
 * Carries a new data folder to the disk, in the background and beyond our own end.
 *
 * initdb runs without syncing, which would cost the first command a good part of its start; the server syncs what it
 * writes, so only the files as initdb left them need this.
 */
export function syncInBackground({ dataFolder, binaries, user }: ClusterPlan): void {
  const child = spawn(join(binaries.folder, 'initdb'), ['--sync-only', '-D', dataFolder], {
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: 'ignore',
    ...user.spawnAs,
  });
  // Only speed of safety is lost: the system writes the same files out by itself within half a minute.
  child.once('error', () => undefined);
  child.unref();
}

async function initialise(folder: string, plan: ClusterPlan): Promise<void> {
  const passwordFile = `${folder}.password`;
  try {
    await writeFile(passwordFile, plan.passwords.postgres, { mode: 0o600, flag: 'wx' });
    if (plan.user.spawnAs.uid !== undefined) await chown(passwordFile, plan.user.uid, plan.user.gid);
    await runInitdb([`--pgdata=${folder}`, `--pwfile=${passwordFile}`], plan);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function runInitdb(args: readonly string[], { binaries, user }: ClusterPlan): Promise<void> {
  const fixed = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--lc-messages=C'];
  const file = join(binaries.folder, 'initdb');
  let output = '';
  for (const locale of localeAttempts(binaries.major)) {
    const result = await runProgram(
      file,
      [...args, ...fixed, '--data-checksums', '--no-sync', ...locale],
      user,
    );
    if (result.exitCode === 0) return;
    output = result.output.trim();
    if (!saysLocaleIsMissing(output)) break;
  }
  throw new Misconfigured(
    `${file} could not make the data folder. It said:\n${output}\nMend what it names, or set DATABASE_URL to use another server.`,
  );
}
