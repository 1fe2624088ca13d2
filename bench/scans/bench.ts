import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { openBenchServer } from '../support/bench-server.ts';
import { runCommand } from '../product/command.ts';
import { withClosers } from '../support/closing.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { openRedis } from '../support/redis.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { tickBare } from './bare-schedulers.ts';
import { scanAtOnce, type ScansPlace, type ScansWork } from './run.ts';
import { scansResult, type ScansRun } from './result.ts';

const schedulesDefault = { full: 1000, smallest: 10 };
const companies = { full: 50, smallest: 5 };
const leadMs = { full: 45_000, smallest: 15_000 };
const workers = 2;

/** Measures the delay of scans whose many schedules are due in the same minute, on both queues, beside BullMQ's schedulers alone. */
export function benchScans(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const places = await openPlaces(closers);
    const work = {
      schedules: options.rows ?? sizeOf(options, schedulesDefault),
      companies: sizeOf(options, companies),
      leadMs: sizeOf(options, leadMs),
      workers,
    };
    const runs: ScansRun[] = [];
    for (let n = 1; n <= options.rounds; n += 1)
      runs.push(...(await runRound(places, { ...work, name: `round-${n}` }, { options, closers })));
    const [{ databaseUrl }] = places;
    return scansResult({ ...work, machine: await readMachine(databaseUrl), runs });
  });
}

interface Running {
  readonly options: BenchOptions;
  readonly closers: Closers;
}

/** One run on each queue: sequentially, or concurrently if nothing is measured and each would wait for its own minute. */
async function runRound(
  places: Places,
  work: ScansWork,
  { options, closers }: Running,
): Promise<readonly ScansRun[]> {
  const runOn = async (place: ScansPlace): Promise<ScansRun> => {
    const queue = place.redisUrl === null ? 'postgres' : 'redis';
    say(`${work.name} of ${options.rounds}, queue on ${queue}`);
    const [bare, ours] = options.isSmallest
      ? await Promise.all([tickBare(place, work, closers), scanAtOnce(place, work, closers)])
      : [await tickBare(place, work, closers), await scanAtOnce(place, work, closers)];
    return { queue, ours, bare };
  };
  if (options.isSmallest) return Promise.all(places.map(runOn));
  const runs: ScansRun[] = [];
  for (const place of places) runs.push(await runOn(place));
  return runs;
}

type Places = readonly [ScansPlace, ...ScansPlace[]];

/** A home for each available queue, with ads and credits. */
async function openPlaces(closers: Closers): Promise<Places> {
  const redisUrl = await openRedis(closers);
  const onPostgres = await openPlace(null, closers);
  return redisUrl === null ? [onPostgres] : [onPostgres, await openPlace(redisUrl, closers)];
}

async function openPlace(redisUrl: string | null, closers: Closers): Promise<ScansPlace> {
  const home = join(await openFolder(closers), 'home');
  const server = await openBenchServer(home, closers);
  await runCommand(['snapshot', 'load', '--sample'], home, closers);
  await runCommand(['credits', 'grant', '1000000', '--reason', 'bench'], home, closers);
  return { home, databaseUrl: server.url('postgres'), redisUrl };
}
