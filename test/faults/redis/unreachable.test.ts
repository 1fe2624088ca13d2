import { sql } from 'drizzle-orm';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openBatchRun } from '../../support/faults/loaded-batch.ts';
import { listCompanies } from '../../support/faults/listed-companies.ts';
import { openOnRedis } from '../../support/queue/backends.ts';
import { openSilentRelay } from '../../support/queue/silent-relay.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import type { TestDatabase } from '../../support/db/database.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === null)('a host that no longer reaches Redis (not run without Redis)', () => {
  test('hands the leader lock and its chunks to another, and still stops', async () => {
    const url = new URL(redisUrl ?? '');
    const relay = await openSilentRelay(Number(url.port));
    onTestFinished(relay.close);
    const standIn = await openSourceStandIn({ latencyMs: { min: 5, max: 20 } });
    onTestFinished(standIn.close);
    const run = await openBatchRun(await openOnRedis(url.href), {
      source: standIn,
      rows: listCompanies(150, 'cut off'),
      settings: {
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '20',
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
        NIGHTSHIFT_GRACE_SECONDS: '1',
      },
    });
    const cutOff = run.startWorker({ REDIS_URL: `redis://127.0.0.1:${relay.port}` });
    await vi.waitUntil(() => hasDispatched(run.database), { timeout: waitMsMax, interval: 20 });
    relay.silence();
    run.startWorker();
    await run.untilFinished();
    expect(cutOff.isRunning()).toBe(true);
    // Its jobs cannot be reported as done, nor others be asked for.
    const stoppedAtMs = performance.now();
    expect((await cutOff.stop()).exitCode).toBe(0);
    expect(performance.now() - stoppedAtMs).toBeLessThan(25_000);
  });
});

async function hasDispatched({ owner }: TestDatabase): Promise<boolean> {
  const chunks = await owner.sql.execute(sql`SELECT FROM nightshift.chunks WHERE state = 'running' LIMIT 1`);
  return chunks.rows.length > 0;
}
