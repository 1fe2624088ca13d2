import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isPostmasterOf } from './postmaster.ts';
import { readProcessArguments } from './system/process-arguments.ts';
import { readServerUser } from './system/server-user.ts';

const mib = 1024 * 1024;

/**
 * Limits of the private memory of a process of the private server, in bytes; shared buffers and the stack do not count. Beyond the limit a
 * statement fails with SQLSTATE 53200. Without it, the system would kill a process, and Postgres would restart all sessions.
 */
export const memoryLimit = {
  /** Limit of every process. Our choice: work and maintenance need 64 MiB by their settings. */
  process: 1024 * mib,
  /** Limit of processes that run queries of accounts. Our choice: a result can have 16 MiB. */
  account: 256 * mib,
} as const;

/**
 * Returns the command line that starts `program` under the limit for every process.
 *
 * Uses RLIMIT_DATA, because RLIMIT_AS includes the stack: a deep expression would then end its process by a signal, and Postgres would
 * restart all others. Linux counts allocations by RLIMIT_DATA (since 4.7, setrlimit(2)); macOS does not, so there is no limit there.
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
 * Lowers the limit of one process of the server on `dataFolder` to the limit for queries of accounts.
 *
 * @returns true when the limit is set; false without `prlimit` (util-linux), or for a process of another server.
 */
export async function limitAccountMemory(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux' || !(await isBackendOf(pid, dataFolder))) return false;
  // As the user of the server: root in a container cannot change limits of other users' processes.
  const { spawnAs } = await readServerUser(dataFolder);
  return new Promise((resolve) => {
    const args = ['--pid', String(pid), `--data=${memoryLimit.account}`];
    execFile('prlimit', args, { cwd: '/', ...spawnAs }, (error) => resolve(error === null));
  });
}

/** Reads the memory limit of a running server, in bytes; null for none, or if it is unknown. */
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
