import { expect } from 'vitest';
import { expectInvariants } from '../faults/batch-audit.ts';
import { companiesOf } from '../faults/listed-companies.ts';
import { readNightshift, type Environment } from '../cli/nightshift-process.ts';
import type { BatchRun } from '../faults/loaded-batch.ts';
import type { Figures } from '../faults/proof-figures.ts';
import { startWorkers, type WorkerPool } from './worker-pool.ts';
import { countDone, listDeadLetters } from './progress.ts';
import type { StormServers } from './storm-servers.ts';

/** A run, its servers, and the random generator. */
export interface Storm {
  readonly run: BatchRun;
  readonly servers: StormServers;
  /** Returns an integer below a bound. */
  readonly random: (below: number) => number;
  /** Number of workers. Default: 4. */
  readonly workers?: number;
}

/** Injects the given number of faults. The workers are busy before and after it. */
export type FaultInjection = (storm: Storm, workerPool: WorkerPool, faults: number) => Promise<void>;

/** A kind of fault with its parameters. */
export interface Phase {
  readonly name: string;
  /** Number of faults to inject. */
  readonly faults: number;
  /** Longer than all faults take, even on a slow and busy machine: the batch has to run until then. */
  readonly outlastSeconds: number;
  /** Settings of the workers in addition to those of the run. */
  readonly settings?: Environment;
  readonly inject: FaultInjection;
}

const poolSize = 4;

/** After the storm: as fast as possible. */
export const finalRateLimit = {
  NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  NIGHTSHIFT_UPSTREAM_BURST: '200',
};
const finishMsMax = 900_000;

/**
 * Injects one kind of fault into a running batch, verifies every invariant while the workers continue, and stops them in an
 * orderly way. Prints the duration, and returns it as a figure.
 */
export async function runPhase(
  storm: Storm,
  { name, faults, outlastSeconds, settings = {}, inject }: Phase,
): Promise<Figures> {
  const { run, workers = poolSize } = storm;
  const startedAtMs = performance.now();
  const open = countOf(run) - (await countDone(run.database));
  const workerPool = startWorkers(run, workers, { ...paceToLast(open, outlastSeconds), ...settings });
  await workerPool.untilWorking();
  await inject(storm, workerPool, faults);
  // Calls of earlier, faster phases still count: check them against the rate at which all of them would last that long.
  await expectInvariants({ ...run.environment, ...paceToLast(countOf(run), outlastSeconds) });
  await workerPool.dismiss();
  expect(await run.readState(), `the batch after so many ${name}`).toBe('running');
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  const done = await countDone(run.database);
  process.stderr.write(`  ${faults} ${name}: ${seconds} s, ${done} lookups done\n`);
  return { [`${faults} ${name}`]: `in ${seconds} s` };
}

/**
 * Works on the rest of the batch without faults. Returns the companies that killed their worker five times alone: dead letters, which
 * `retry --in-doubt` calls again.
 */
export async function finishBatch({
  run,
  workers = poolSize,
}: Pick<Storm, 'run' | 'workers'>): Promise<readonly string[]> {
  const startedAtMs = performance.now();
  const workerPool = startWorkers(run, workers, finalRateLimit);
  await run.untilFinished(finishMsMax);
  const deadLetters = await listDeadLetters(run.database);
  if (deadLetters.length > 0) {
    await readNightshift(['retry', run.batch, '--in-doubt'], run.environment);
    await run.untilFinished(finishMsMax);
  }
  await workerPool.dismiss();
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  process.stderr.write(`  the rest in peace: ${seconds} s, ${deadLetters.length} dead letters tried again\n`);
  return deadLetters;
}

/** Rate limit at which this many lookups take this long. */
export function paceToLast(lookups: number, seconds: number): Environment {
  return { NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(Math.max(1, Math.floor(lookups / seconds))) };
}

function countOf({ rows }: BatchRun): number {
  return companiesOf(rows).length;
}
