import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import { openTestPools, type TestDatabase } from '../../support/db/database.ts';
import { openReplicatedPostgres } from '../../support/db/replicated-postgres.ts';
import { schemaFolder } from '../../support/db/test-postgres.ts';
import { expectNothingLostOrBoughtTwice } from '../../support/faults/batch-audit.ts';
import { companiesOf, listCompanies } from '../../support/faults/listed-companies.ts';
import { openBatchRun, temporaryFolder, type BatchRun } from '../../support/faults/loaded-batch.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { randomRuns, runsAll } from '../../support/faults/random-runs.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { findRedisProgram, spawnRedis } from '../../support/queue/test-redis.ts';
import { takeSeed } from '../../support/seed.ts';
import { spawnSourceStandIn } from '../../support/stand-in/spawn-source-stand-in.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';
import { countDone, listDeadLetters, untilMoreDone } from '../../support/storm/progress.ts';
import { paceToLast } from '../../support/storm/storm.ts';
import { startWorkers } from '../../support/storm/worker-pool.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const kills = randomRuns(10);
/** Of the batch; the kills of the primary are spread over it. */
const secondsPerKill = 25;
const rowsPerKill = 400;
const testMsMax = 120_000 + kills * 120_000;
const fast = { NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000', NIGHTSHIFT_UPSTREAM_BURST: '200' };

test(
  'the queue on postgres: kills of the primary lose nothing that was acknowledged, and work goes on',
  { timeout: testMsMax },
  async () => {
    await runKills({});
  },
);

const redis = findRedisProgram();
test.skipIf(redis === undefined || !runsAll)(
  'the queue on redis: kills of the primary lose nothing that was acknowledged, and work goes on',
  { timeout: testMsMax },
  async () => {
    const { url, close } = await spawnRedis(redis ?? '');
    onTestFinished(close);
    await runKills({ REDIS_URL: url });
  },
);

async function runKills(queue: Environment): Promise<void> {
  const seed = takeSeed();
  const random = numbersOf(`failover|${seed}`);
  const servers = await openReplicatedPostgres('night');
  onTestFinished(servers.close);
  await migrate(servers.url, schemaFolder);
  const database = openTestPools(servers.url);
  onTestFinished(database.close);
  const standIn = await spawnSourceStandIn({
    logFile: join(temporaryFolder(), 'calls.ndjson'),
    idempotent: true,
    latencyMs: { min: 20, max: 200 },
  });
  onTestFinished(standIn.close);
  const rows = listCompanies(rowsPerKill * kills, seed);
  const run = await openBatchRun(
    { database, environment: { DATABASE_URL: servers.url, ...queue } },
    {
      source: standIn,
      rows,
      settings: {
        NIGHTSHIFT_LEASE_SECONDS: '5',
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
        ...paceToLast(companiesOf(rows).length, secondsPerKill * kills),
      },
    },
  );
  const workers = startWorkers(run, 2, {});
  await workers.untilWorking();
  const pauses: number[] = [];
  for (let killed = 0; killed < kills; killed += 1) {
    await untilMoreDone(database, 20 + random(60));
    const acknowledged = await readAcknowledged(database);
    const promotedAtMs = await servers.failOver(4000 + random(4000));
    const [done, doneAtMs] = await untilNextDone(database);
    expect(await missingOf(acknowledged, database), `lost at kill ${killed + 1}`).toEqual([]);
    expect(done).toBeGreaterThan(0);
    pauses.push(doneAtMs - promotedAtMs);
    await servers.repair();
  }
  recordFigures(`${kills} kills of the primary`, {
    seed,
    rows: rows.length,
    'first outcome after each promotion': `${pauses.join(', ')} ms`,
  });
  await finish(run, workers);
  if (runsAll) expect(Math.max(...pauses)).toBeLessThan(15_000);
  await expectNothingLostOrBoughtTwice(
    { ...run, environment: { ...run.environment, ...fast } },
    { log: standIn.readLog(), deadLetters: await listDeadLetters(database) },
  );
}

async function finish(run: BatchRun, workers: ReturnType<typeof startWorkers>): Promise<void> {
  await run.untilFinished();
  await workers.dismiss();
}

/** Outcomes, ledger entries and answered calls that a client can see: their standby has confirmed them. */
async function readAcknowledged({ owner }: TestDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await owner.sql.execute<{ line: string }>(
    sql`SELECT format('lookup %s %s', id, outcome) AS line FROM nightshift.all_lookups WHERE outcome IS NOT NULL
      UNION ALL SELECT 'charge ' || e::text FROM nightshift.ledger_entries e
      UNION ALL SELECT format('call %s %s %s', id, request_key, answer) FROM nightshift.source_calls WHERE answered_at IS NOT NULL`,
  );
  return new Set(rows.map(({ line }) => line));
}

async function missingOf(
  acknowledged: ReadonlySet<string>,
  database: TestDatabase,
): Promise<readonly string[]> {
  const now = await readAcknowledged(database);
  return [...acknowledged].filter((line) => !now.has(line));
}

/** Resolves with the number of outcomes, and the time, when there is one more than after the promotion. */
async function untilNextDone(database: TestDatabase): Promise<readonly [done: number, atMs: number]> {
  const before = await vi.waitFor(() => countDone(database), { timeout: waitMsMax, interval: 50 });
  return vi.waitFor(
    async () => {
      const done = await countDone(database);
      if (done <= before) throw new Error('No outcome since the promotion.');
      return [done, Date.now()] as const;
    },
    { timeout: waitMsMax, interval: 50 },
  );
}
