import { join } from 'node:path';
import { openBenchServer } from '../support/bench-server.ts';
import { runCommand } from '../product/command.ts';
import { withClosers } from '../support/closing.ts';
import { readMachine } from '../support/machine.ts';
import type { BenchOptions } from '../support/options.ts';
import { openRedis } from '../support/redis.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { tickBare } from './bare-schedulers.ts';
import { scanAtOnce } from './night.ts';
import { scansResult, type ScansRun } from './result.ts';

const schedulesDefault = 1000;
const companies = 50;
const workers = 2;

/** How late the scans of many schedules are that fall due in the same minute, on both queues, beside BullMQ's schedulers alone. */
export function benchScans(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const schedules = options.rows ?? schedulesDefault;
    const home = join(await openFolder(closers), 'home');
    const server = await openBenchServer(home, closers);
    const redisUrl = await openRedis(closers);
    const databaseUrl = server.url('postgres');
    await runCommand(['snapshot', 'load', '--sample'], home, closers);
    await runCommand(['credits', 'grant', '1000000', '--reason', 'bench'], home, closers);
    const runs: ScansRun[] = [];
    for (let n = 1; n <= options.rounds; n += 1) {
      for (const queue of redisUrl === null ? (['postgres'] as const) : (['postgres', 'redis'] as const)) {
        say(`Round ${n} of ${options.rounds}, queue on ${queue}`);
        const place = { home, databaseUrl, redisUrl: queue === 'redis' ? redisUrl : null };
        const name = `scans-${queue}-${n}`;
        const bare = await tickBare(place, { name, schedules }, closers);
        const ours = await scanAtOnce(place, { name, schedules, companies, workers }, closers);
        runs.push({ queue, ours, bare });
      }
    }
    return scansResult({ machine: await readMachine(databaseUrl), schedules, companies, workers, runs });
  });
}
