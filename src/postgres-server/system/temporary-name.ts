import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { leftoverRemoval } from '../../core/work/retry-policies.ts';
import { errorCode } from './system-error.ts';
import { readProcessArguments } from './process-arguments.ts';

/**
 * A sibling of `path` to build something in before it is renamed to `path`: `<path>.tmp-<our pid>-<random>`.
 *
 * The pid tells a later start whether its maker is still at work, see `removeLeftovers`.
 */
export function temporaryName(path: string): string {
  return `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Removes what killed processes left beside `path` under temporary names. What a living process is making stays.
 *
 * Our own pid may be that of an earlier life (containers give out the same pids), so of that pid only what is younger
 * than this process is spared.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readNames(folder)) {
    const pid = parseTemporaryName(name, basename(path));
    if (pid !== undefined && (await isAbandoned(join(folder, name), pid))) {
      const { retriesMax: maxRetries, delayMs: retryDelay } = leftoverRemoval;
      await rm(join(folder, name), { recursive: true, force: true, maxRetries, retryDelay });
    }
  }
}

/** The pid in a temporary name made for `base`, or undefined when `name` is not one. */
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
