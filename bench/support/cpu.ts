import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc: 100 on every Linux (proc_pid_stat(5)). */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  /** User and system time, its own and that of its ended children. */
  readonly ticks: number;
}

/**
 * Sums the CPU seconds, user and system, of processes and all their descendants, also of those that have ended and been waited for, from
 * /proc. The difference of two calls is what was used between them.
 *
 * @throws Error on a system without /proc.
 */
export function readCpuSeconds(roots: readonly number[]): number {
  const processes = readProcesses();
  const belongs = (pid: number): boolean =>
    roots.includes(pid) || (processes.has(pid) && belongs(processes.get(pid)?.parent ?? 0));
  let ticks = 0;
  for (const [pid, times] of processes) if (belongs(pid)) ticks += times.ticks;
  return ticks / ticksPerSecond;
}

function readProcesses(): ReadonlyMap<number, ProcessTimes> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      const times = readTimes(pid);
      return times === null ? [] : [[Number(pid), times]];
    }),
  );
}

/** Returns null if the process has ended meanwhile. */
function readTimes(pid: string): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code));
}
