import { readClock } from '../../../db/info/server-info.ts';
import { createArchiveStore } from '../../../db/stores/archive/archive-store.ts';
import type { CallArchive, CallArchives } from '../../core/backup/call-records.ts';
import { createStorages } from '../storages.ts';
import type { Wiring } from '../wiring.ts';

/** Opens the archive of calls that the settings name, and a new one when they have changed. */
export function openCallArchives({
  config,
  closers,
  servers,
}: Pick<Wiring, 'config' | 'closers' | 'servers'>): CallArchives {
  const store = createArchiveStore(servers.database.sql);
  let current: { readonly version: number; readonly archive: Promise<CallArchive | null> } | null = null;

  async function open(): Promise<CallArchive | null> {
    const settings = await store.read();
    if (settings === null) return null;
    const { openFolderSegments, openObjectSegments } =
      await import('../../adapters/storage/call-segments.ts');
    const { location, credentials } = settings;
    const now = await followClock();
    if (location.kind === 'folder') return openFolderSegments(location, now);
    return openObjectSegments(await createStorages(config).openStorage(location, credentials), now);
  }

  /** Reads the clock of the database once, and goes on from there: the clock of this machine may be wrong. */
  async function followClock(): Promise<() => Date> {
    const { theirsMs } = await readClock(servers.database.pool);
    const readMs = performance.now();
    return () => new Date(theirsMs + performance.now() - readMs);
  }

  async function closeCurrent(): Promise<void> {
    const closing = current;
    current = null;
    await (await closing?.archive.catch(() => null))?.close();
  }

  const archives: CallArchives = {
    async at(version) {
      if (version === current?.version) return current.archive;
      await closeCurrent();
      if (version === null) return null;
      current = { version, archive: open() };
      try {
        return await current.archive;
      } catch (error) {
        current = null;
        throw error;
      }
    },
  };
  closers.add(archives, closeCurrent);
  return archives;
}
