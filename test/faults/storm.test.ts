import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { companiesOf, listCompanies } from '../support/faults/listed-companies.ts';
import { expectNothingLostOrBoughtTwice } from '../support/faults/batch-audit.ts';
import { openBatchRun, temporaryFolder } from '../support/faults/loaded-batch.ts';
import { recordFigures, type Figures } from '../support/faults/proof-figures.ts';
import { openPostgresProxy } from '../support/db/postgres-proxy.ts';
import { takeSeed } from '../support/seed.ts';
import { spawnSourceStandIn } from '../support/stand-in/spawn-source-stand-in.ts';
import { numbersOf } from '../support/stand-in/stand-in-ads.ts';
import {
  openServersOnPostgres,
  openServersOnRedis,
  type StormServers,
} from '../support/storm/storm-servers.ts';
import { finalRateLimit, finishBatch, paceToLast, runPhase, type Phase } from '../support/storm/storm.ts';
import {
  emptyQueue,
  freezeWorkers,
  killWorkers,
  leaseSeconds,
  loseCommits,
  restart,
} from '../support/storm/fault-injection.ts';
import { runsAll, runsFull } from '../support/faults/random-runs.ts';
import { findRedisProgram } from '../support/queue/test-redis.ts';

/**
 * The size of the proof: a bit over an hour for each queue. A kill takes about 2 s, as another worker has to start, and twice that on a slow
 * machine. Most of the batch is left to the end.
 */
const proof = {
  rows: 50_000,
  killsOutlastSeconds: 6000,
  outlastSeconds: 1800,
  kills: 1000,
  zombies: 100,
  lostCommits: 1000,
  postgresRestarts: 20,
  redisKills: 30,
  emptiedQueues: 10,
};
const full = {
  rows: 20_000,
  /** Each kill waits for workers to start, which is most of the machine's load. */
  killsOutlastSeconds: 450,
  /** Duration of the other phases. As short as is safe: the rest is left to the end of the run. */
  outlastSeconds: 240,
  kills: 200,
  zombies: 20,
  lostCommits: 200,
  postgresRestarts: 10,
  redisKills: 10,
  emptiedQueues: 5,
};
/** The same storm at a tenth of its size with a few faults of each kind, for the gate. */
const small = {
  rows: 2_000,
  killsOutlastSeconds: 240,
  outlastSeconds: 120,
  kills: 8,
  zombies: 2,
  lostCommits: 10,
  postgresRestarts: 1,
  redisKills: 1,
  emptiedQueues: 1,
};
const smaller = runsAll ? full : small;
const size = runsFull ? proof : smaller;

const testMsMax = runsFull ? 14_400_000 : 2_400_000;

describe('random kills, zombies, lost answers and restarts lose no row, charge none twice, and let the batch finish', () => {
  test('with the queue on postgres', { timeout: testMsMax }, async () => {
    await runStorm(await openServersOnPostgres());
  });

  const isPossible = findRedisProgram() !== undefined || process.env['CI'] === 'true';
  test.skipIf(!isPossible)('with the queue on redis', { timeout: testMsMax }, async () => {
    await runStorm(await openServersOnRedis());
  });
});

async function runStorm(servers: StormServers): Promise<void> {
  const seed = takeSeed();
  announce(servers, seed);
  const standIn = await spawnSourceStandIn({
    logFile: join(temporaryFolder(), 'calls.ndjson'),
    idempotent: true,
    latencyMs: { min: 20, max: 200 },
    script: [
      { everyNth: 101, failure: { kind: 'status', status: 503 } },
      { everyNth: 997, failure: { kind: 'status', status: 429, retryAfter: '1' } },
    ],
  });
  onTestFinished(standIn.close);
  const rows = listCompanies(size.rows, seed);
  const run = await openBatchRun(servers, {
    source: standIn,
    rows,
    settings: {
      NIGHTSHIFT_LEASE_SECONDS: String(leaseSeconds),
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      ...paceToLast(companiesOf(rows).length, size.killsOutlastSeconds),
    },
  });
  const random = numbersOf(`storm|${seed}`);
  let phases: Figures = {};
  for (const phase of await planPhases(servers))
    phases = { ...phases, ...(await runPhase({ run, servers, random }, phase)) };
  const deadLetters = await finishBatch({ run });
  const boughtAgain = await expectNothingLostOrBoughtTwice(
    { ...run, environment: { ...run.environment, ...finalRateLimit } },
    { log: standIn.readLog(), deadLetters },
  );
  recordFigures(`storm, queue on ${queueOf(servers)}`, {
    rows: rows.length,
    ...phases,
    'dead letters': deadLetters.length,
    'of these bought twice, by their retry': boughtAgain,
  });
}

async function planPhases(servers: StormServers): Promise<readonly Phase[]> {
  const proxy = await openPostgresProxy(servers.database.url);
  const { restartPostgres, restartRedis } = servers;
  const { killsOutlastSeconds, outlastSeconds } = size;
  return [
    { name: 'kills', faults: size.kills, outlastSeconds: killsOutlastSeconds, inject: killWorkers },
    { name: 'zombies', faults: size.zombies, outlastSeconds, inject: freezeWorkers },
    {
      name: 'lost answers to COMMIT',
      faults: size.lostCommits,
      outlastSeconds,
      settings: { DATABASE_URL: proxy.url },
      inject: loseCommits(proxy),
    },
    {
      name: 'restarts of Postgres',
      faults: size.postgresRestarts,
      outlastSeconds,
      inject: restart(restartPostgres),
    },
    ...(restartRedis === null
      ? []
      : [{ name: 'kills of Redis', faults: size.redisKills, outlastSeconds, inject: restart(restartRedis) }]),
    { name: 'emptied queues', faults: size.emptiedQueues, outlastSeconds, inject: emptyQueue },
  ];
}

function announce(servers: StormServers, seed: string): void {
  const queue = queueOf(servers);
  process.stderr.write(
    `Storm over ${size.rows} rows, queue on ${queue}. Replay with\n` +
      `  NIGHTSHIFT_TEST_SEED=${seed} npm run test:faults -- storm -t ${queue}\n`,
  );
}

function queueOf({ restartRedis }: StormServers): 'postgres' | 'redis' {
  return restartRedis === null ? 'postgres' : 'redis';
}
