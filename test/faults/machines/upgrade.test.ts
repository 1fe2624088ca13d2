import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { failpoints, type Failpoint } from '../../../src/core/failpoint.ts';
import { stopPrivateServer } from '../../../src/postgres-server/index.ts';
import { readState } from '../../../src/postgres-server/state.ts';
import {
  readNightshift,
  runNightshift,
  startNightshift,
  type EndedProcess,
  type Environment,
} from '../../support/cli/nightshift-process.ts';
import { runToSuccess } from '../../support/cli/run-to-success.ts';
import { useCrashingNightshift } from '../../support/crash/crashing-nightshift.ts';
import {
  createEarlierData,
  earlierMajor,
  earlierPostgresUnavailableReason,
  linkFetched,
} from '../../support/db/earlier-postgres.ts';
import { createHomes, isLeftover } from '../../support/db/private-postgres-folders.ts';
import { askedIn, exportEveryRow, firstRows } from '../../support/faults/batch-audit.ts';
import { companiesOf, listCompanies, listFile } from '../../support/faults/listed-companies.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';
import { openLoggedSource } from '../../support/faults/logged-source.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { randomRuns, runsAll } from '../../support/faults/random-runs.ts';
import { takeSeed } from '../../support/seed.ts';
import type { SpawnedStandIn } from '../../support/stand-in/spawn-source-stand-in.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const reason = earlierPostgresUnavailableReason();
const rowsEach = 300;
const testMsMax = 1_800_000;
const crashing = useCrashingNightshift();
const keptHomes = createHomes();
afterAll(() => keptHomes.clear());

describe.skipIf(reason !== null && process.env['CI'] !== 'true')(
  `an upgrade from Postgres ${earlierMajor}${reason === null ? '' : ` (not run: ${reason})`}`,
  () => {
    const runs = randomRuns(10);

    test(
      `finishes ${runs} batches that were half done, with equal exports of finished ones`,
      { timeout: testMsMax },
      async () => {
        const random = numbersOf(takeSeed());
        const seconds: number[] = [];
        for (let run = 0; run < runs; run += 1) seconds.push(await upgradeHalfDone(random));
        recordFigures(`upgrades from Postgres ${earlierMajor} in mid-batch`, {
          upgrades: runs,
          rows: runs * rowsEach,
          'companies paid for twice': 0,
          'longest upgrade in s': Math.max(...seconds).toFixed(1),
        });
      },
    );

    test(
      'that is killed between its steps leaves the one or the other, and is completed by the next',
      { timeout: testMsMax },
      async () => {
        const points = failpoints.upgrade;
        const one = points[numbersOf(takeSeed())(points.length)] ?? 'upgrade:renamed';
        for (const point of runsAll ? points : new Set([one, 'upgrade:renamed'] as const))
          await killBetween(point);
      },
    );

    const kills = randomRuns(20);

    test(
      `that is killed ${kills} times at random moments loses nothing`,
      { timeout: testMsMax },
      async () => {
        const random = numbersOf(takeSeed());
        const { environment, home, exported } = await copyFinished();
        const ms = await measureUpgrade();
        for (let kill = 0; kill < kills; kill += 1) {
          const upgrading = startNightshift(['upgrade'], environment);
          await delay(random(ms));
          await upgrading.kill();
          if (random(2) === 0) {
            expect(await exportLatest(environment)).toEqual(exported);
            await stopPrivateServer({ home, force: true });
          }
        }
        await expectUpgraded(environment, home, exported);
        recordFigures('upgrades that are killed at random moments', { kills, lost: 0 });
      },
    );

    test(
      'is undone by --back-out, also when that is killed, but not without --force after changes',
      { timeout: testMsMax },
      async () => {
        const { environment, home, exported } = await copyFinished();
        await runToSuccess(['upgrade'], environment);
        await killAt(failpoints.backOut[0], ['upgrade', '--back-out'], environment);
        expect(await exportLatest(environment)).toEqual(exported);
        await runToSuccess(['stop'], environment);
        const refused = await run(['upgrade', '--back-out'], environment);
        expect([refused.exitCode, refused.stderr]).toEqual([
          2,
          expect.stringContaining('from before an upgrade'),
        ]);

        const again = await copyFinished();
        await runToSuccess(['upgrade'], again.environment);
        await runToSuccess(['credits', 'grant', '5', '--reason', 'more'], again.environment);
        await runToSuccess(['stop'], again.environment);
        const changed = await run(['upgrade', '--back-out'], again.environment);
        expect([changed.exitCode, changed.stderr]).toEqual([2, expect.stringContaining('Use --force')]);
        await runToSuccess(['upgrade', '--back-out', '--force'], again.environment);
        expect(await exportLatest(again.environment)).toEqual(again.exported);
        expect((await readState(again.home))?.dataFolder).toBe(join(again.home, `postgres-${earlierMajor}`));
        await runToSuccess(['stop'], again.environment);
        expect(home).not.toBe(again.home);
      },
    );

    test(
      'continues the archive: backups of both versions can be restored, and the older one upgraded again',
      { timeout: testMsMax },
      async () => {
        const archive = temporaryFolder();
        onTestFinished(() => rmSync(archive, { recursive: true, force: true }));
        const { environment, exported } = await copyFinished();
        const older = (await readNightshift(['backup', archive, '--every', '1d'], environment)) as {
          readonly backup: { readonly id: string };
        };
        // The upgrade carries it to the archive.
        await runToSuccess(['credits', 'grant', '7', '--reason', 'after the backup'], environment);
        const balance = await readBalance(environment);
        await runToSuccess(['upgrade'], environment);
        await runToSuccess(['credits', 'grant', '5', '--reason', 'after the upgrade'], environment);
        await runToSuccess(['backup', archive], environment);
        await runToSuccess(['stop', '--force'], environment);

        const newest = await restoreTo(archive, []);
        expect(await exportLatest(newest.environment)).toEqual(exported);
        expect(await readBalance(newest.environment)).toBe(balance + 5);
        await runToSuccess(['verify', '--full'], newest.environment);

        const earlier = await restoreTo(archive, ['--backup', older.backup.id]);
        expect(await exportLatest(earlier.environment)).toEqual(exported);
        expect((await readState(earlier.home))?.dataFolder).toBe(
          join(earlier.home, `postgres-${earlierMajor}`),
        );
        await runToSuccess(['stop', '--force'], earlier.environment);
        await expectUpgraded(earlier.environment, earlier.home, exported);
        expect(await readBalance(earlier.environment)).toBe(balance);
        await runToSuccess(['stop', '--force'], earlier.environment);

        // Without a backup after the way back, the newest state would be that of the upgraded server.
        await runToSuccess(['upgrade', '--back-out', '--force'], environment);
        const worker = startNightshift(['work'], environment);
        await vi.waitUntil(async () => (await listBackups(archive, environment)).length === 3, {
          timeout: faultWaitMsMax,
          interval: 500,
        });
        await worker.stop();
        await runToSuccess(['stop', '--force'], environment);
        expect(await readBalance((await restoreTo(archive, [])).environment)).toBe(balance);
      },
    );
  },
);

async function killBetween(point: Failpoint): Promise<void> {
  const { environment, home, exported } = await copyFinished();
  await killAt(point, ['upgrade'], environment);
  // What starts now finds everything.
  expect(await exportLatest(environment)).toEqual(exported);
  const { dataFolder } = (await readState(home)) ?? { dataFolder: '' };
  expect([point, dataFolder.endsWith(`-${earlierMajor}`)]).toEqual([point, point !== 'upgrade:switched']);
  await runToSuccess(['stop'], environment);
  await expectUpgraded(environment, home, exported);
}

interface FinishedHome {
  readonly home: string;
  readonly environment: Environment;
  /** Bytes of the exports of its batch. */
  readonly exported: readonly string[];
}

let finished: Promise<FinishedHome> | undefined;

/** A copy of a home of Postgres 17 with a finished batch. */
async function copyFinished(): Promise<FinishedHome> {
  finished ??= makeFinished();
  const { home, exported } = await finished;
  const homes = createHomes();
  onTestFinished(homes.clear);
  const copy = await homes.copy(home);
  return { home: copy, environment: { NIGHTSHIFT_HOME: copy }, exported };
}

async function makeFinished(): Promise<FinishedHome> {
  const home = await keptHomes.make();
  await createEarlierData(home);
  const environment = { NIGHTSHIFT_HOME: home };
  const folder = temporaryFolder();
  const rows = listCompanies(40, 'finished');
  writeFileSync(join(folder, 'list.csv'), listFile(rows));
  const args = ['enrich', join(folder, 'list.csv'), '--source', 'sample', '-o', join(folder, 'out.csv')];
  await runToSuccess(args, environment);
  const exported = await exportLatest(environment);
  await runToSuccess(['stop', '--force'], environment);
  return { home, environment, exported };
}

/** Restores into an empty home, which finds the programs of Postgres 17. */
async function restoreTo(archive: string, args: readonly string[]): Promise<Omit<FinishedHome, 'exported'>> {
  const homes = createHomes();
  onTestFinished(homes.clear);
  const home = await homes.make();
  linkFetched(home);
  const environment = { NIGHTSHIFT_HOME: home };
  await runToSuccess(['restore', archive, ...args], environment);
  return { home, environment };
}

async function listBackups(archive: string, environment: Environment): Promise<readonly unknown[]> {
  const listed = await readNightshift(['backup', 'list', archive], environment);
  return (listed as { readonly backups: readonly unknown[] }).backups;
}

async function readBalance(environment: Environment): Promise<number> {
  return ((await readNightshift(['credits'], environment)) as { readonly balance: number }).balance;
}

/** The batch in two formats. */
async function exportLatest(environment: Environment): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const files = [];
  for (const name of ['rows.csv', 'rows.ndjson']) {
    await runToSuccess(['export', 'latest', '-o', join(folder, name)], environment);
    files.push(readFileSync(join(folder, name), 'utf8'));
  }
  return files;
}

async function expectUpgraded(
  environment: Environment,
  home: string,
  exported: readonly string[],
): Promise<void> {
  await runToSuccess(['upgrade'], environment);
  expect((await run(['upgrade'], environment)).stdout).toMatch(/^The server already runs Postgres \d+\.$/m);
  expect((await readState(home))?.dataFolder).not.toContain(`postgres-${earlierMajor}`);
  expect(readdirSync(home).filter(isLeftover)).toEqual([]);
  expect(await exportLatest(environment)).toEqual(exported);
  await runToSuccess(['verify', '--full'], environment);
  await runToSuccess(['stop'], environment);
}

async function measureUpgrade(): Promise<number> {
  const { environment } = await copyFinished();
  const startedMs = performance.now();
  await runToSuccess(['upgrade'], environment);
  return performance.now() - startedMs;
}

async function killAt(point: Failpoint, args: readonly string[], environment: Environment): Promise<void> {
  const { signal, stderr } = await crashing.run(args, { environment, folder: temporaryFolder(), point });
  expect([signal, stderr]).toEqual(['SIGKILL', expect.any(String)]);
}

/** Upgrades while a batch is half done, and returns the seconds of it. */
async function upgradeHalfDone(random: (below: number) => number): Promise<number> {
  const standIn = await openLoggedSource({ min: 20, max: 300 });
  const { home, environment: sample, exported } = await copyFinished();
  const environment = {
    ...sample,
    NIGHTSHIFT_UPSTREAM_URL: standIn.url,
    NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
    NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '40',
  };
  const rows = listCompanies(rowsEach, home);
  const finishedBatch = await latestBatch(environment);
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, listFile(rows));
  await runToSuccess(['credits', 'grant', '1000', '--reason', 'more'], environment);
  const args = ['load', file, '--source', 'upstream'];
  const { id: batch } = (await readNightshift(args, environment)) as { id: string };
  const worker = startNightshift(['work'], environment);
  await vi.waitUntil(() => standIn.readLog().length > 20 + random(120), {
    timeout: faultWaitMsMax,
    interval: 20,
  });
  const inUse = await run(['upgrade'], environment);
  expect([inUse.exitCode, inUse.stderr]).toEqual([2, expect.stringContaining('Stop `')]);
  if (random(2) === 0) await worker.stop();
  else await worker.kill();

  const startedMs = performance.now();
  await runToSuccess(['upgrade'], environment);
  const seconds = (performance.now() - startedMs) / 1000;
  expect(await exportBatch(finishedBatch, environment)).toBe(exported[0]);
  const second = startNightshift(['work'], environment);
  await untilFinished(batch, environment);
  await second.stop();
  await expectPaidOnce({ batch, environment, rows }, standIn);
  await runToSuccess(['verify', '--full'], environment);
  return seconds;
}

async function latestBatch(environment: Environment): Promise<string> {
  return ((await readNightshift(['status', 'latest'], environment)) as { id: string }).id;
}

async function exportBatch(batch: string, environment: Environment): Promise<string> {
  const file = join(temporaryFolder(), 'rows.csv');
  await runToSuccess(['export', batch, '-o', file], environment);
  return readFileSync(file, 'utf8');
}

async function untilFinished(batch: string, environment: Environment): Promise<void> {
  await vi.waitFor(
    async () => {
      const { state } = (await readNightshift(['status', batch], environment)) as { state: string };
      if (state !== 'finished') throw new Error(`The batch is ${state}.`);
    },
    { timeout: faultWaitMsMax, interval: 500 },
  );
}

/** By the log of the source. */
async function expectPaidOnce(
  exported: Parameters<typeof exportEveryRow>[0],
  standIn: SpawnedStandIn,
): Promise<void> {
  const answers = firstRows(exported, await exportEveryRow(exported));
  const paid = standIn.readLog().filter(({ effect }) => effect);
  expect(paid.map(askedIn).sort()).toEqual([...companiesOf(exported.rows)].sort());
  expect([...answers.values()].filter(({ ads_reason }) => ads_reason !== '')).toEqual([]);
}

function run(args: readonly string[], environment: Environment): Promise<EndedProcess> {
  return runNightshift(args, environment, { timeoutMs: faultWaitMsMax });
}
