import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ensurePrivateServer, stopPrivateServer } from '../../../src/postgres-server/index.ts';
import {
  readNightshift,
  runNightshift,
  startNightshift,
  type EndedProcess,
  type Environment,
} from '../../support/cli/nightshift-process.ts';
import { runToSuccess } from '../../support/cli/run-to-success.ts';
import {
  createEarlierData,
  earlierMajor,
  earlierPostgresUnavailableReason,
} from '../../support/db/earlier-postgres.ts';
import { createHomes, isLeftover, query } from '../../support/db/private-postgres-folders.ts';
import { askedIn } from '../../support/faults/batch-audit.ts';
import { companiesOf, listCompanies, listFile } from '../../support/faults/listed-companies.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';
import { openLoggedSource } from '../../support/faults/logged-source.ts';
import { disksUnavailableReason, moveToSmallDisk, type SmallDisk } from '../../support/faults/small-disk.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const reason = disksUnavailableReason();
const why = reason === null ? '' : ` (not run: ${reason})`;
const earlierReason = earlierPostgresUnavailableReason();
const earlierWhy = earlierReason === null ? '' : ` (not run: ${earlierReason})`;
const fills = ['fillBytes', 'fillInodes'] as const;

describe.skipIf(reason !== null)(`a disk that fills up beside the server${why}`, () => {
  test.each(fills)(
    'leaves no part of an export, and the error names the remedy: %s',
    { timeout: faultWaitMsMax },
    async (fill) => {
      const { environment } = await openHome();
      await enrichSample(environment);
      const { folder, disk } = openFolder();
      const file = join(folder, 'rows.csv');
      const write = () => run(['export', 'latest', '-o', file], environment);
      disk[fill]();
      expectRejected(await write(), 2);
      expect(readdirSync(folder)).toEqual([]);
      disk.free();
      expect((await write()).exitCode).toBe(0);
      expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1 + sampleRows);
    },
  );

  test.each(fills)(
    'and has the archive stops calls and backups with the remedy, until there is room: %s',
    { timeout: faultWaitMsMax },
    async (fill) => {
      const { environment: own } = await openHome();
      const standIn = await openLoggedSource({ min: 20, max: 100 });
      const environment = {
        ...own,
        NIGHTSHIFT_UPSTREAM_URL: standIn.url,
        NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '20',
        NIGHTSHIFT_OPENING_CREDITS: '1000',
      };
      const { folder: archive, disk } = openFolder();
      await runToSuccess(['backup', archive], environment);
      const rows = listCompanies(150, `full archive ${fill}`);
      const list = join(temporaryFolder(), 'list.csv');
      writeFileSync(list, listFile(rows));
      const { id } = (await readNightshift(['load', list, '--source', 'upstream'], environment)) as {
        id: string;
      };
      const worker = startNightshift(['work'], environment);
      onTestFinished(worker.kill);
      await vi.waitUntil(() => standIn.readLog().length >= 20, { timeout: faultWaitMsMax, interval: 20 });

      disk[fill]();
      const rejected = await run(['backup'], environment);
      expect([rejected.exitCode, rejected.stderr]).toEqual([
        1,
        expect.stringMatching(/no space left.*Free some/s),
      ]);
      await vi.waitUntil(() => /no space left/.test(worker.stderr()), {
        timeout: faultWaitMsMax,
        interval: 100,
      });
      // Calls that were recorded before are still sent.
      await delay(2000);
      const called = standIn.readLog().length;
      await delay(2000);
      expect(standIn.readLog()).toHaveLength(called);
      expect(worker.isRunning(), worker.stderr().slice(-2000)).toBe(true);

      disk.free();
      await vi.waitFor(
        async () =>
          expect(await readNightshift(['status', id], environment)).toMatchObject({ state: 'finished' }),
        { timeout: faultWaitMsMax, interval: 500 },
      );
      await worker.stop();
      const paid = standIn.readLog().filter(({ effect }) => effect);
      expect(paid.map(askedIn).sort()).toEqual([...companiesOf(rows)].sort());
      await runToSuccess(['backup'], environment);
      await runToSuccess(['backup', 'verify'], environment);
      await runToSuccess(['verify', '--full'], environment);
    },
  );

  test(
    'and has the archive gets back what a backup has written that finds no room',
    { timeout: faultWaitMsMax },
    async () => {
      const { home, environment } = await openHome();
      await enrichSample(environment);
      const { url } = await ensurePrivateServer({ home });
      await query(url('postgres'), incompressible);
      const { folder: archive, disk } = openFolder();
      await runToSuccess(['backup', archive], environment);
      const complete = listFiles(join(archive, 'backups'));
      disk.fillBytes();
      // Room for the first part of a backup.
      disk.leave(80);
      expectRejected(await run(['backup'], environment), 1);
      expect(listFiles(join(archive, 'backups'))).toEqual(complete);
      disk.free();
      await runToSuccess(['backup'], environment);
    },
  );

  test.skipIf(earlierReason !== null)(
    `keeps the data of Postgres ${earlierMajor}, and an upgrade names the remedy${earlierWhy}`,
    { timeout: faultWaitMsMax },
    async () => {
      const { home, environment } = await openHome({ isEarlier: true });
      await enrichSample(environment);
      const exported = await readRows(environment);
      await runToSuccess(['stop', '--force'], environment);
      const disk = moveToSmallDisk(home, 3000);
      onTestFinished(async () => {
        await stopPrivateServer({ home, force: true });
        disk.close();
      });
      const expectKept = async () => {
        disk.free();
        expect(await readRows(environment)).toBe(exported);
        await runToSuccess(['stop', '--force'], environment);
      };

      disk.fillBytes();
      expectRejected(await run(['upgrade'], environment), 2);
      await expectKept();

      const upgrading = startNightshift(['upgrade'], environment);
      const hasBegun = () => readdirSync(home).some(isLeftover);
      await vi.waitUntil(hasBegun, { timeout: faultWaitMsMax, interval: 5 });
      // Filling takes seconds, as an upgrade does.
      process.kill(upgrading.pid, 'SIGSTOP');
      disk.fillBytes();
      process.kill(upgrading.pid, 'SIGCONT');
      expectRejected(await upgrading.ended, 5);
      await expectKept();

      await runToSuccess(['upgrade'], environment);
      expect(await readRows(environment)).toBe(exported);
      await runToSuccess(['verify', '--full'], environment);
    },
  );
});

const sampleRows = 40;

/** Makes a table of 100 MB that no compression makes smaller: a backup has two parts. */
const incompressible = `
  CREATE TABLE public.noise AS
  SELECT n, string_agg(sha512((n || '-' || part)::bytea), '') AS content
  FROM generate_series(1, 12800) n, generate_series(1, 128) part GROUP BY n`;

async function openHome({ isEarlier = false } = {}) {
  const homes = createHomes();
  onTestFinished(homes.clear);
  const home = await homes.make();
  if (isEarlier) await createEarlierData(home);
  return { home, environment: { NIGHTSHIFT_HOME: home } };
}

/** An empty folder on a small disk. */
function openFolder(): { readonly folder: string; readonly disk: SmallDisk } {
  const folder = join(temporaryFolder(), 'folder');
  mkdirSync(folder);
  const disk = moveToSmallDisk(folder);
  onTestFinished(disk.close);
  return { folder, disk };
}

function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

async function enrichSample(environment: Environment): Promise<void> {
  const list = join(temporaryFolder(), 'list.csv');
  writeFileSync(list, listFile(listCompanies(sampleRows, 'full folders')));
  await runToSuccess(['enrich', list, '--source', 'sample', '-o', `${list}.out.csv`], environment);
}

async function readRows(environment: Environment): Promise<string> {
  const file = join(temporaryFolder(), 'rows.csv');
  await runToSuccess(['export', 'latest', '-o', file], environment);
  return readFileSync(file, 'utf8');
}

/** The command failed for want of room, and names the remedy. */
function expectRejected({ exitCode, stderr }: EndedProcess, expected: number): void {
  expect([exitCode, stderr]).toEqual([expected, expect.stringMatching(/no space (is )?left|free space/i)]);
  expect(stderr).toMatch(/Free some/);
}

const run = (args: readonly string[], environment: Environment) =>
  runNightshift(args, environment, { timeoutMs: faultWaitMsMax });
