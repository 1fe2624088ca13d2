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

/** Plan of a new data folder. */
export interface ClusterPlan {
  readonly dataFolder: string;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly passwords: Passwords;
}

/**
 * Creates the data folder atomically: under a temporary name beside it, then renamed.
 *
 * If two processes do so at once, one rename wins and the other folder is discarded.
 *
 * @throws Misconfigured with the output of initdb when it fails.
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

/** Reads the major version of the Postgres that created a data folder; undefined when there is no data folder. */
export async function readClusterMajor(dataFolder: string): Promise<number | undefined> {
  try {
    return Number(await readFile(join(dataFolder, 'PG_VERSION'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new Misconfigured(`Cannot read the data folder ${dataFolder}. Check its permissions.`, {
      cause: error,
    });
  }
}

/**
 * Syncs a new data folder to the disk, in a background process that outlives this one.
 *
 * initdb runs without sync, which would slow down the first start considerably. The server syncs its own writes, so only the
 * files of initdb need this.
 */
export function syncInBackground({ dataFolder, binaries, user }: ClusterPlan): void {
  const child = spawn(join(binaries.folder, 'initdb'), ['--sync-only', '-D', dataFolder], {
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: 'ignore',
    ...user.spawnAs,
  });
  // Without it, the system writes the same files within half a minute.
  child.once('error', () => undefined);
  child.unref();
}

/** Syncs a data folder to the disk. @throws Misconfigured when that fails */
export async function syncCluster({ dataFolder, binaries, user }: ClusterPlan): Promise<void> {
  const file = join(binaries.folder, 'initdb');
  const { exitCode, output } = await runProgram(file, ['--sync-only', '-D', dataFolder], user);
  if (exitCode !== 0)
    throw new Misconfigured(`${file} could not write ${dataFolder} to the disk: ${output.trim()}`);
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
    `${file} could not create the data folder. It printed:\n${output}\nFix the error, or set DATABASE_URL to use another server.`,
  );
}
