import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './system-error.ts';
import { readProcessArguments } from './process-arguments.ts';

/**
 * Returns a temporary sibling of `path`, to be renamed to `path` when complete: `<path>.tmp-<pid>-<random>`.
 *
 * The pid shows a later start whether the process is still running, see `removeLeftovers`.
 */
export function temporaryName(path: string): string {
  return `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Removes temporary siblings of `path` that killed processes left. Those of running processes stay.
 *
 * An earlier process can have had the same pid (containers reuse pids), so siblings with this pid stay only if they are younger than this
 * process.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readNames(folder)) {
    const pid = parseTemporaryName(name, basename(path));
    if (pid !== undefined && (await isAbandoned(join(folder, name), pid))) {
      // An initdb of a killed process may still be writing: hence the retries.
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    }
  }
}

/** Parses the pid in a temporary name for `base`; undefined for any other name. */
export function parseTemporaryName(name: string, base: string): number | undefined {
  if (!name.startsWith(`${base}.tmp-`)) return undefined;
  const pid = /^(\d+)-[0-9a-f]{8}(?:\.\w+)?$/.exec(name.slice(`${base}.tmp-`.length))?.[1];
  return pid === undefined ? undefined : Number(pid);
}

async function isAbandoned(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return (await readProcessArguments(pid)) === undefined;
  const ourStartMs = Date.now() - process.uptime() * 1000;
  try {
    return (await stat(path)).ctimeMs < ourStartMs;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function readNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
