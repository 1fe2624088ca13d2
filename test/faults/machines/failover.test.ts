import { expect, onTestFinished, test } from 'vitest';
import { openReplicatedPostgres } from '../../support/db/replicated-postgres.ts';
import { openLossRun, type LossPause } from '../../support/faults/primary-losses.ts';
import { percentileOf, recordFigures, summarizeDurations } from '../../support/faults/proof-figures.ts';
import { randomRuns, runsAll, runsFull } from '../../support/faults/random-runs.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { findRedisProgram, spawnRedis } from '../../support/queue/test-redis.ts';
import { takeSeed } from '../../support/seed.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';

const kills = runsFull ? 100 : randomRuns(10);
/** Of the batch; the kills of the primary are spread over it. */
const secondsPerKill = runsFull ? 15 : 25;
const rowsPerKill = runsFull ? 500 : 400;
const testMsMax = 120_000 + kills * 120_000;

test(
  'the queue on postgres: kills of the primary lose nothing that was acknowledged, and work goes on',
  { timeout: testMsMax },
  async () => {
    await runKills('postgres', {});
  },
);

const redis = findRedisProgram();
test.skipIf(redis === undefined || !runsAll)(
  'the queue on redis: kills of the primary lose nothing that was acknowledged, and work goes on',
  { timeout: testMsMax },
  async () => {
    const { url, close } = await spawnRedis(redis ?? '');
    onTestFinished(close);
    await runKills('redis', { REDIS_URL: url });
  },
);

async function runKills(queueName: string, queue: Environment): Promise<void> {
  const seed = takeSeed();
  const random = numbersOf(`failover|${seed}`);
  const servers = await openReplicatedPostgres('night');
  onTestFinished(servers.close);
  const rows = rowsPerKill * kills;
  const run = await openLossRun({
    ownerUrl: servers.url,
    environment: { DATABASE_URL: servers.url, ...queue },
    rows,
    seconds: secondsPerKill * kills,
    seed,
  });
  const startedAtMs = Date.now();
  const pauses: LossPause[] = [];
  for (let killed = 0; killed < kills; killed += 1) {
    await run.untilDone((killed + random(90) / 100) / kills, 20);
    const awayMs = 4000 + random(4000);
    const failOver = () => servers.failOver(awayMs);
    pauses.push(await run.outlast(`kill ${killed + 1}`, { before: servers.holdReplication, failOver }));
    await servers.repair();
  }
  const { deadLetters, starts } = await run.finish();
  const sinceLoss = pauses.map(({ sinceLossMs }) => sinceLossMs);
  recordFigures(`${kills} kills of the primary, the queue on ${queueName}`, {
    seed,
    rows,
    'first outcome after each kill': summarizeDurations(sinceLoss),
    'after each promotion': summarizeDurations(pauses.map(({ sincePromotionMs }) => sincePromotionMs)),
    'starts that counted': starts,
    'dead letters tried again': deadLetters,
    minutes: Math.round((Date.now() - startedAtMs) / 60_000),
  });
  if (runsAll) expect(percentileOf(sinceLoss, 0.99)).toBeLessThan(15_000);
}
