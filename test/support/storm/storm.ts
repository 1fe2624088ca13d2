import { expect } from 'vitest';
import { companiesOf } from '../faults/listed-companies.ts';
import { runNightshift, type Environment } from '../cli/nightshift-process.ts';
import type { BatchRun } from '../faults/loaded-batch.ts';
import { startWorkers, type WorkerPool } from './worker-pool.ts';
import { countDone } from './progress.ts';
import type { StormServers } from './storm-servers.ts';

/** A night, the servers it runs on, and the dice. */
export interface Storm {
  readonly run: BatchRun;
  readonly servers: StormServers;
  /** A whole number below a bound. */
  readonly random: (below: number) => number;
}

/** Strikes so often. The workers are at work when it begins, and at work when it is over. */
export type FaultInjection = (storm: Storm, workerPool: WorkerPool, faults: number) => Promise<void>;

/** One kind of bad luck. */
export interface Phase {
  readonly name: string;
  /** Number of faults to inject. */
  readonly faults: number;
  /** Longer than all of them take, on a slow and busy machine too: until then the batch has to run. */
  readonly outlastSeconds: number;
  /** Settings of the workers, on top of those of the run. */
  readonly settings?: Environment;
  readonly inject: FaultInjection;
}

export const poolSize = 4;

/**
 * Lets one kind of bad luck loose on a batch that runs, holds the record against every invariant while the workers go on, and ends
 * them in good order. Prints what it took.
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
  // Calls of earlier, faster phases are still judged: by the pace at which all of them would last so long.
  await expectInvariantsHold(run, paceToLast(countOf(run), outlastSeconds));
  await workerPool.dismiss();
  expect(await run.readState(), `the batch after so many ${name}`).toBe('running');
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  const done = await countDone(run.database);
  process.stderr.write(`  ${faults} ${name}: ${seconds} s, ${done} lookups done\n`);
}

/** The pace at which so many lookups take so long. */
export function paceToLast(lookups: number, seconds: number): Environment {
  return { NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(Math.max(1, Math.floor(lookups / seconds))) };
}

function countOf({ rows }: BatchRun): number {
  return companiesOf(rows).length;
}

/** `nightshift verify`, as a process of its own. */
async function expectInvariantsHold({ environment }: BatchRun, fastest: Environment): Promise<void> {
  const { stdout, stderr } = await runNightshift(['verify', '--json'], { ...environment, ...fastest });
  expect(stdout, stderr).not.toBe('');
  const { invariants } = JSON.parse(stdout) as {
    invariants: readonly { readonly status: string; readonly broken: readonly string[] }[];
  };
  expect(invariants.flatMap(({ broken }) => broken)).toEqual([]);
  expect(invariants.filter(({ status }) => status === 'holds').length).toBeGreaterThan(7);
}
