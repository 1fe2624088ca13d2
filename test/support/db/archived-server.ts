import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { claimArchive, readPrivateOwner } from '../../../src/backup/archive-owner.ts';
import { restoreBackup, type RestoreOptions } from '../../../src/backup/restore-backup.ts';
import { shipWal } from '../../../src/backup/ship-wal.ts';
import { takeBackup } from '../../../src/backup/take-backup.ts';
import type { BackupSummary } from '../../../src/core/backup/backup.ts';
import { switchWal } from '../../../db/backup/wal-archiving.ts';
import { ensurePrivateServer, stopPrivateServer } from '../../../src/postgres-server/index.ts';
import { createHomes, query, type Homes } from './private-postgres-folders.ts';

/** A private server with a table of notes, and its archive in a folder. */
export interface ArchivedServer {
  readonly homes: Homes;
  readonly home: string;
  /** Folder of the archive. */
  readonly archive: string;
  addNote(id: number): Promise<void>;
  backUp(): Promise<BackupSummary>;
  /** Completes the present file of WAL, and carries all to the archive. */
  ship(): Promise<void>;
  restore(changed: Partial<RestoreOptions> & Pick<RestoreOptions, 'home'>): Promise<void>;
  /** Reads the ids of the notes of a home, and stops its server. */
  readIds(home: string): Promise<readonly unknown[]>;
  /** Kills the servers of all homes, and removes the archive. */
  clear(): Promise<void>;
}

const { signal } = new AbortController();

/** Creates it with a note and a backup. */
export async function createArchivedServer(): Promise<ArchivedServer> {
  const homes = createHomes();
  const home = await homes.make();
  const archive = await mkdtemp(join(tmpdir(), 'nightshift-archive-'));
  const storage = openFolderStorage({ kind: 'folder', path: archive });
  const open = () => ensurePrivateServer({ home });
  const writing = { storage, workFolder: tmpdir(), signal };

  const archived: ArchivedServer = {
    homes,
    home,
    archive,
    async addNote(id) {
      await query((await open()).url('postgres'), `INSERT INTO public.notes VALUES (${id})`);
    },
    async backUp() {
      return takeBackup({
        ...writing,
        server: await open(),
        onBytes: () => undefined,
        now: () => new Date(),
      });
    },
    async ship() {
      const server = await open();
      await switchWal(server.url('postgres', 'postgres'));
      while ((await shipWal({ ...writing, server })).length === 0) await delay(20);
    },
    async restore(changed) {
      await restoreBackup({
        storage,
        replaces: true,
        until: null,
        backupId: null,
        complete: () => Promise.resolve(),
        onProgress: () => undefined,
        onBytes: () => undefined,
        signal,
        ...changed,
      });
    },
    async readIds(ofHome) {
      const server = await ensurePrivateServer({ home: ofHome });
      const rows = await query(server.url('postgres'), 'SELECT id FROM public.notes ORDER BY id');
      await stopPrivateServer({ home: ofHome, force: true });
      return rows.map(({ id }) => id);
    },
    async clear() {
      await homes.clear();
      await rm(archive, { recursive: true, force: true });
    },
  };
  const server = await open();
  await query(server.url('postgres'), 'CREATE TABLE public.notes (id integer PRIMARY KEY)');
  await archived.addNote(1);
  await claimArchive(writing, await readPrivateOwner(server), { takesOver: false });
  await archived.backUp();
  return archived;
}
