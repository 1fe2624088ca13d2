import { link, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readProcessArguments } from './system/process-arguments.ts';
import { errorCode, isTaken } from './system/system-error.ts';
import { temporaryName } from './system/temporary-name.ts';

/** A Postgres server as its `postmaster.pid` tells of it (PostgreSQL source: miscadmin.h, LOCK_FILE_LINE_*). */
export interface Postmaster {
  readonly pid: number;
  /** TCP port, or undefined in the first moments of a start. */
  readonly port: number | undefined;
  /** True once the server takes connections; false while it starts, recovers or stops. */
  readonly ready: boolean;
}

/** The server that runs on `dataFolder`, or undefined when none does, whatever pid file an earlier one left. */
export async function readRunningPostmaster(dataFolder: string): Promise<Postmaster | undefined> {
  const text = await readPidFile(dataFolder);
  const postmaster = text === undefined ? undefined : parsePostmasterPid(text);
  if (postmaster === undefined) return undefined;
  const args = await readProcessArguments(postmaster.pid);
  return args !== undefined && isPostmasterOf(args, dataFolder) ? postmaster : undefined;
}

/**
 * Removes a pid file whose pid another program has by now (after a reboot, or a kill -9 and many new processes).
 *
 * Postgres itself would take that program for a running server and refuse to start. A pid file whose process is gone is
 * left to Postgres: it names the shared memory by which a start finds out about backends that outlived their server.
 */
export async function removeForeignPidFile(dataFolder: string): Promise<void> {
  const evaluated = await readPidFile(dataFolder);
  const pid = evaluated === undefined ? undefined : parsePostmasterPid(evaluated)?.pid;
  if (evaluated === undefined || pid === undefined) return;
  const args = await readProcessArguments(pid);
  if (args === undefined ? processIsGone(pid) : isPostmasterOf(args, dataFolder)) return;
  await removeExactly(join(dataFolder, 'postmaster.pid'), evaluated);
}

/** Removes the pid file of a server that is no more. Does nothing while a server runs on `dataFolder`. */
export async function removeStalePidFile(dataFolder: string): Promise<void> {
  const evaluated = await readPidFile(dataFolder);
  if (evaluated === undefined || (await readRunningPostmaster(dataFolder)) !== undefined) return;
  await removeExactly(join(dataFolder, 'postmaster.pid'), evaluated);
}

/** Reads the text of a `postmaster.pid`; undefined when it holds no pid yet, as in the instant it is being written. */
export function parsePostmasterPid(text: string): Postmaster | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[0]?.trim());
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const port = Number(lines[3]);
  return { pid, port: port > 0 ? port : undefined, ready: lines[7]?.trim() === 'ready' };
}

/**
 * Tells whether a command line is that of the server on `dataFolder`.
 *
 * A server without `-D` (it took the folder from PGDATA) counts as ours: better to wait for a stranger than to start a
 * second server on the same data. Backends call themselves "postgres: …" and are no server.
 */
export function isPostmasterOf(args: readonly string[], dataFolder: string): boolean {
  const program = basename(args[0] ?? '');
  if (program !== 'postgres' && program !== 'postmaster') return false;
  const at = args.indexOf('-D');
  // Where `ps` was asked, a folder with spaces has come apart; joined again it still has to lead the rest.
  return at === -1 || `${args.slice(at + 1).join(' ')} `.startsWith(`${dataFolder} `);
}

/** A process that has ended but was not collected still answers to its pid, and Postgres takes it for a living one. */
function processIsGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

/** Removes a file if it still holds `content`; a pid file that another start wrote meanwhile is put back. */
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
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
