import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { restoreBackup, type RestoreOptions } from '../../../src/backup/restore-backup.ts';
import { shipWal } from '../../../src/backup/ship-wal.ts';
import { expireBackups, takeBackup } from '../../../src/backup/take-backup.ts';
import { Conflict, NotFound, StorageRejected, ValidationError } from '../../../src/core/errors.ts';
import type { Backup, BackupSummary } from '../../../src/core/backup/backup.ts';
import { switchWal } from '../../../db/backup/wal-archiving.ts';
import {
  ensurePrivateServer,
  stopPrivateServer,
  type PrivateServer,
} from '../../../src/postgres-server/index.ts';
import { createHomes, isLeftover, query } from '../../support/db/private-postgres-folders.ts';

const homes = createHomes();
const { signal } = new AbortController();
let folders: string;
let server: PrivateServer;
let backup: BackupSummary;
/** Moments after each row, with rows before and after. */
const moments: Date[] = [];

beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'nightshift-archive-'));
  server = await ensurePrivateServer({ home: await homes.make() });
  await statement('CREATE TABLE public.notes (id integer PRIMARY KEY, note text)');
  await addNote(1);
  backup = await takeBackup(options());
  for (const id of [2, 3, 4]) {
    await addNote(id);
    await delay(30);
    moments.push(new Date());
    await delay(30);
  }
  await ship();
});

afterAll(async () => {
  await homes.clear();
  await rm(folders, { recursive: true, force: true });
});

const archive = () => openFolderStorage({ kind: 'folder', path: folders });

function options() {
  return {
    server,
    storage: archive(),
    workFolder: tmpdir(),
    onBytes: () => undefined,
    now: () => new Date(),
    signal,
  };
}

function statement(sql: string) {
  return query(server.url('postgres'), sql);
}

function addNote(id: number) {
  return statement(`INSERT INTO public.notes SELECT ${id}, repeat(md5('${id}'), 300000 / 32)`);
}

async function ship(): Promise<void> {
  await switchWal(server.url('postgres'));
  while ((await shipWal(options())).length === 0) await delay(20);
}

async function restore(
  changed: Partial<RestoreOptions> = {},
): Promise<{ readonly home: string; readonly ids: unknown }> {
  const home = changed.home ?? (await homes.make());
  await restoreBackup({
    storage: archive(),
    home,
    replaces: false,
    until: null,
    backupId: null,
    complete: () => Promise.resolve(),
    onProgress: () => undefined,
    onBytes: () => undefined,
    signal,
    ...changed,
  });
  return { home, ids: await readIds(home) };
}

async function readIds(home: string): Promise<unknown> {
  const restored = await ensurePrivateServer({ home });
  const rows = await query(
    restored.url('postgres'),
    'SELECT id, note = repeat(md5(id::text), 300000 / 32) AS whole FROM public.notes ORDER BY id',
  );
  await stopPrivateServer({ home, force: true });
  expect(rows.every(({ whole }) => whole === true)).toBe(true);
  return rows.map(({ id }) => id);
}

describe('a restore', () => {
  test('without a moment has the newest state', async () => {
    const { ids } = await restore();
    expect(ids).toEqual([1, 2, 3, 4]);
  });

  test.each([0, 1])('to a moment has the changes until then (%i)', async (which) => {
    const { ids } = await restore({ until: moments[which] ?? null });
    expect(ids).toEqual([1, 2, 3].slice(0, which + 2));
  });

  test('to a moment after the end of the archive says when that is', async () => {
    const home = await homes.make();
    const error = await restore({ home, until: new Date(Date.now() + 3_600_000) }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ValidationError);
    expect(String(error)).toMatch(/The archive ends before .*: its last change is of \d{4}-/);
    expect((await readdir(home)).filter(isLeftover)).toEqual([]);
  });

  test('to a moment before the oldest backup is rejected with its time', async () => {
    await expect(restore({ until: new Date(0) })).rejects.toThrow(
      `was complete at ${backup.finishedAt}. Choose that moment or a later one.`,
    );
  });

  test('into a home with data is rejected, and with --replace keeps the data beside', async () => {
    const { home } = await restore({ until: moments[0] ?? null });
    await expect(restore({ home })).rejects.toBeInstanceOf(Conflict);
    const { ids } = await restore({ home, replaces: true });
    expect(ids).toEqual([1, 2, 3, 4]);
    const kept = (await readdir(join(home))).filter((name) =>
      /^postgres-\d+\.replaced-\d{8}T\d{6}Z$/.test(name),
    );
    expect(kept).toHaveLength(1);
  });

  test('while the server of the home runs is rejected', async () => {
    await expect(restore({ home: server.home, replaces: true })).rejects.toThrow('nightshift stop');
  });

  test('of an unknown backup is rejected', async () => {
    await expect(restore({ backupId: '20200101T000000Z' })).rejects.toBeInstanceOf(NotFound);
  });

  test('completes the record before it is in place, and leaves nothing behind when that fails', async () => {
    const home = await homes.make();
    const failing = restore({ home, complete: () => Promise.reject(new Error('the completion fails')) });
    await expect(failing).rejects.toThrow('the completion fails');
    expect((await readdir(home)).filter((name) => name.startsWith('postgres'))).toEqual([]);
  });

  test('keeps no WAL until its own first backup', async () => {
    const { home } = await restore();
    const restored = await ensurePrivateServer({ home });
    const [row] = await query(
      restored.url('postgres'),
      "SELECT current_setting('archive_command') AS command",
    );
    expect(row).toEqual({ command: 'cd .' });
  });
});

describe('an archive', () => {
  test('with a damaged part is rejected', async () => {
    const part = join(folders, `backups/${backup.id}/part-00001`);
    const content = await readFile(part);
    const damaged = Buffer.from(content);
    damaged.writeUInt8(damaged.readUInt8(damaged.length >> 1) ^ 0xff, damaged.length >> 1);
    try {
      await writeFile(part, damaged);
      await expect(restore()).rejects.toBeInstanceOf(StorageRejected);
      await truncate(part, content.length - 1);
      await expect(restore()).rejects.toBeInstanceOf(StorageRejected);
    } finally {
      await writeFile(part, content);
    }
  });

  test('without WAL that the backup needs is rejected', async () => {
    const manifest = await readFile(join(folders, `backups/${backup.id}/manifest.json`), 'utf8');
    const first = `${(JSON.parse(manifest) as Backup).walFirst}.gz`;
    const content = await readFile(join(folders, 'wal', first));
    await rm(join(folders, 'wal', first));
    try {
      await expect(restore()).rejects.toThrow(`has no wal/${first}`);
    } finally {
      await writeFile(join(folders, 'wal', first), content);
    }
  });

  test('of another server takes no backup', async () => {
    const other = await ensurePrivateServer({ home: await homes.make() });
    await expect(takeBackup({ ...options(), server: other })).rejects.toThrow('backups of another server');
  });

  test('takes no second backup at the same time, and each file of WAL from one process', async () => {
    await delay(1_100);
    const results = await Promise.allSettled([takeBackup(options()), takeBackup(options())]);
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(failures).toEqual([expect.stringContaining('Another backup is running')]);
    await switchWal(server.url('postgres'));
    const shipped = await Promise.all(
      Array.from({ length: 20 }, () => delay(10).then(() => shipWal(options()))),
    );
    expect(new Set(shipped.flat()).size).toBe(shipped.flat().length);
  });

  test('expires what no restore of the kept backups needs', async () => {
    await delay(1_100);
    const second = await takeBackup(options());
    await expireBackups(archive(), 2, signal);
    const files = await readdir(join(folders, 'backups'), { recursive: true });
    const complete = files.filter((path) => path.endsWith('manifest.json')).sort();
    expect(complete.at(-1)).toBe(`${second.id}/manifest.json`);
    expect(complete).toHaveLength(2);
    await expireBackups(archive(), 1, signal);
    const { ids } = await restore();
    expect(ids).toEqual([1, 2, 3, 4]);
    await expect(restore({ backupId: backup.id })).rejects.toBeInstanceOf(NotFound);
  });
});
