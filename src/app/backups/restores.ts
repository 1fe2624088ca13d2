import { readReplayDay, replayCalls, type ReplayedCalls } from '../../../db/backup/replay-calls.ts';
import { readDatabaseIdAt } from '../../../db/backup/system-id.ts';
import { listPaths, readBackups } from '../../backup/archive-files.ts';
import { assertArchive, assertOwned } from '../../backup/archive-owner.ts';
import { readCalls } from '../../backup/read-calls.ts';
import { restoreBackup, type RestoreOptions } from '../../backup/restore-backup.ts';
import type { Config } from '../../config/config.ts';
import { databaseOwner } from '../../core/backup/archive-owner.ts';
import {
  summarise,
  type BackupSummary,
  type FoundBackups,
  type UnreadableBackup,
} from '../../core/backup/backup.ts';
import type { ArchiveLocation } from '../../core/backup/archive-settings.ts';
import type { Credentials } from '../../core/storage/credentials.ts';
import type { Storage } from '../../core/storage/storage.ts';
import { createStorages } from '../storages.ts';

/** An archive that is read without a database. */
export interface ArchiveAddress {
  readonly location: ArchiveLocation;
  readonly credentials: Credentials | null;
}

export type RestoreRequest = Omit<RestoreOptions, 'storage' | 'complete'>;

/** Result of a restore. */
export interface RestoreSummary {
  readonly backup: BackupSummary;
  /** Newer backups that cannot be read. */
  readonly passedOver: readonly UnreadableBackup[];
  readonly dataFolder: string;
  /** The last change that was replayed; null if there was none after the backup. */
  readonly lastChangeAt: Date | null;
  /** Folder of the earlier data; null if there was none. */
  readonly earlierData: string | null;
  readonly calls: ReplayedCalls;
}

/** Lists the complete backups of an archive, oldest first. @throws StorageRejected when the place is no archive */
export function listBackups(
  config: Config,
  address: ArchiveAddress,
  signal: AbortSignal,
): Promise<FoundBackups<BackupSummary>> {
  return withArchive(config, address, async (storage) => {
    await assertArchive(storage, signal);
    const { backups, unreadable } = await readBackups(storage, await listPaths(storage, signal), signal);
    return { backups: backups.map(summarise), unreadable };
  });
}

/**
 * Restores the private server of a home, with the calls of the archive. The server is stopped afterwards.
 *
 * @throws StorageRejected when the place is no archive.
 */
export function restoreArchive(
  config: Config,
  address: ArchiveAddress,
  request: RestoreRequest,
): Promise<RestoreSummary> {
  return withArchive(config, address, async (storage) => {
    await assertArchive(storage, request.signal);
    let calls: ReplayedCalls = { calls: 0, answered: 0 };
    const { backup, ...restored } = await restoreBackup({
      ...request,
      storage,
      complete: async (url, { startedAt }) => {
        const paths = await listPaths(storage, request.signal);
        const since = startedAt.slice(0, 10);
        calls = await replayCalls(url, () => readCalls(storage, { paths, since, signal: request.signal }));
      },
    });
    return { ...restored, backup: summarise(backup), calls };
  });
}

/**
 * Completes the calls of the record on a server of the user's own, which its own tools have restored, with those of the archive.
 *
 * @param url login of the owner of the schema.
 * @throws Conflict | StorageRejected when the archive is not that of the database (`assertOwned`).
 */
export function restoreCalls(
  config: Config,
  address: ArchiveAddress,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
): Promise<ReplayedCalls> {
  return withArchive(config, address, async (storage) => {
    await assertOwned({ storage, signal }, databaseOwner(await readDatabaseIdAt(url)));
    const paths = await listPaths(storage, signal);
    const since = await readReplayDay(url);
    return replayCalls(url, () => readCalls(storage, { paths, since, signal }));
  });
}

/** Opens an archive, and closes it after `use`. */
export async function withArchive<T>(
  config: Config,
  { location, credentials }: ArchiveAddress,
  use: (storage: Storage) => Promise<T>,
): Promise<T> {
  const storage = await createStorages(config).openStorage(location, credentials);
  try {
    return await use(storage);
  } finally {
    await storage.close();
  }
}
