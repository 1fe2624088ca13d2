import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { catalog } from '../../../src/queue/catalog.ts';
import { createQueue } from '../../../src/queue/connection.ts';
import { openRedis } from '../../../src/queue/open-redis.ts';
import { startNightshift } from '../cli/nightshift-process.ts';
import { openOnRedis, type OpenedBackend } from '../queue/backends.ts';
import type { FailingRedis, Loss } from '../queue/failing-redis.ts';
import { expectedResult, openScanRun } from '../scans/scan-run.ts';
import { spawnSourceStandIn } from '../stand-in/spawn-source-stand-in.ts';
import { faultWaitMsMax } from '../wait-bound.ts';
import { askedIn, expectBalancedAccounts, expectedAnswer, exportEveryRow, firstRows } from './batch-audit.ts';
import { companiesOf, listCompanies } from './listed-companies.ts';
import { openBatchRun, temporaryFolder } from './loaded-batch.ts';

/** Rows of a batch per failover: more than are looked up between two. */
const rowsPerFailover = 150;
const callsBetween = 30;

/** Losses of masters in turn. */
function lossOf(n: number): Loss {
  return n % 2 === 0 ? 'kill' : 'freeze';
}

/**
 * Works on a batch with two workers and loses the master again and again meanwhile. Every company is asked for once, and every row is
 * answered and charged once. The source takes no idempotency keys, so that a second call would count.
 */
export async function expectBatchOutlasts(redis: FailingRedis, failovers: number): Promise<void> {
  const rows = listCompanies(rowsPerFailover * (failovers + 1), 'failovers');
  const standIn = await spawnSourceStandIn({
    logFile: join(temporaryFolder(), 'calls.ndjson'),
    latencyMs: { min: 20, max: 200 },
  });
  onTestFinished(standIn.close);
  const opened = await openOnRedis(redis.url);
  const run = await openBatchRun(opened, {
    source: standIn,
    rows,
    settings: { NIGHTSHIFT_LEASE_SECONDS: '5', NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '30' },
  });
  run.startWorker();
  run.startWorker();
  async function untilMoreCalls(): Promise<void> {
    const before = standIn.readLog().length;
    await vi.waitUntil(() => standIn.readLog().length >= before + callsBetween, {
      timeout: faultWaitMsMax,
      interval: 50,
    });
  }
  for (let n = 0; n < failovers; n++) {
    await untilMoreCalls();
    await redis.failOver({
      prefix: prefixOf(opened),
      loss: lossOf(n),
      meanwhile: async () => {
        expect(await run.readState(), `the batch before failover ${n + 1}`).toBe('running');
      },
      // Each call takes a slot of the rate limit, which is on Redis.
      untilWorkGoesOn: untilMoreCalls,
    });
  }
  await run.untilFinished();

  const companies = companiesOf(rows);
  expect(standIn.readLog().map(askedIn).sort()).toEqual([...companies].sort());
  const answers = firstRows(run, await exportEveryRow(run));
  for (const [company, { ads_outcome }] of answers) expect(ads_outcome).toBe(expectedAnswer(company).outcome);
  await expectBalancedAccounts(run, companies.filter((company) => expectedAnswer(company).ads > 0).length);
}

/** Lets a tick become due during each failover, of another schedule each time. Each tick becomes one scan. */
export async function expectTicksOutlast(redis: FailingRedis, failovers: number): Promise<void> {
  const opened = await openOnRedis(redis.url);
  const run = await openScanRun(opened, failovers);
  const client = openRedis(redis.url, () => undefined);
  onTestFinished(() => client.disconnect());
  const queue = createQueue(catalog.tick.queue, { kind: 'redis', client, prefix: prefixOf(opened) });
  queue.on('error', () => undefined);
  onTestFinished(() => queue.close());
  startNightshift(['work'], run.environment);
  for (let n = 0; n < failovers; n++) {
    await vi.waitFor(async () => expect(await queue.getJobSchedulersCount()).toBe(failovers), {
      timeout: faultWaitMsMax,
      interval: 100,
    });
    await redis.failOver({
      prefix: prefixOf(opened),
      loss: lossOf(n),
      meanwhile: () => run.makeOneDue(n + 1),
    });
  }
  await run.untilScansEnd(faultWaitMsMax);
  expect(await run.readResult()).toEqual(expectedResult(failovers));
}

function prefixOf({ environment }: OpenedBackend): string {
  return environment['NIGHTSHIFT_QUEUE_PREFIX'] ?? '';
}
