import { readClock } from '../../../db/info/server-info.ts';
import { createArchiveStore } from '../../../db/stores/archive/archive-store.ts';
import { assertOwned } from '../../backup/archive-owner.ts';
import type { CallArchive, CallArchives } from '../../core/backup/call-records.ts';
import { followServerClock } from '../../core/time/server-clock.ts';
import { createStorages } from '../storages.ts';
import type { Wiring } from '../wiring.ts';
import { findOwner } from './find-owner.ts';

/** Bound on the look at whose archive it is. */
const checkMsMax = 30_000;

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
    const storage = await createStorages(config).openStorage(location, credentials);
    const owner = await findOwner(servers);
    const now = followServerClock(async () => (await readClock(servers.database.pool)).theirsMs);
    const assertUsable = () => assertOwned({ storage, signal: AbortSignal.timeout(checkMsMax) }, owner);
    try {
      await assertUsable();
      if (location.kind === 'folder') return openFolderSegments(location, { now, assertUsable });
      return await openObjectSegments(storage, { now, assertUsable });
    } catch (error) {
      await storage.close();
      throw error;
    }
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
