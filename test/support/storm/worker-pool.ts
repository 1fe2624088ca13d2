import { expect } from 'vitest';
import type { EndedProcess, Environment, NightshiftProcess } from '../cli/nightshift-process.ts';
import type { BatchRun } from '../faults/loaded-batch.ts';

/** The workers of one phase. Records workers that end unrequested. */
export interface WorkerPool {
  /** Live workers, oldest first. */
  readonly workers: () => readonly NightshiftProcess[];
  /** Workers that have connected to everything and take jobs. */
  readonly working: () => readonly NightshiftProcess[];
  /** Workers that ended without being asked to. */
  readonly crashed: () => readonly EndedProcess[];
  /** Starts another worker. */
  readonly startWorker: () => NightshiftProcess;
  /** Resolves when all workers have started to work. */
  readonly untilWorking: () => Promise<void>;
  /** `kill -9`. */
  readonly kill: (worker: NightshiftProcess) => Promise<void>;
  /** Stops all of them, and checks that each stopped in an orderly way and that none ended before. */
  readonly dismiss: () => Promise<void>;
}

/** Message of a worker that takes jobs. */
const atWork = 'Workers are running.';

/** Starts this many workers with these settings. */
export function startWorkers(run: BatchRun, size: number, settings: Environment): WorkerPool {
  const alive = new Set<NightshiftProcess>();
  const crashes: EndedProcess[] = [];

  function hire(): NightshiftProcess {
    const worker = run.startWorker(settings);
    alive.add(worker);
    void worker.ended.then((end) => void (alive.delete(worker) && crashes.push(end)));
    return worker;
  }

  for (let n = 0; n < size; n++) hire();
  return {
    workers: () => [...alive],
    working: () => [...alive].filter((worker) => worker.stderr().includes(atWork)),
    crashed: () => crashes,
    startWorker: hire,
    untilWorking: async () =>
      void (await Promise.all([...alive].map((worker) => worker.waitForOutput(atWork)))),
    async kill(worker) {
      alive.delete(worker);
      await worker.kill();
    },
    async dismiss() {
      const workers = [...alive];
      alive.clear();
      const ends = await Promise.all(workers.map((worker) => worker.stop()));
      expect([...crashes, ...ends.filter(({ exitCode }) => exitCode !== 0)], 'workers that crashed').toEqual(
        [],
      );
    },
  };
}
