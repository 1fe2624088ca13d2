import { cp, mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { claimArchive, readPrivateOwner } from '../../../src/backup/archive-owner.ts';
import type { RestoreOptions } from '../../../src/backup/restore-backup.ts';
import { shipWal } from '../../../src/backup/ship-wal.ts';
import { expireBackups, takeBackup } from '../../../src/backup/take-backup.ts';
import { Conflict, NotFound, StorageRejected, ValidationError } from '../../../src/core/errors.ts';
import type { Backup, BackupSummary } from '../../../src/core/backup/backup.ts';
import { switchWal } from '../../../db/backup/wal-archiving.ts';
import {
  ensurePrivateServer,
  stopPrivateServer,
  upgradeRecord,
  type PrivateServer,
} from '../../../src/postgres-server/index.ts';
import { createHomes, isLeftover, query } from '../../support/db/private-postgres-folders.ts';
import { restoreQuietly } from '../../support/storage/quiet-restore.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';

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
  const upgradedAt = new Date().toISOString();
  await upgradeRecord.write(server.dataFolder, {
    fromMajor: 17,
    fromFolder: '/earlier',
    upgradedAt,
    tables: {},
  });
  await claim();
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
    workFolder: temporaryFolder(),
    onBytes: () => undefined,
    now: () => new Date(),
    signal,
  };
}

/** Surroundings of a backup of another server, or in another archive. */
interface Elsewhere {
  readonly path?: string;
  readonly of?: PrivateServer;
}

function optionsFor({ path = folders, of = server }: Elsewhere) {
  return { ...options(), server: of, storage: openFolderStorage({ kind: 'folder', path }) };
}

async function claim({
  takesOver = false,
  ...elsewhere
}: Elsewhere & { readonly takesOver?: boolean } = {}): Promise<void> {
  const writing = optionsFor(elsewhere);
  await claimArchive(writing, await readPrivateOwner(writing.server), { takesOver });
}

/** A copy of the archive, which a test may change. */
async function copyArchive(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'nightshift-archive-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  await cp(folders, path, { recursive: true });
  return path;
}

/** Names of the WAL files that no restore of the first backup needs at least, oldest first. */
async function listLaterWal(path: string): Promise<readonly string[]> {
  const { walLast } = JSON.parse(
    await readFile(join(path, `backups/${backup.id}/manifest.json`), 'utf8'),
  ) as Backup;
  return (await readdir(join(path, 'wal'))).filter((name) => name > `${walLast}.gz`).sort();
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
  await restoreQuietly({ storage: archive(), replaces: false, ...changed, home });
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

describe('a restored server', () => {
  async function restored(path: string, until: Date | null): Promise<PrivateServer> {
    const { home } = await restore({ storage: optionsFor({ path }).storage, until });
    return ensurePrivateServer({ home });
  }

  test('has no part in the data from before an upgrade of the original', async () => {
    const copy = await restored(folders, null);
    expect(await upgradeRecord.read(server.dataFolder)).toMatchObject({ fromMajor: 17 });
    expect(await upgradeRecord.read(copy.dataFolder)).toBeUndefined();
  });

  test('goes on in the archive of the original only on demand, which then gets nothing more', async () => {
    const path = await copyArchive();
    const copy = await restored(path, null);
    await expect(claim({ path, of: copy })).rejects.toThrow('--take-over');
    await expect(takeBackup(optionsFor({ path, of: copy }))).rejects.toBeInstanceOf(Conflict);
    await claim({ path, of: copy, takesOver: true });
    await takeBackup(optionsFor({ path, of: copy }));
    await expect(takeBackup(optionsFor({ path }))).rejects.toThrow('that of another server');
  });

  test('does not go on in the archive of an original that has gone on after the restore', async () => {
    const path = await copyArchive();
    const copy = await restored(path, null);
    const day = join(path, 'calls', new Date().toISOString().slice(0, 10));
    await mkdir(day, { recursive: true });
    await writeFile(join(day, 'segment.ndjson'), '');
    const rejected = claim({ path, of: copy, takesOver: true });
    await expect(rejected).rejects.toThrow('The server from which this one was restored has gone on');
    await claim({ path });
    await claim({ path, of: await restored(path, null), takesOver: true });
    await expect(takeBackup(optionsFor({ path }))).rejects.toThrow('that of another server');
  });

  test('keeps its backups apart from those of the moments that were given up', async () => {
    const path = await copyArchive();
    const { storage } = optionsFor({ path });
    const taken: string[] = [];
    // Each goes on from an earlier moment than the archive has, so positions of WAL come again.
    for (const [at, id] of [
      [0, 10],
      [1, 11],
    ] as const) {
      const copy = await restored(path, moments[at] ?? null);
      await claim({ path, of: copy, takesOver: true });
      await query(
        copy.url('postgres'),
        `INSERT INTO public.notes SELECT ${id}, repeat(md5('${id}'), 300000 / 32)`,
      );
      await delay(1_100);
      taken.push((await takeBackup(optionsFor({ path, of: copy }))).id);
      await expireBackups(storage, 7, signal);
    }
    expect((await restore({ storage })).ids).toEqual([1, 2, 3, 11]);
    expect((await restore({ storage, backupId: taken[0] ?? '' })).ids).toEqual([1, 2, 10]);
    expect((await restore({ storage, backupId: backup.id })).ids).toEqual([1, 2, 3, 4]);
  });
});

describe('the switch of a restore', () => {
  test('leaves other data in the home alone', async () => {
    const { home } = await restore();
    await restore({ home, replaces: true, until: moments[0] ?? null });
    // As of a version before an upgrade.
    await mkdir(join(home, 'postgres-18'));
    await writeFile(join(home, 'postgres-18', 'PG_VERSION'), '18\n');
    const { ids } = await restore({ home, replaces: true, until: moments[1] ?? null });
    expect(ids).toEqual([1, 2, 3]);
    expect(await readFile(join(home, 'postgres-18', 'PG_VERSION'), 'utf8')).toBe('18\n');
  });

  test('does not come while the present server runs, also when it was started meanwhile', async () => {
    const { home } = await restore();
    const starting = restore({
      home,
      replaces: true,
      until: moments[0] ?? null,
      complete: async () => void (await ensurePrivateServer({ home })),
    });
    await expect(starting).rejects.toThrow('The private server is running');
    expect(await readIds(home)).toEqual([1, 2, 3, 4]);
    expect((await readdir(home)).filter(isLeftover)).toEqual([]);
  });

  test('is found again without the state file', async () => {
    const { home } = await restore();
    await restore({ home, replaces: true, until: moments[0] ?? null });
    await rm(join(home, 'postgres.json'));
    expect(await readIds(home)).toEqual([1, 2]);
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
    await expect(claim({ of: other })).rejects.toThrow('The archive is that of another server.');
    await expect(takeBackup(optionsFor({ of: other }))).rejects.toBeInstanceOf(Conflict);
    // Nothing goes on behind the back of the failure.
    const [row] = await query(other.url('postgres'), "SELECT current_setting('archive_command') AS command");
    expect(row).toEqual({ command: 'cd .' });
  });

  test('that was emptied, or whose disk is not mounted, gets nothing', async () => {
    const path = await mkdtemp(join(tmpdir(), 'nightshift-archive-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    await expect(takeBackup(optionsFor({ path }))).rejects.toThrow('its disk is not mounted');
    await statement("SELECT pg_logical_emit_message(true, 'test', '')");
    await switchWal(server.url('postgres'));
    const shipped = async () => {
      for (;;) {
        if ((await shipWal(optionsFor({ path }))).length > 0) return;
        await delay(20);
      }
    };
    await expect(shipped()).rejects.toThrow('its disk is not mounted');
    expect(await readdir(path)).toEqual([]);
    await ship();
  });

  test('with a gap in its WAL has no newest state, but the moments before', async () => {
    for (let files = 0; files < 3; files += 1) {
      await statement("SELECT pg_logical_emit_message(true, 'test', '')");
      await ship();
    }
    const path = await copyArchive();
    const storage = optionsFor({ path }).storage;
    const missing = (await listLaterWal(path)).at(-2) ?? '';
    await rm(join(path, 'wal', missing));
    await expect(restore({ storage })).rejects.toThrow(`The archive has no wal/${missing}, but later files`);
    const { ids } = await restore({ storage, until: moments[1] ?? null });
    expect(ids).toEqual([1, 2, 3]);
  });

  test.each([
    ['damaged', (content: Buffer) => content.fill(0xff, content.length >> 1)],
    ['cut off', (content: Buffer) => content.subarray(0, content.length >> 1)],
  ])('with WAL that is %s does not end there as if it were complete', async (_, damage) => {
    const path = await copyArchive();
    const [first = ''] = await listLaterWal(path);
    const file = join(path, 'wal', first);
    await writeFile(file, damage(await readFile(file)));
    const home = await homes.make();
    await expect(restore({ home, storage: optionsFor({ path }).storage })).rejects.toThrow(
      `The file ${first} in \`wal\` of the archive is damaged`,
    );
    expect((await readdir(home)).filter(isLeftover)).toEqual([]);
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
