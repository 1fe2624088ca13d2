import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { claimArchive, readPrivateOwner } from '../../../src/backup/archive-owner.ts';
import type { RestoreOptions } from '../../../src/backup/restore-backup.ts';
import { shipWal } from '../../../src/backup/ship-wal.ts';
import { takeBackup } from '../../../src/backup/take-backup.ts';
import type { BackupSummary } from '../../../src/core/backup/backup.ts';
import { switchWal } from '../../../db/backup/wal-archiving.ts';
import { ensurePrivateServer, stopPrivateServer } from '../../../src/postgres-server/index.ts';
import { restoreQuietly } from './quiet-restore.ts';
import { createHomes, query, type Homes } from '../db/private-postgres-folders.ts';
import { temporaryFolder } from '../faults/loaded-batch.ts';

/** A private server with a table of notes, and its archive in a folder. */
export interface ArchivedServer {
  readonly homes: Homes;
  readonly home: string;
  /** Folder of the archive. */
  readonly archive: string;
  readonly backup: BackupSummary;
  addNote(id: number): Promise<void>;
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
  const writing = { storage, workFolder: temporaryFolder(), signal };

  const server = await open();
  const addNote = async (id: number) =>
    void (await query((await open()).url('postgres'), `INSERT INTO public.notes VALUES (${id})`));
  await query(server.url('postgres'), 'CREATE TABLE public.notes (id integer PRIMARY KEY)');
  await addNote(1);
  await claimArchive(writing, await readPrivateOwner(server), { takesOver: false });
  const backup = await takeBackup({ ...writing, server, onBytes: () => undefined, now: () => new Date() });
  return {
    homes,
    home,
    archive,
    backup,
    addNote,
    async ship() {
      const running = await open();
      await switchWal(running.url('postgres', 'postgres'));
      while ((await shipWal({ ...writing, server: running })).length === 0) await delay(20);
    },
    async restore(changed) {
      await restoreQuietly({ storage, replaces: true, ...changed });
    },
    async readIds(ofHome) {
      const restored = await ensurePrivateServer({ home: ofHome });
      const rows = await query(restored.url('postgres'), 'SELECT id FROM public.notes ORDER BY id');
      await stopPrivateServer({ home: ofHome, force: true });
      return rows.map(({ id }) => id);
    },
    async clear() {
      await homes.clear();
      await rm(archive, { recursive: true, force: true });
    },
  };
}
