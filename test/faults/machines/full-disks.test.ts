import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ensurePrivateServer, stopPrivateServer } from '../../../src/postgres-server/index.ts';
import { readNightshift, runNightshift, type Environment } from '../../support/cli/nightshift-process.ts';
import { openTestPools } from '../../support/db/database.ts';
import { connect, createHomes } from '../../support/db/private-postgres-folders.ts';
import { listCompanies, listFile } from '../../support/faults/listed-companies.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';
import { runsAll } from '../../support/faults/random-runs.ts';
import { openSlowRun } from '../../support/faults/slow-run.ts';
import { disksUnavailableReason, moveToSmallDisk, type SmallDisk } from '../../support/faults/small-disk.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const rows = listCompanies(runsAll ? 1_000 : 200, 'full-disks');
const reason = disksUnavailableReason();
const why = reason === null ? '' : ` (not run: ${reason})`;

interface FullServer {
  readonly environment: Environment;
  /** URL of a superuser. */
  readonly url: string;
}

interface FullDisk {
  readonly what: string;
  /** Folder of the data that is on the small disk. */
  readonly folder: string;
  readonly fill: 'fillBytes' | 'fillInodes';
  /** Makes a command fail for want of room, and returns what it says. */
  readonly fail: (server: FullServer) => Promise<string>;
}

describe.skipIf(reason !== null)(`a private server whose disk fills up${why}`, () => {
  test.each<FullDisk>([
    { what: 'space for its data', folder: 'base', fill: 'fillBytes', fail: failToLoad },
    { what: 'inodes for its WAL', folder: 'pg_wal', fill: 'fillInodes', fail: failToStart },
    { what: 'space for its WAL', folder: 'pg_wal', fill: 'fillBytes', fail: failToStart },
  ])(
    'without $what: commands name the remedy, nothing is lost, and work goes on when there is room',
    async ({ folder, fill, fail }) => {
      const { run, untilCalls, audit, disk, environment, url } = await openOnSmallDisk(folder);
      const worker = run.startWorker();
      await untilCalls(20);
      disk[fill]();
      const reported = await fail({ environment, url });
      expect(reported).toMatch(/no space|No space/);
      expect(reported).toMatch(/Free some/);
      expect(worker.isRunning(), worker.stderr().slice(-2000)).toBe(true);

      disk.free();
      // The first command starts the private server, if the full disk has stopped it.
      await vi.waitFor(async () => expect((await runNightshift(['status'], environment)).exitCode).toBe(0), {
        timeout: faultWaitMsMax,
        interval: 1000,
      });
      await run.untilFinished();
      expect((await worker.stop()).exitCode).toBe(0);
      await audit();
    },
  );
});

/** A batch on a private server, a folder of whose data is on a disk of its own. */
async function openOnSmallDisk(folder: string) {
  const homes = createHomes();
  onTestFinished(homes.clear);
  const home = await homes.make();
  const environment = { NIGHTSHIFT_HOME: home };
  await readNightshift(['migrate'], environment, { timeoutMs: faultWaitMsMax });
  const { dataFolder } = await ensurePrivateServer({ home });
  await stopPrivateServer({ home, force: true });
  const disk: SmallDisk = moveToSmallDisk(join(dataFolder, folder));
  onTestFinished(async () => {
    disk.free();
    await stopPrivateServer({ home, force: true });
    disk.close();
  });
  const server = await ensurePrivateServer({ home });
  const database = openTestPools(server.url('postgres', 'nightshift'));
  onTestFinished(database.close);
  const slow = await openSlowRun({ database, environment }, rows);
  return { ...slow, disk, environment: slow.run.environment, url: server.url('postgres', 'nightshift') };
}

/** Loads a file that finds no room. Returns what the command says. */
async function failToLoad({ environment }: FullServer): Promise<string> {
  const file = join(temporaryFolder(), 'more.csv');
  writeFileSync(file, listFile(listCompanies(20_000, 'more')));
  const options = { timeoutMs: faultWaitMsMax };
  const { exitCode, stderr } = await runNightshift(
    ['load', file, '--source', 'sample'],
    environment,
    options,
  );
  expect(exitCode, stderr).not.toBe(0);
  return stderr;
}

/** Makes the server begin files of WAL until there is no room for another one, which stops it. Returns what the next command says. */
async function failToStart({ environment, url }: FullServer): Promise<string> {
  const write = `SELECT pg_logical_emit_message(false, 'test', repeat('x', 1000)), pg_switch_wal()`;
  const client = await connect(url);
  const writeAll = async () => {
    for (let n = 0; n < 200; n += 1) await client.query(write);
  };
  await expect(writeAll()).rejects.toThrow();
  const { exitCode, stderr } = await runNightshift(['status'], environment, { timeoutMs: faultWaitMsMax });
  expect(exitCode, stderr).not.toBe(0);
  return stderr;
}
