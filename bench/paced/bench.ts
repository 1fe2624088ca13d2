import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { openBenchServer } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { openRedis } from '../support/redis.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { askInALoop } from './bare-loop.ts';
import { workThrough, type PacedPlace } from './run.ts';
import { pacedResult, type PacedKind } from './result.ts';
import { openCountingSource, type PacedRun } from './source.ts';

const lookupsDefault = { full: 500, smallest: 50 };
const pools = [1, 2, 4];

/** Measures the share of a source's rate limit that is used, beside a bare loop at the same rate: by one, two and four workers. */
export function benchPaced(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const lookups = options.rows ?? sizeOf(options, lookupsDefault);
    const folder = await openFolder(closers);
    const home = join(folder, 'home');
    const server = await openBenchServer(home, closers);
    const place = { home, databaseUrl: server.url('postgres') };
    const redisUrl = await openRedis(closers);
    const kinds = kindsOn(redisUrl === null ? ['postgres'] : ['postgres', 'redis']);
    const rounds = new Map<PacedKind, PacedRun[]>(kinds.map((kind) => [kind, []]));
    for (let n = 1; n <= options.rounds; n += 1) {
      say(`Round ${n} of ${options.rounds}`);
      for (const kind of kinds) {
        const name = `${kind.queue ?? 'bare'}-${kind.workers}-${n}`;
        const onQueue = { ...place, redisUrl: kind.queue === 'redis' ? redisUrl : null };
        rounds.get(kind)?.push(await measure(kind, { place: onQueue, folder, name, lookups }, closers));
      }
    }
    return pacedResult({ machine: await readMachine(server.url('postgres')), lookups, rounds });
  });
}

function kindsOn(queues: readonly ('postgres' | 'redis')[]): readonly PacedKind[] {
  return [
    { queue: null, workers: 1 },
    ...queues.flatMap((queue) => pools.map((workers) => ({ queue, workers }))),
  ];
}

interface Run {
  readonly place: PacedPlace;
  readonly folder: string;
  readonly name: string;
  readonly lookups: number;
}

async function measure(
  { queue, workers }: PacedKind,
  { place, folder, name, lookups }: Run,
  closers: Closers,
): Promise<PacedRun> {
  const source = await openCountingSource(folder, name, closers);
  if (queue === null) await askInALoop(source, lookups);
  else await workThrough(place, { source, name, lookups, workers }, closers);
  const run = await source.evaluate(lookups);
  say(`  ${name}: ${(100 * run.share).toFixed(1)} %`);
  return run;
}
