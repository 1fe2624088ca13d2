import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Room for the test's Postgres with its databases and its WAL, and for the largest lists. */
const bytesMin = 4 * 1024 ** 3;
const prefix = 'nightshift-scratch-';
const ownPrefix = `${prefix}${process.pid}-`;

/**
 * Makes a folder for all that one run writes the temporary folder of this process and of all that it starts. Answers how to take it
 * away again.
 *
 * It lies in memory where there is room: a database is some 600 files, and tests make and drop hundreds of them. What runs that
 * were killed have left there goes first.
 */
export function useScratchFolder(): () => void {
  const path = makeIn(memory) ?? mkdtempSync(join(tmpdir(), ownPrefix));
  // The server of tests may run as another user.
  chmodSync(path, 0o755);
  process.env['TMPDIR'] = path;
  return () => rmSync(path, { recursive: true, force: true, maxRetries: 10 });
}

/** Null where the folder is missing, small, or lets no program run. */
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

/** Containers mount it without the right to. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
