import { link, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readProcessArguments } from './system/process-arguments.ts';
import { errorCode, isTaken } from './system/system-error.ts';
import { temporaryName } from './system/temporary-name.ts';

/** Postgres server as described by its `postmaster.pid` (PostgreSQL source: miscadmin.h, LOCK_FILE_LINE_*). */
export interface Postmaster {
  readonly pid: number;
  /** TCP port; undefined at the beginning of a start. */
  readonly port: number | undefined;
  /** True when the server accepts connections; false while it starts, recovers or stops. */
  readonly ready: boolean;
}

/** `cluster_name` of a server that an upgrade has started, for itself only. */
export const upgradeClusterName = 'nightshift_upgrade';

/** Finds the running server of `dataFolder`; undefined when there is none, even with a stale pid file. */
export async function readRunningPostmaster(dataFolder: string): Promise<Postmaster | undefined> {
  const text = await readPidFile(dataFolder);
  const postmaster = text === undefined ? undefined : parsePostmasterPid(text);
  if (postmaster === undefined) return undefined;
  const args = await readProcessArguments(postmaster.pid);
  return args !== undefined && isPostmasterOf(args, dataFolder) ? postmaster : undefined;
}

/** True for a server that an upgrade has started. */
export async function isOfUpgrade({ pid }: Postmaster): Promise<boolean> {
  const args = await readProcessArguments(pid);
  return args?.includes(`cluster_name=${upgradeClusterName}`) === true;
}

/**
 * Removes a pid file whose pid now belongs to another program (after a reboot, or a kill -9 and many new processes).
 *
 * Postgres would treat that program as a running server and not start. A pid file without a process is left to Postgres: it names
 * the shared memory by which a start detects backends that outlived their server.
 */
export async function removeForeignPidFile(dataFolder: string): Promise<void> {
  const evaluated = await readPidFile(dataFolder);
  const pid = evaluated === undefined ? undefined : parsePostmasterPid(evaluated)?.pid;
  if (evaluated === undefined || pid === undefined) return;
  const args = await readProcessArguments(pid);
  if (args === undefined ? processIsGone(pid) : isPostmasterOf(args, dataFolder)) return;
  await removeExactly(join(dataFolder, 'postmaster.pid'), evaluated);
}

/** Removes the pid file of a stopped server. Does nothing while a server runs on `dataFolder`. */
export async function removeStalePidFile(dataFolder: string): Promise<void> {
  const evaluated = await readPidFile(dataFolder);
  if (evaluated === undefined || (await readRunningPostmaster(dataFolder)) !== undefined) return;
  await removeExactly(join(dataFolder, 'postmaster.pid'), evaluated);
}

/** Parses a `postmaster.pid`; undefined while it has no pid yet. */
export function parsePostmasterPid(text: string): Postmaster | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[0]?.trim());
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const port = Number(lines[3]);
  return { pid, port: port > 0 ? port : undefined, ready: lines[7]?.trim() === 'ready' };
}

/**
 * True when a command line is that of the server on `dataFolder`.
 *
 * A server without `-D` (with the folder in PGDATA) matches: a wait for another server is better than a second server on the same data.
 * Backends are named "postgres: …" and do not match.
 */
export function isPostmasterOf(args: readonly string[], dataFolder: string): boolean {
  const program = basename(args[0] ?? '');
  if (program !== 'postgres' && program !== 'postmaster') return false;
  const at = args.indexOf('-D');
  // The output of `ps` splits a folder with spaces: the joined arguments must start with it.
  return at === -1 || `${args.slice(at + 1).join(' ')} `.startsWith(`${dataFolder} `);
}

/** True when no process has this pid. A zombie process still has one, and Postgres treats it as running. */
function processIsGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

/** Removes a file if its content is still `content`; a pid file that another start wrote meanwhile is restored. */
async function removeExactly(path: string, content: string): Promise<void> {
  const aside = temporaryName(path);
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== content) await link(aside, path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && !isTaken(error)) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function readPidFile(dataFolder: string): Promise<string | undefined> {
  try {
    return await readFile(join(dataFolder, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
