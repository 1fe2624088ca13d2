import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isPostmasterOf } from './postmaster.ts';
import { readProcessArguments } from './system/process-arguments.ts';
import { readServerUser } from './system/server-user.ts';

const mib = 1024 * 1024;

/**
 * Memory of its own that a process of the private server may have, in bytes; shared buffers and the stack do not count. With more, a
 * statement fails with SQLSTATE 53200, where the system would kill a process in the end, and Postgres restart for everybody.
 */
export const memoryLimit = {
  /** From the start on, for every process. Our choice: work and maintenance take 64 MiB by their settings. */
  process: 1024 * mib,
  /** For those that run queries of accounts. Our choice: an answer may have 16 MiB. */
  account: 256 * mib,
} as const;

/**
 * The command line that starts `program` under the limit for every process.
 *
 * RLIMIT_DATA and not RLIMIT_AS, which counts the stack as well: a deep expression would then end its process by a signal, and Postgres
 * restarts all of them after that. Linux counts by it what a process allocates (from 4.7 on, setrlimit(2)); macOS does not, so there is no limit
 * there.
 */
export function underMemoryLimit(
  program: string,
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): { readonly program: string; readonly args: readonly string[] } {
  if (platform !== 'linux') return { program, args };
  const script = `ulimit -S -d ${memoryLimit.process / 1024}; exec "$0" "$@"`;
  return { program: '/bin/sh', args: ['-c', script, program, ...args] };
}

/**
 * Lowers the limit of one process of the server on `dataFolder` to that for queries of accounts.
 *
 * @returns whether it holds: false where this system has no `prlimit` (util-linux), or the process is none of that server's.
 */
export async function limitAccountMemory(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux' || !(await isBackendOf(pid, dataFolder))) return false;
  // As the server's own user: root in a container may not change limits of other users' processes.
  const { spawnAs } = await readServerUser(dataFolder);
  return new Promise((resolve) => {
    const args = ['--pid', String(pid), `--data=${memoryLimit.account}`];
    execFile('prlimit', args, { cwd: '/', ...spawnAs }, (error) => resolve(error === null));
  });
}

/** The memory limit that a running server was started with, in bytes; null for none, and where it cannot be told. */
export async function readMemoryLimit(pid: number): Promise<number | null> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const soft = /^Max data size\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

async function isBackendOf(pid: number, dataFolder: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1];
  if (parent === undefined) return false;
  const args = await readProcessArguments(Number(parent));
  return args !== undefined && isPostmasterOf(args, dataFolder);
}
