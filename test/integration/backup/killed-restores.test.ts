import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { failpoints, type Failpoint } from '../../../src/core/failpoint.ts';
import { ensurePrivateServer, stopPrivateServer } from '../../../src/postgres-server/index.ts';
import { readProcessArguments } from '../../../src/postgres-server/system/process-arguments.ts';
import { createArchivedServer, type ArchivedServer } from '../../support/storage/archived-server.ts';
import { createHomes, isLeftover, spawnChild } from '../../support/db/private-postgres-folders.ts';

let archived: ArchivedServer;
/** A home with older data, whose server does not run. */
let older: string;

beforeAll(async () => {
  archived = await createArchivedServer();
  older = await archived.homes.make();
  await archived.restore({ home: older });
  await archived.addNote(2);
  await archived.ship();
});

afterAll(() => archived.clear());

async function copyOlder(): Promise<string> {
  const homes = createHomes();
  onTestFinished(homes.clear);
  return homes.copy(older);
}

async function killRestore(home: string, point: Failpoint): Promise<void> {
  const child = spawnChild(['restore', home, archived.archive, point]);
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

/** Ids of the processes of Postgres that run on a folder in a home. */
async function listServers(home: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const running = await Promise.all(pids.map((pid) => readProcessArguments(Number(pid))));
  return pids.filter((_, index) => running[index]?.some((argument) => argument.startsWith(`${home}/`)));
}

/** Data folders and leftovers in a home. */
async function listData(home: string): Promise<readonly string[]> {
  const names = (await readdir(home)).filter(
    (name) => isLeftover(name) || /^postgres-.*(?<!\.log)$/.test(name),
  );
  return names.map((name) => name.replaceAll(/\d{8}T\d{6}Z/g, 'TIME')).sort();
}

const linux = process.platform === 'linux';

describe('a restore', () => {
  test.each(failpoints.restore)(
    'that is killed at %s leaves nothing when the next one has succeeded',
    async (point) => {
      const home = await copyOlder();
      await killRestore(home, point);
      if (linux && point === 'restore:recovered') expect(await listServers(home)).toHaveLength(1);
      await archived.restore({ home });
      if (linux) expect(await listServers(home)).toEqual([]);
      expect(await listData(home)).toEqual(
        point === 'restore:switched'
          ? ['postgres-18', 'postgres-18.restored-TIME', 'postgres-18.restored-TIME.replaced-TIME']
          : ['postgres-18.replaced-TIME', 'postgres-18.restored-TIME'],
      );
      expect(await archived.readIds(home)).toEqual([1, 2]);
    },
  );

  test('that is killed before its switch is not used without the state file', async () => {
    const home = await copyOlder();
    await killRestore(home, 'restore:renamed');
    await rm(join(home, 'postgres.json'));
    expect(await archived.readIds(home)).toEqual([1]);
  });

  test('that is killed after its switch is used', async () => {
    const home = await copyOlder();
    await killRestore(home, 'restore:switched');
    expect(await archived.readIds(home)).toEqual([1, 2]);
  });

  test.runIf(linux)(
    'that is killed is cleared by a stop, and by the first start of an empty home',
    async () => {
      const homes = createHomes();
      onTestFinished(homes.clear);
      const [stopped, started] = [await homes.make(), await homes.make()];
      for (const home of [stopped, started]) await killRestore(home, 'restore:recovered');
      await stopPrivateServer({ home: stopped, force: false });
      expect([await listServers(stopped), await listData(stopped)]).toEqual([[], []]);
      await ensurePrivateServer({ home: started });
      expect(await listData(started)).toEqual(['postgres-18']);
    },
  );
});
