import { expect } from 'vitest';
import { companiesOf } from '../faults/listed-companies.ts';
import { runNightshift, type Environment } from '../cli/nightshift-process.ts';
import type { BatchRun } from '../faults/loaded-batch.ts';
import { startWorkers, type WorkerPool } from './worker-pool.ts';
import { countDone } from './progress.ts';
import type { StormServers } from './storm-servers.ts';

/** A run, its servers, and the random generator. */
export interface Storm {
  readonly run: BatchRun;
  readonly servers: StormServers;
  /** Returns an integer below a bound. */
  readonly random: (below: number) => number;
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

export const poolSize = 4;

/**
 * Injects one kind of fault into a running batch, verifies every invariant while the workers continue, and stops them in an
 * orderly way. Prints the duration.
 */
export async function runPhase(
  storm: Storm,
  { name, faults, outlastSeconds, settings = {}, inject }: Phase,
): Promise<void> {
  const { run } = storm;
  const startedAtMs = performance.now();
  const open = countOf(run) - (await countDone(run.database));
  const workerPool = startWorkers(run, poolSize, { ...paceToLast(open, outlastSeconds), ...settings });
  await workerPool.untilWorking();
  await inject(storm, workerPool, faults);
  // Calls of earlier, faster phases still count: check them against the rate at which all of them would last that long.
  await expectInvariantsHold(run, paceToLast(countOf(run), outlastSeconds));
  await workerPool.dismiss();
  expect(await run.readState(), `the batch after so many ${name}`).toBe('running');
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  const done = await countDone(run.database);
  process.stderr.write(`  ${faults} ${name}: ${seconds} s, ${done} lookups done\n`);
}

/** Rate limit at which this many lookups take this long. */
export function paceToLast(lookups: number, seconds: number): Environment {
  return { NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(Math.max(1, Math.floor(lookups / seconds))) };
}

function countOf({ rows }: BatchRun): number {
  return companiesOf(rows).length;
}

/** Runs `nightshift verify` in a separate process. */
async function expectInvariantsHold({ environment }: BatchRun, fastest: Environment): Promise<void> {
  const { stdout, stderr } = await runNightshift(['verify', '--json'], { ...environment, ...fastest });
  expect(stdout, stderr).not.toBe('');
  const { invariants } = JSON.parse(stdout) as {
    invariants: readonly { readonly status: string; readonly broken: readonly string[] }[];
  };
  expect(invariants.flatMap(({ broken }) => broken)).toEqual([]);
  expect(invariants.filter(({ status }) => status === 'holds').length).toBeGreaterThan(7);
}
