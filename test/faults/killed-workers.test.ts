import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eachBackend, type Backend } from '../support/queue/backends.ts';
import { listCompanies, companiesOf } from '../support/faults/listed-companies.ts';
import {
  askedIn,
  expectBalancedAccounts,
  exportEveryRow,
  firstRows,
  expectedAnswer,
} from '../support/faults/batch-audit.ts';
import { openBatchRun, temporaryFolder, type BatchRun } from '../support/faults/loaded-batch.ts';
import { randomRuns } from '../support/faults/random-runs.ts';
import { takeSeed } from '../support/seed.ts';
import { spawnSourceStandIn } from '../support/stand-in/spawn-source-stand-in.ts';
import { numbersOf } from '../support/stand-in/stand-in-ads.ts';
import { waitMsMax } from '../support/wait-bound.ts';

const kills = randomRuns(20);
/** At this rate limit, they outlast the kills even on a busy machine. */
const rowsInList = randomRuns(1800);
/** Rate limit after the last kill. */
const finalRateLimit = { NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '200' };

// storm.test.ts kills workers with an idempotent source.
eachBackend((backend) => {
  test('a source without idempotency gets no second call after an interrupted one', async () => {
    const { run, log } = await killThroughTheRun(backend);
    const answers = firstRows(run, await exportEveryRow(run));
    const sent = log.filter(({ effect }) => effect).map(askedIn);
    const inDoubt = [...answers].filter(([, { ads_reason }]) => ads_reason === 'in_doubt');
    for (const [company, row] of answers) {
      const calls = sent.filter((asked) => asked === company).length;
      if (row.ads_reason === 'in_doubt') {
        // At most: the worker may have died between the record of the call and its first byte.
        expect(calls, `calls for ${company}, which is in doubt`).toBeLessThanOrEqual(1);
        expect([row.ads_outcome, row.ads_credits_consumed]).toEqual(['failed', '0']);
      } else {
        expect(calls, `calls for ${company}`).toBe(1);
        expect([company, row.ads_outcome]).toEqual([company, expectedAnswer(company).outcome]);
      }
    }
    // Some are cut off, and only calls that were running at a kill can be.
    expect(inDoubt.length).toBeGreaterThan(0);
    expect(inDoubt.length).toBeLessThan(companiesOf(run.rows).length / 5);
    const found = [...answers.values()].filter(({ ads_outcome }) => ads_outcome === 'found');
    // At the final rate limit, with which some of the calls were made.
    await expectBalancedAccounts(
      { ...run, environment: { ...run.environment, ...finalRateLimit } },
      found.length,
    );
  });
});

/** Two workers on one batch; one of them is killed repeatedly while the other continues. */
async function killThroughTheRun(backend: Backend) {
  const seed = takeSeed();
  const standIn = await spawnSourceStandIn({
    logFile: join(temporaryFolder(), 'calls.ndjson'),
    idempotent: false,
    latencyMs: { min: 50, max: 800 },
    script: [
      { everyNth: 41, failure: { kind: 'status', status: 503 } },
      { everyNth: 97, failure: { kind: 'status', status: 429, retryAfter: '1' } },
    ],
  });
  onTestFinished(standIn.close);
  const run = await openBatchRun(await backend.open(), {
    source: standIn,
    rows: listCompanies(rowsInList, seed),
    settings: {
      NIGHTSHIFT_LEASE_SECONDS: '2',
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '15',
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'false',
    },
  });
  await killAgainAndAgain(run, seed);
  await run.untilFinished();
  return { run, log: standIn.readLog() };
}

async function killAgainAndAgain(run: BatchRun, seed: string): Promise<void> {
  const random = numbersOf(`kills|${seed}`);
  await killWhileCalling(run);
  const survivor = run.startWorker();
  for (let killed = 1; killed < kills; killed++) {
    const victim = run.startWorker();
    // Most of them are working by then, the others are starting.
    if (random(5) > 0) await victim.waitForOutput('Workers are running.');
    // Not an event to wait for: the moment must be random.
    await wait(random(1000));
    await victim.kill();
  }
  expect(await run.readState(), 'the batch after the last kill').toBe('running');
  // Before that, a signal ends the process without a handler.
  await survivor.waitForOutput('Workers are running.');
  expect((await survivor.stop()).exitCode).toBe(0);
  run.startWorker(finalRateLimit);
}

/** The first kill certainly cuts calls off: the worker is alone, with five calls in flight. */
async function killWhileCalling(run: BatchRun): Promise<void> {
  const victim = run.startWorker();
  await vi.waitUntil(async () => (await countCallsInFlight(run)) >= 5, { timeout: waitMsMax, interval: 20 });
  await victim.kill();
}

async function countCallsInFlight({ database }: BatchRun): Promise<number> {
  const { rows } = await database.owner.sql.execute<{ calls: number }>(
    sql`SELECT count(*)::int AS calls FROM nightshift.source_calls WHERE answered_at IS NULL`,
  );
  return rows[0]?.calls ?? 0;
}
