import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openOnPostgres, openOnRedis, type OpenedBackend } from '../support/queue/backends.ts';
import { companiesOf, listCompanies } from '../support/faults/listed-companies.ts';
import { dropQueueSchema, emptyQueueTables } from '../support/queue/lost-queue.ts';
import {
  askedIn,
  expectBalancedAccounts,
  exportEveryRow,
  firstRows,
  expectedAnswer,
} from '../support/faults/batch-audit.ts';
import { waitMsMax } from '../support/wait-bound.ts';
import type { NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { openBatchRun, temporaryFolder, type BatchRun } from '../support/faults/loaded-batch.ts';
import { spawnSourceStandIn } from '../support/stand-in/spawn-source-stand-in.ts';
import { findRedisProgram, spawnRedis } from '../support/queue/test-redis.ts';

/** A batch with more chunks than one worker takes at a time, so that the queue is not empty. */
const rows = listCompanies(900, 'emptied');

describe('queue that is emptied during a batch only delays it', () => {
  const program = findRedisProgram();
  test.skipIf(program === undefined)('by FLUSHALL on Redis', async () => {
    const redis = await spawnRedis(program ?? '');
    onTestFinished(redis.close);
    await loseQueue(await openOnRedis(redis.url), async () => {
      const client = new Redis(redis.url);
      expect(await client.dbsize()).toBeGreaterThan(0);
      await client.flushall();
      client.disconnect();
    });
  });

  test('by emptying its tables on Postgres', async () => {
    const opened = await openOnPostgres();
    await loseQueue(opened, async () => {
      expect(await emptyQueueTables(opened.database)).toBeGreaterThan(0);
    });
  });

  test('by dropping its schema on Postgres and restarting the worker', async () => {
    const opened = await openOnPostgres();
    await loseQueue(opened, async (run, worker) => {
      await dropQueueSchema(opened.database);
      await worker.stop();
      run.startWorker();
    });
  });
});

/** Processes the batch, empties the queue after a hundred calls while the source pauses, and checks the result. */
async function loseQueue(
  opened: OpenedBackend,
  lose: (run: BatchRun, worker: NightshiftProcess) => Promise<void>,
): Promise<void> {
  const standIn = await spawnSourceStandIn({
    logFile: join(temporaryFolder(), 'calls.ndjson'),
    latencyMs: { min: 20, max: 200 },
  });
  onTestFinished(standIn.close);
  const run = await openBatchRun(opened, {
    source: standIn,
    rows,
    settings: {
      NIGHTSHIFT_LEASE_SECONDS: '2',
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '80',
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    },
  });
  const worker = run.startWorker();
  await vi.waitUntil(() => standIn.readLog().length >= 100, { timeout: waitMsMax, interval: 50 });
  // The worker holds its chunks meanwhile, and the dispatcher queues the others.
  standIn.pause();
  await expect
    .poll(() => countQueued(run), { message: 'chunks in the queue when it is lost' })
    .toBeGreaterThan(5);
  await lose(run, worker);
  standIn.resume();
  await run.untilFinished();

  const companies = companiesOf(rows);
  const bought = standIn.readLog().filter(({ effect }) => effect);
  expect(bought.map(askedIn).sort()).toEqual([...companies].sort());
  const answers = firstRows(run, await exportEveryRow(run));
  for (const [company, { ads_outcome }] of answers) expect(ads_outcome).toBe(expectedAnswer(company).outcome);
  await expectBalancedAccounts(run, companies.filter((company) => expectedAnswer(company).ads > 0).length);
}

async function countQueued({ database }: BatchRun): Promise<number> {
  const counted = await database.owner.sql.execute<{ queued: number }>(
    sql`SELECT count(*)::integer AS queued FROM nightshift.chunks WHERE state = 'queued' AND queued_at IS NOT NULL`,
  );
  return counted.rows[0]?.queued ?? 0;
}
