import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Space for the test Postgres with its databases and WAL, and for the largest files. */
const bytesMin = 4 * 1024 ** 3;
const prefix = 'nightshift-scratch-';
const ownPrefix = `${prefix}${process.pid}-`;

/**
 * Creates the temporary folder of this process and all its children. Returns a function that removes it.
 *
 * The folder is in memory if there is space: a database has about 600 files, and tests create and drop hundreds of databases.
 * Leftovers of killed runs are removed first.
 */
export function useScratchFolder(): () => void {
  const path = makeIn(memory) ?? mkdtempSync(join(tmpdir(), ownPrefix));
  // The Postgres server of the tests may run as another user.
  chmodSync(path, 0o755);
  process.env['TMPDIR'] = path;
  return () => rmSync(path, { recursive: true, force: true, maxRetries: 10 });
}

/** Returns null if the folder is missing, too small, or does not allow programs to run. */
function makeIn(parent: string): string | null {
  try {
    for (const name of readdirSync(parent).filter(isLeftover))
      rmSync(join(parent, name), { recursive: true });
    const { bavail, bsize } = statfsSync(parent);
    if (bavail * bsize < bytesMin) return null;
    const path = mkdtempSync(join(parent, ownPrefix));
    if (runsPrograms(path)) return path;
    rmSync(path, { recursive: true });
    return null;
  } catch {
    return null;
  }
}

function isLeftover(name: string): boolean {
  if (!name.startsWith(prefix)) return false;
  try {
    process.kill(Number.parseInt(name.slice(prefix.length), 10), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Containers mount it with `noexec`. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
