import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findUnshippedWal } from '../../../src/backup/unshipped-wal.ts';
import type { Backup } from '../../../src/core/backup/backup.ts';
import { ensurePrivateServer, stopPrivateServer } from '../../../src/postgres-server/index.ts';
import { readRunningPostmaster } from '../../../src/postgres-server/postmaster.ts';
import { readState } from '../../../src/postgres-server/state.ts';
import { createArchivedServer, type ArchivedServer } from '../../support/storage/archived-server.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';

let archived: ArchivedServer;

beforeAll(async () => {
  archived = await createArchivedServer();
});

afterAll(() => archived.clear());

/** A copy of the home, whose server does not run. */
async function copyHome(): Promise<string> {
  const homes = createHomes();
  onTestFinished(homes.clear);
  return homes.copy(archived.home);
}

async function dataOf(home: string): Promise<string> {
  return (await readState(home))?.dataFolder ?? '';
}

describe('WAL that has not reached the archive', () => {
  let second: Date;
  beforeEach(async () => {
    // In each test, the later notes.
    const id = Date.now() % 1_000_000_000;
    await archived.addNote(id);
    second = new Date();
    await archived.addNote(id + 1);
  });

  test('is read from the spool of a server that was stopped, also up to a moment', async () => {
    await stopPrivateServer({ home: archived.home, force: true });
    expect(await readdir(join(await dataOf(archived.home), 'archive_spool'))).not.toEqual([]);
    const all = await archived.readIds(await copyHome());
    await stopPrivateServer({ home: archived.home, force: true });
    const home = await copyHome();
    await archived.restore({ home, until: second });
    expect(await archived.readIds(home)).toEqual(all.slice(0, -1));
    // The present data is not that of the backup any more, the replaced one is.
    await archived.restore({ home });
    expect(await archived.readIds(home)).toEqual(all);
  });

  test('is read from the data of a server that was killed', async () => {
    const dataFolder = await dataOf(archived.home);
    const running = await readRunningPostmaster(dataFolder);
    process.kill(running?.pid ?? 0, 'SIGKILL');
    const home = await copyHome();
    const all = await archived.readIds(await copyHome());
    await archived.restore({ home });
    expect(await archived.readIds(home)).toEqual(all);
  });

  test('is found in the data of the same server only', async () => {
    await stopPrivateServer({ home: archived.home, force: true });
    const path = join(archived.archive, 'backups', archived.backup.id, 'manifest.json');
    const backup = JSON.parse(await readFile(path, 'utf8')) as Backup;
    const [restored, other] = [await archived.homes.make(), await archived.homes.make()];
    await archived.restore({ home: restored });
    await ensurePrivateServer({ home: other });
    const count = async (home: string, timeline: string) =>
      (await findUnshippedWal(home, { ...backup, walFirst: timeline.padEnd(24, '0') }, [])).files.size;
    expect(await count(archived.home, '00000001')).toBeGreaterThan(0);
    expect([await count(restored, '00000002'), await count(other, '00000001')]).toEqual([0, 0]);
  });
});
