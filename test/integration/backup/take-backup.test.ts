import { copyFile, cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { switchWal, withWalTransport } from '../../../db/backup/wal-archiving.ts';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { listPaths } from '../../../src/backup/archive-files.ts';
import { claimArchive, readPrivateOwner } from '../../../src/backup/archive-owner.ts';
import { restoreBackup, type Restored } from '../../../src/backup/restore-backup.ts';
import { shipWal } from '../../../src/backup/ship-wal.ts';
import { expireBackups, takeBackup, type BackupOptions } from '../../../src/backup/take-backup.ts';
import type { BackupSummary } from '../../../src/core/backup/backup.ts';
import { Conflict, StorageRejected } from '../../../src/core/errors.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import {
  ensurePrivateServer,
  listSpooled,
  stopPrivateServer,
  type PrivateServer,
} from '../../../src/postgres-server/index.ts';
import { createHomes, query } from '../../support/db/private-postgres-folders.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';

const homes = createHomes();
const { signal } = new AbortController();
let server: PrivateServer;

beforeAll(async () => {
  server = await ensurePrivateServer({ home: await homes.make() });
  await query(server.url('postgres'), 'CREATE TABLE public.notes (id integer PRIMARY KEY)');
});

afterAll(homes.clear);

/** An archive of the server with a backup, and later a note. */
async function openArchive() {
  const path = await mkdtemp(join(tmpdir(), 'nightshift-archive-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const storage = openFolderStorage({ kind: 'folder', path });
  const options = (): BackupOptions => ({
    server,
    storage,
    workFolder: temporaryFolder(),
    onBytes: () => undefined,
    now: () => new Date(),
    signal,
  });
  await claimArchive(options(), await readPrivateOwner(server), { takesOver: false });
  const first = await takeBackup(options());
  await query(server.url('postgres'), 'INSERT INTO public.notes SELECT count(*) FROM public.notes');
  const notes = await readNotes(server);
  const take = (changed: Partial<BackupOptions> = {}) => takeBackup({ ...options(), ...changed });
  return { path, storage, first, notes, take, ship: () => shipWal(options()) };
}

async function readNotes(of: PrivateServer): Promise<number> {
  const [row] = await query(of.url('postgres'), 'SELECT count(*)::integer AS notes FROM public.notes');
  return Number(row?.['notes']);
}

/** Restores the newest state, and returns its number of notes. */
async function restore(
  storage: Storage,
  backupId: string | null = null,
): Promise<Pick<Restored, 'passedOver'> & { readonly notes: number }> {
  const home = await homes.make();
  const { passedOver } = await restoreBackup({
    storage,
    home,
    replaces: false,
    until: null,
    backupId,
    complete: () => Promise.resolve(),
    onProgress: () => undefined,
    onBytes: () => undefined,
    signal,
  });
  const notes = await readNotes(await ensurePrivateServer({ home }));
  await stopPrivateServer({ home, force: true });
  return { passedOver, notes };
}

/** Completes a file of WAL; returns its name, and its place in the spool. */
async function completeWal(): Promise<{ readonly name: string; readonly spooled: string }> {
  await query(server.url('postgres'), "SELECT pg_logical_emit_message(true, 'test', '')");
  const name = await switchWal(server.url('postgres'));
  await vi.waitUntil(async () => (await listSpooled(server.dataFolder)).includes(name), { timeout: 60_000 });
  return { name, spooled: join(server.dataFolder, 'archive_spool', name) };
}

async function damage(path: string, { id }: Pick<BackupSummary, 'id'>): Promise<void> {
  await writeFile(join(path, 'backups', id, 'manifest.json'), '{"format":');
}

test('a backup that cannot be read is passed over, and hinders no other one', async () => {
  const { path, storage, first, notes, take } = await openArchive();
  const second = await take();
  await damage(path, second);
  expect(await restore(storage)).toEqual({
    notes,
    passedOver: [{ id: second.id, reason: expect.stringContaining('is not JSON') as unknown }],
  });
  expect(await restore(storage, first.id)).toEqual({ notes, passedOver: [] });
  await expect(restore(storage, second.id)).rejects.toThrow('is not the manifest of a backup');
  const third = await take();
  await expireBackups(storage, 2, signal);
  expect((await readdir(join(path, 'backups'))).sort()).toEqual([first.id, second.id, third.id]);
  await expireBackups(storage, 1, signal);
  const listed = await listPaths(storage, signal);
  expect(listed.filter((name) => name.endsWith('manifest.json'))).toEqual([
    `backups/${third.id}/manifest.json`,
  ]);
});

test('a backup that cannot be read is not passed over when WAL belongs to no other one', async () => {
  const { path, storage, first, take } = await openArchive();
  await damage(path, await take());
  const [name = ''] = await readdir(join(path, 'wal'));
  await cp(join(path, 'wal', name), join(path, 'wal', '7', name));
  await expect(restore(storage)).rejects.toThrow(/no other backup belongs to wal\/7\//);
  await expect(restore(storage, first.id)).resolves.toMatchObject({ passedOver: [] });
});

test('a backup is the newest one also after the clock was set back', async () => {
  const { path, storage, first, notes, take } = await openArchive();
  const second = await take({ now: () => new Date('2020-01-01T00:00:00Z') });
  expect(second.id > first.id).toBe(true);
  await expireBackups(storage, 1, signal);
  expect(await readdir(join(path, 'backups', second.id))).toContain('manifest.json');
  expect(await restore(storage)).toMatchObject({ notes });
});

test('a backup that fails leaves nothing, and removes what a killed one has left', async () => {
  const { path, storage, first, take } = await openArchive();
  const left = join(path, 'backups', '20261101T000000Z');
  await cp(join(path, 'backups', first.id), left, { recursive: true });
  await rm(join(left, 'manifest.json'));
  const full: Storage = {
    ...storage,
    write: (name, file, writing) =>
      name.endsWith('manifest.json')
        ? Promise.reject(new StorageRejected('no space left'))
        : storage.write(name, file, writing),
  };
  await expect(take({ storage: full })).rejects.toThrow('no space left');
  const names = (await listPaths(storage, signal)).filter((name) => name.startsWith('backups/'));
  expect(names.filter((name) => !name.startsWith(`backups/${first.id}/`))).toEqual([]);
});

test('WAL reaches the archive while a backup is copied', async () => {
  const { storage, take } = await openArchive();
  const events: string[] = [];
  const watched: Storage = {
    ...storage,
    async write(name, file, writing) {
      await storage.write(name, file, writing);
      events.push(name.startsWith('wal/') ? 'wal' : 'other');
      if (name.includes('/part-')) await completeWal();
    },
  };
  const now = () => {
    events.push('moment');
    return new Date();
  };
  await take({ storage: watched, now });
  // The second moment is that of the end of the copy.
  expect(events.slice(0, events.lastIndexOf('moment'))).toContain('wal');
});

test('WAL of a copy of the server is not replaced: its changes would end a restore early', async () => {
  const { path, ship } = await openArchive();
  const { name, spooled } = await completeWal();
  const stored = join(path, 'wal', `${name}.gz`);
  const ofCopy = gzipSync('changes of a copy');
  await writeFile(stored, ofCopy);
  await expect(ship()).rejects.toThrow(Conflict);
  await expect(ship()).rejects.toThrow(`other changes as wal/${name}.gz: a copy of this database`);
  expect(await readFile(stored)).toEqual(ofCopy);
  expect(await listSpooled(server.dataFolder)).toContain(name);
  // A damaged file is replaced, and one that is there already leaves the spool.
  await writeFile(stored, 'damaged');
  await copyFile(spooled, join(path, 'kept'));
  expect(await ship()).toContain(name);
  await copyFile(join(path, 'kept'), spooled);
  const whole = await readFile(stored);
  expect(await ship()).toEqual([name]);
  expect(await readFile(stored)).toEqual(whole);
  expect(await listSpooled(server.dataFolder)).toEqual([]);
});

test('a backup without all of its WAL is not complete', async () => {
  const { storage, first, take } = await openArchive();
  let elsewhere = '';
  const changed: Storage = {
    ...storage,
    async write(name, file, writing) {
      if (name === elsewhere) return;
      await storage.write(name, file, writing);
      if (name.includes('/part-')) elsewhere = `wal/${(await completeWal()).name}.gz`;
    },
  };
  await expect(take({ storage: changed })).rejects.toThrow(/has no wal\/\w+\.gz, which the backup needs/);
  const manifests = (await listPaths(storage, signal)).filter((name) => name.endsWith('manifest.json'));
  expect(manifests).toEqual([`backups/${first.id}/manifest.json`]);
});

test('a backup waits for WAL that another process carries slowly', async () => {
  const { take } = await openArchive();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const carrying = withWalTransport(server.url('postgres', 'postgres'), () => ended);
  const realNow = performance.now.bind(performance);
  let aheadMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + aheadMs);
  onTestFinished(() => clock.mockRestore());
  let moments = 0;
  const now = () => {
    moments += 1;
    return new Date();
  };
  const taking = take({ now });
  await vi.waitUntil(() => moments === 2, { timeout: 60_000 });
  // The copy has ended. Minutes pass for the transport.
  for (let minutes = 0; minutes < 100; minutes += 5) {
    aheadMs = minutes * 60_000;
    await delay(50);
  }
  end();
  await carrying;
  await expect(taking).resolves.toMatchObject({ postgresMajor: 18 });
});
