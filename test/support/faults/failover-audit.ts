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
import { recordFigures } from './proof-figures.ts';

/** Rows of a batch per failover: more than are looked up between two. */
const rowsPerFailover = 150;
const callsBetween = 30;

/** A Redis whose master is lost again and again. */
interface FailoverRun {
  readonly redis: FailingRedis;
  /** Kind of it, for the figures. */
  readonly name: string;
  readonly failovers: number;
}

/** Losses of masters in turn. */
function lossOf(n: number): Loss {
  return n % 2 === 0 ? 'kill' : 'freeze';
}

/**
 * Works on a batch with two workers and loses the master again and again meanwhile. Every company is asked for once, and every row is
 * answered and charged once. The source takes no idempotency keys, so that a second call would count.
 */
export async function expectBatchOutlasts({ redis, name, failovers }: FailoverRun): Promise<void> {
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
  const pausesS: number[] = [];
  for (let n = 0; n < failovers; n++) {
    await untilMoreCalls();
    const lostMs = performance.now();
    await redis.failOver({
      prefix: prefixOf(opened),
      loss: lossOf(n),
      meanwhile: async () => {
        expect(await run.readState(), `the batch before failover ${n + 1}`).toBe('running');
      },
      // Each call takes a slot of the rate limit, which is on Redis.
      untilWorkGoesOn: async () => {
        await untilMoreCalls();
        pausesS.push((performance.now() - lostMs) / 1000);
      },
    });
  }
  await run.untilFinished();

  const companies = companiesOf(rows);
  expect(standIn.readLog().map(askedIn).sort()).toEqual([...companies].sort());
  const answers = firstRows(run, await exportEveryRow(run));
  for (const [company, { ads_outcome }] of answers) expect(ads_outcome).toBe(expectedAnswer(company).outcome);
  await expectBalancedAccounts(run, companies.filter((company) => expectedAnswer(company).ads > 0).length);
  recordFigures(`a batch on ${name}`, {
    failovers,
    rows: rows.length,
    'called twice': 0,
    [`longest time from a loss to ${callsBetween} more calls`]: `${Math.max(...pausesS).toFixed(1)} s`,
  });
}

/** Lets a tick become due during each failover, of another schedule each time. Each tick becomes one scan. */
export async function expectTicksOutlast({ redis, name, failovers }: FailoverRun): Promise<void> {
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
  recordFigures(`ticks on ${name}`, { failovers, scans: failovers });
}

function prefixOf({ environment }: OpenedBackend): string {
  return environment['NIGHTSHIFT_QUEUE_PREFIX'] ?? '';
}
