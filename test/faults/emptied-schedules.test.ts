import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openOnPostgres, openOnRedis, type OpenedBackend } from '../support/queue/backends.ts';
import { dropQueueSchema, emptyQueueTables } from '../support/queue/lost-queue.ts';
import { startNightshift, type NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { expectedResult, openScanRun } from '../support/scans/scan-run.ts';
import { findRedisProgram, spawnRedis } from '../support/queue/test-redis.ts';
import { catalog } from '../../src/queue/catalog.ts';
import { createQueue } from '../../src/queue/connection.ts';
import { faultWaitMsMax, waitMsMax } from '../support/wait-bound.ts';

const schedules = 40;

describe('schedules tick once per tick time after the queue is emptied', () => {
  const program = findRedisProgram();
  test.skipIf(program === undefined)('by FLUSHALL on Redis', async () => {
    const redis = await spawnRedis(program ?? '');
    onTestFinished(redis.close);
    const opened = await openOnRedis(redis.url);
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const prefix = new Map(Object.entries(opened.environment)).get('NIGHTSHIFT_QUEUE_PREFIX') ?? '';
    const queue = createQueue(catalog.tick.queue, { kind: 'redis', client, prefix });
    await loseQueue(
      opened,
      () => queue.getJobSchedulersCount(),
      async () => void (await client.flushall()),
    );
  });

  test('by emptying its tables on Postgres', async () => {
    const opened = await openOnPostgres();
    await loseQueue(
      opened,
      () => countInTables(opened),
      async () => {
        expect(await emptyQueueTables(opened.database)).toBeGreaterThan(0);
      },
    );
  });

  test('by dropping its schema on Postgres and restarting the worker', async () => {
    const opened = await openOnPostgres();
    await loseQueue(
      opened,
      () => countInTables(opened),
      async (worker, environment) => {
        await dropQueueSchema(opened.database);
        await worker.stop();
        startNightshift(['work'], environment);
      },
    );
  });
});

async function countInTables({ database }: OpenedBackend): Promise<number> {
  const { rows } = await database.owner.pool.query<{ n: number }>(
    "SELECT count(*)::integer AS n FROM bullmq.scheduler WHERE queue = 'nightshift-ticks'",
  );
  return rows[0]?.n ?? 0;
}

async function loseQueue(
  opened: OpenedBackend,
  countSchedulers: () => Promise<number>,
  lose: (worker: NightshiftProcess, environment: OpenedBackend['environment']) => Promise<void>,
): Promise<void> {
  const run = await openScanRun(opened, schedules);
  const worker = startNightshift(['work'], run.environment);
  await untilAllThere(countSchedulers);
  await lose(worker, run.environment);
  await run.makeDue();
  await untilAllThere(countSchedulers);
  await run.untilScansEnd(faultWaitMsMax);
  expect(await run.readResult()).toEqual(expectedResult(schedules));
}

function untilAllThere(countSchedulers: () => Promise<number>): Promise<void> {
  return vi.waitFor(
    async () => {
      expect(await countSchedulers()).toBe(schedules);
    },
    { timeout: waitMsMax, interval: 100 },
  );
}
