import { readFileSync, readdirSync } from 'node:fs';

/** Peak private memory of processes, in MiB. */
export interface MemoryPeaks {
  readonly server: number;
  /** All processes of Postgres together, and the largest one. */
  readonly postgres: number;
  readonly backend: number;
}

/** Samples the memory of a server and of the processes below a postmaster until it is stopped. Linux only (proc(5)). */
export function watchMemory(serverPid: number, postmasterPid: number): { readonly stop: () => MemoryPeaks } {
  const peaks = { server: 0, postgres: 0, backend: 0 };
  const observation = () => {
    const backends = childrenOf(postmasterPid).map(ownMiB);
    peaks.server = Math.max(peaks.server, ownMiB(serverPid));
    peaks.postgres = Math.max(
      peaks.postgres,
      backends.reduce((sum, one) => sum + one, 0),
    );
    peaks.backend = Math.max(peaks.backend, ...backends);
  };
  const timer = setInterval(observation, 200);
  return {
    stop: () => {
      clearInterval(timer);
      return peaks;
    },
  };
}

function ownMiB(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(readOrNothing(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => readOrNothing(`/proc/${child}/stat`).split(') ')[1]?.split(' ')[1] === String(pid));
}

/** A process may have ended since the listing. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
