import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { leftoverRemoval } from '../../core/work/retry-policies.ts';
import { errorCode } from './system-error.ts';
import { readProcessArguments } from './process-arguments.ts';

/**
 * Returns a temporary sibling of `path`, to be renamed to `path` when complete: `<path>.tmp-<pid>-<random>`.
 *
 * The pid shows a later start whether the process is still running, see `listLeftovers`.
 */
export function temporaryName(path: string): string {
  return `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Temporary file or folder that a killed process left. */
export interface Leftover {
  readonly path: string;
  /** Path that it was to be renamed to. */
  readonly target: string;
}

/**
 * Lists what killed processes left in a folder under temporary names. That of running processes is left out.
 *
 * An earlier process can have had the same pid (containers reuse pids), so that of this pid counts as its own only if it is younger than this
 * process.
 *
 * @param isTarget chooses the names that were to be replaced.
 */
export async function listLeftovers(
  folder: string,
  isTarget: (name: string) => boolean,
): Promise<readonly Leftover[]> {
  const leftovers: Leftover[] = [];
  for (const name of await readNames(folder)) {
    const parsed = parseTemporaryName(name);
    if (parsed === undefined || !isTarget(parsed.target)) continue;
    const path = join(folder, name);
    if (await isAbandoned(path, parsed.pid)) leftovers.push({ path, target: join(folder, parsed.target) });
  }
  return leftovers;
}

/** Lists the folders under temporary names of `name` that killed processes of this user left where anyone may write: in the temporary folder. */
export async function listOwnLeftovers(name: string): Promise<readonly string[]> {
  const own: string[] = [];
  for (const { path } of await listLeftovers(tmpdir(), (target) => target === name)) {
    const found = await lstat(path).catch(ifMissing);
    if (found?.isDirectory() === true && found.uid === userInfo().uid) own.push(path);
  }
  return own;
}

/** Removes what `listLeftovers` lists for `path`. */
export async function removeLeftovers(path: string): Promise<void> {
  for (const leftover of await listLeftovers(dirname(path), (name) => name === basename(path)))
    await removeLeftover(leftover.path);
}

/** Removes a leftover, also while a process that ends still writes into it. */
export async function removeLeftover(path: string): Promise<void> {
  const { retriesMax: maxRetries, delayMs: retryDelay } = leftoverRemoval;
  await rm(path, { recursive: true, force: true, maxRetries, retryDelay });
}

/**
 * Parses a temporary name, with the pid of its process; undefined for any other name. A part of something temporary, such as new data that
 * `initdb` makes for an upgrade, has two suffixes: the last one names its process.
 */
export function parseTemporaryName(
  name: string,
): { readonly target: string; readonly pid: number } | undefined {
  const [, target, pid] =
    /^(.+?)(?:\.tmp-\d+-[0-9a-f]{8})*\.tmp-(\d+)-[0-9a-f]{8}(?:\.\w+)?$/.exec(name) ?? [];
  return target === undefined ? undefined : { target, pid: Number(pid) };
}

async function isAbandoned(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return (await readProcessArguments(pid)) === undefined;
  const ourStartMs = Date.now() - process.uptime() * 1000;
  const found = await stat(path).catch(ifMissing);
  return found !== undefined && found.ctimeMs < ourStartMs;
}

function ifMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

async function readNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ifMissing)) ?? [];
}
