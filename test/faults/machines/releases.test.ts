import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import {
  readNightshift,
  runNightshift,
  startNightshift,
  type Environment,
} from '../../support/cli/nightshift-process.ts';
import { createEmptyDatabase, openTestPools } from '../../support/db/database.ts';
import { expectNothingLostOrBoughtTwice } from '../../support/faults/batch-audit.ts';
import {
  buildEarlierRelease,
  earlierReleaseUnavailableReason,
} from '../../support/faults/earlier-release.ts';
import { companiesOf, listCompanies, listFile } from '../../support/faults/listed-companies.ts';
import { temporaryFolder, type BatchRun } from '../../support/faults/loaded-batch.ts';
import { openLoggedSource } from '../../support/faults/logged-source.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { takeSeed } from '../../support/seed.ts';
import type { SpawnedStandIn } from '../../support/stand-in/spawn-source-stand-in.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const runs = randomRuns(10);
const rowsEach = 300;
/** Commands that one batch must outlast, as long as the first one. */
const commandsMax = 16;
const testMsMax = 120_000 + runs * 600_000;
const grants = 10_000;
const reason = earlierReleaseUnavailableReason();

describe.skipIf(reason !== null)(
  `the release before this one${reason === null ? '' : ` (not run: ${reason})`}`,
  () => {
    test(
      `${runs} batches that it has begun are finished by this one, with both at work (queue on postgres)`,
      { timeout: testMsMax },
      async () => {
        await finishBatches('postgres', () => ({}));
      },
    );

    const redisUrl = inject('redisUrl');
    test.skipIf(redisUrl === null)(
      `${runs} batches that it has begun are finished by this one, with both at work (queue on redis)`,
      { timeout: testMsMax },
      async () => {
        await finishBatches('redis', () => ({
          REDIS_URL: redisUrl ?? '',
          NIGHTSHIFT_QUEUE_PREFIX: `{test-${randomBytes(6).toString('hex')}}`,
        }));
      },
    );

    test('this release exports what it has exported', { timeout: testMsMax }, async () => {
      const earlier = { program: buildEarlierRelease(), timeoutMs: faultWaitMsMax };
      const environment = { DATABASE_URL: await createEmptyDatabase() };
      await runNightshift(['migrate'], environment, earlier);
      const file = join(temporaryFolder(), 'list.csv');
      writeFileSync(file, listFile(listCompanies(60, 'exported')));
      const enriched = await runNightshift(['enrich', file, '--source', 'sample'], environment, earlier);
      expect(enriched.exitCode, enriched.stderr).toBe(0);
      const { batches } = (await readNightshift(['status'], environment, earlier)) as {
        batches: readonly { id: string }[];
      };
      const [batch] = batches;
      const before = await exportRows(batch?.id ?? '', environment, earlier);
      expect(before.length).toBeGreaterThan(50);
      await runNightshift(['migrate'], environment, { timeoutMs: faultWaitMsMax });
      const columns = Object.keys(before[0] ?? {});
      const after = await exportRows(batch?.id ?? '', environment, {});
      expect(after.map((row) => columns.map((column) => row[column]))).toEqual(
        before.map((row) => columns.map((column) => row[column])),
      );
    });
  },
);

/** Rows of an export, with all columns that the release writes. */
async function exportRows(
  batch: string,
  environment: Environment,
  release: object,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const file = join(temporaryFolder(), 'export.csv');
  const options = { timeoutMs: faultWaitMsMax, ...release };
  const exported = await runNightshift(['export', batch, '-o', file], environment, options);
  expect(exported.exitCode, exported.stderr).toBe(0);
  return parse(readFileSync(file), { columns: true, bom: true });
}

async function finishBatches(queue: 'postgres' | 'redis', openQueue: () => Environment): Promise<void> {
  const earlier = { program: buildEarlierRelease() };
  const random = numbersOf(takeSeed());
  const byEarlier: number[] = [];
  for (let run = 0; run < runs; run += 1) byEarlier.push(await finishBatch(openQueue(), earlier, random));
  recordFigures(`batches begun by the release before, queue on ${queue}`, {
    batches: runs,
    rows: runs * rowsEach,
    'calls of its worker on the new schema': byEarlier.reduce((sum, calls) => sum + calls, 0),
    'companies paid for twice': 0,
  });
}

/** Returns the number of calls that the earlier release made alone on the schema of this one. */
async function finishBatch(
  queue: Environment,
  earlier: { readonly program: string },
  random: (below: number) => number,
): Promise<number> {
  const standIn = await openLoggedSource({ min: 20, max: 300 });
  const run = await loadWith(earlier, standIn, queue);
  const { environment } = run;
  const old = startNightshift(['work'], environment, earlier);
  await untilMoreCalls(standIn, 10 + random(40));

  const migrated = await runNightshift(['migrate'], environment, { timeoutMs: faultWaitMsMax });
  expect([migrated.exitCode, migrated.stderr, migrated.stdout]).toEqual([
    0,
    expect.any(String),
    expect.stringMatching(/^Applied \d+ of \d+/),
  ]);
  // In flight at that moment, and afterwards.
  const before = standIn.readLog().length;
  await untilMoreCalls(standIn, 20 + random(20));
  const byEarlier = standIn.readLog().length - before;
  await expectRefused(environment, earlier);

  const worker = startNightshift(['work'], environment);
  await worker.waitForOutput('Workers are running.');
  await untilMoreCalls(standIn, 10 + random(20));
  expect(old.isRunning(), old.stderr()).toBe(true);
  if (random(2) === 0) expect((await old.stop()).exitCode).toBe(0);
  else await old.kill();
  await untilFinished(run);
  await worker.stop();
  await expectNothingLostOrBoughtTwice(run, { log: standIn.readLog(), deadLetters: [] });
  const verified = await runNightshift(['verify', '--full'], environment, { timeoutMs: faultWaitMsMax });
  expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining('invariants hold')]);
  return byEarlier;
}

/** Creates a database with the schema of a release, and loads a batch with it. */
async function loadWith(
  release: { readonly program: string },
  { url, key }: SpawnedStandIn,
  queue: Environment,
): Promise<BatchRun> {
  const databaseUrl = await createEmptyDatabase();
  const environment = {
    DATABASE_URL: databaseUrl,
    NIGHTSHIFT_UPSTREAM_URL: url,
    NIGHTSHIFT_UPSTREAM_KEY: key,
    // A repeated call is recognised, so a killed worker leaves none in doubt.
    NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    NIGHTSHIFT_OPENING_CREDITS: String(grants),
    ...queue,
  };
  const migrated = await runNightshift(['migrate'], environment, { ...release, timeoutMs: faultWaitMsMax });
  expect(migrated.exitCode, migrated.stderr).toBe(0);
  const rows = listCompanies(rowsEach, databaseUrl);
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, listFile(rows));
  const startedMs = performance.now();
  const { id: batch } = (await readNightshift(['load', file], environment, {
    ...release,
    timeoutMs: faultWaitMsMax,
  })) as { id: string };
  const seconds = (performance.now() - startedMs) / 1000;
  const database = openTestPools(databaseUrl);
  onTestFinished(database.close);
  expect(companiesOf(rows).length).toBeGreaterThan(200);
  // It lasts longer than the commands of the test, however slow the machine is.
  const perSecond = Math.min(8, Math.max(1, Math.floor(rowsEach / (commandsMax * seconds))));
  return {
    batch,
    environment: { ...environment, NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(perSecond) },
    database,
    rows,
    grants,
    startWorker: () => startNightshift(['work'], environment),
    readState: async () => {
      const options = { timeoutMs: faultWaitMsMax };
      const status = await readNightshift(['status', batch], environment, options);
      return (status as { state: string }).state;
    },
    untilFinished: () => Promise.reject(new Error('This run waits by itself.')),
  };
}

async function untilMoreCalls(standIn: SpawnedStandIn, count: number): Promise<void> {
  const before = standIn.readLog().length;
  await vi.waitUntil(() => standIn.readLog().length >= before + count, {
    timeout: faultWaitMsMax,
    interval: 20,
  });
}

async function untilFinished({ readState }: BatchRun): Promise<void> {
  await vi.waitFor(
    async () => {
      const state = await readState();
      if (state !== 'finished') throw new Error(`The batch is ${state}.`);
    },
    { timeout: faultWaitMsMax, interval: 500 },
  );
}

/** What runs goes on; what starts says that a newer release has migrated. */
async function expectRefused(environment: Environment, earlier: { readonly program: string }): Promise<void> {
  const { exitCode, stderr } = await runNightshift(['status'], environment, {
    ...earlier,
    timeoutMs: faultWaitMsMax,
  });
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('Run the version that made it, or a newer one'),
  ]);
}
