import { withBaseBackup, type BegunBackup } from '../../db/backup/base-backup.ts';
import { readWalArchiving, setWalArchiving, switchWal } from '../../db/backup/wal-archiving.ts';
import { archivePaths, nextBackupId, parseBackupPath } from '../core/backup/archive-paths.ts';
import { archiveFormat, summarise, type Backup, type BackupSummary } from '../core/backup/backup.ts';
import { listExpired, listInterrupted } from '../core/backup/expire.ts';
import { Conflict, Misconfigured, StorageUnavailable } from '../core/errors.ts';
import type { Storage } from '../core/storage/storage.ts';
import {
  listSpooled,
  noArchiveCommand,
  openSpool,
  spoolCommand,
  type PrivateServer,
} from '../postgres-server/index.ts';
import { findMissingWal, listPaths, listWalNames, readBackups, writeJson } from './archive-files.ts';
import { assertOwned, readPrivateOwner } from './archive-owner.ts';
import { listDataFiles } from './data-files.ts';
import { packFiles } from './pack-files.ts';
import { shipUntil } from './ship-rest.ts';
import { readWalSystem, shipWal } from './ship-wal.ts';

/** A file of WAL goes to the archive after this time, even if it is not full: at most so much is lost with the machine. */
const walSecondsMax = 60;

/** Bound on the server's own copying of a file of WAL. */
const spoolMsMax = 120_000;

export interface BackupOptions {
  readonly server: PrivateServer;
  readonly storage: Storage;
  /** Folder for one part at a time. */
  readonly workFolder: string;
  /** Receives the bytes that were read, in all. */
  readonly onBytes: (bytes: number) => void;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Keeps the WAL of a private server from now on: its files go to the spool, and from there to the archive. */
async function startArchiving({ url, dataFolder }: PrivateServer): Promise<void> {
  const { isOn, command } = await readWalArchiving(url('postgres', 'postgres'));
  if (!isOn) {
    throw new Misconfigured(
      'The private server was started by an earlier release, without WAL archiving. Restart it once: run `nightshift stop --force`, then this command again.',
    );
  }
  await openSpool(dataFolder);
  if (command !== spoolCommand)
    await setWalArchiving(url('postgres', 'postgres'), spoolCommand, walSecondsMax);
}

/** Keeps no more WAL. */
export async function stopArchiving({ url }: PrivateServer): Promise<void> {
  await setWalArchiving(url('postgres', 'postgres'), noArchiveCommand, 0);
}

/**
 * Copies a running private server to its archive (`claimArchive`), with the WAL that makes the copy consistent.
 *
 * @throws Conflict | StorageRejected when the archive is not that of the server (`assertOwned`).
 * @throws Misconfigured when the server has to be started anew first.
 */
export async function takeBackup(options: BackupOptions): Promise<BackupSummary> {
  const { server, storage, signal } = options;
  await assertOwned({ storage, signal }, await readPrivateOwner(server));
  await startArchiving(server);
  return withBaseBackup(server.url('postgres', 'postgres'), (begun) => storeBackup(begun, options));
}

/** No other backup begins until the manifest is there: it would take the parts for those of an interrupted one. */
async function storeBackup(begun: BegunBackup, options: BackupOptions): Promise<BackupSummary> {
  const { server, storage, workFolder, now, signal } = options;
  const paths = await listPaths(storage, signal);
  await removeFiles(storage, listInterrupted(paths), signal);
  const startedAt = now();
  const id = nextBackupId(paths, startedAt);
  try {
    const backup = await copy(begun, { id, startedAt }, options);
    await switchWal(server.url('postgres', 'postgres'));
    const deadlineMs = performance.now() + spoolMsMax;
    await shipUntil(backup.walLast, options, async () => {
      if (performance.now() <= deadlineMs) return;
      // In the spool, it waits for a slow archive.
      if ((await listSpooled(server.dataFolder)).includes(backup.walLast)) return;
      throw await spoolFailure(server, backup.walLast);
    });
    await assertComplete(backup, options);
    await begun.confirm();
    await writeJson({ storage, workFolder, signal }, archivePaths.manifest(id), backup);
    return summarise(backup);
  } catch (error) {
    // An archive without room takes no calls either. What stays is removed by the next backup.
    if (!signal.aborted) await removeBackup(storage, id, signal).catch(() => undefined);
    throw error;
  }
}

/** @throws Conflict when a file of WAL is missing: while the archive is being changed, a process may have carried it to the earlier one */
async function assertComplete(
  backup: Backup,
  { storage, signal }: Pick<BackupOptions, 'storage' | 'signal'>,
): Promise<void> {
  const missing = findMissingWal(listWalNames(await listPaths(storage, signal), backup), backup);
  if (missing === null) return;
  throw new Conflict(
    `The archive has no ${missing}, which the backup needs: it was changed meanwhile. Take the backup again.`,
  );
}

async function copy(
  begun: BegunBackup,
  { id, startedAt }: { readonly id: string; readonly startedAt: Date },
  options: BackupOptions,
): Promise<Backup> {
  const { server, storage, workFolder, now, signal } = options;
  const { systemId, postgresMajor, walFirst } = begun;
  const walSystem = await readWalSystem(server.dataFolder);
  const { folders, files } = await listDataFiles(server.dataFolder);
  let bytesRead = 0;
  const parts = await packFiles({
    dataFolder: server.dataFolder,
    files,
    workFolder,
    store: async (name, part) => {
      await storage.write(archivePaths.part(id, name), part, {
        contentType: 'application/octet-stream',
        signal,
      });
      // A copy may take hours, and changes reach the archive within a minute.
      await shipWal({ storage, server, workFolder, signal });
    },
    onBytes: (bytes) => options.onBytes((bytesRead += bytes)),
    signal,
  });
  const { walLast, label } = await begun.end();
  return {
    format: archiveFormat,
    id,
    systemId,
    postgresMajor,
    ...(walSystem === null ? {} : { walSystem }),
    startedAt: startedAt.toISOString(),
    finishedAt: now().toISOString(),
    walFirst,
    walLast,
    label,
    folders,
    parts,
  };
}

async function spoolFailure(server: PrivateServer, name: string): Promise<StorageUnavailable> {
  const { failedCount } = await readWalArchiving(server.url('postgres', 'postgres'));
  return new StorageUnavailable(
    `The private server has not handed over its WAL file ${name} within ${spoolMsMax / 1000} s; it has failed ${failedCount} times to copy one. ` +
      `Check the free space, and its log: ${server.dataFolder}.log`,
  );
}

/** Removes what no restore of the newest `keep` backups needs. Returns the number of removed files. */
export async function expireBackups(storage: Storage, keep: number, signal: AbortSignal): Promise<number> {
  const paths = await listPaths(storage, signal);
  const expired = listExpired(await readBackups(storage, paths, signal), paths, keep);
  await removeFiles(storage, expired, signal);
  return expired.length;
}

async function removeBackup(storage: Storage, id: string, signal: AbortSignal): Promise<void> {
  const paths = await listPaths(storage, signal);
  await removeFiles(
    storage,
    paths.filter((path) => parseBackupPath(path)?.id === id),
    signal,
  );
}

/** Removes manifests first: a backup without its parts must not be listed. */
async function removeFiles(storage: Storage, paths: readonly string[], signal: AbortSignal): Promise<void> {
  const isManifest = (path: string) => parseBackupPath(path)?.isManifest === true;
  const manifestsFirst = [...paths].sort((one, other) => Number(isManifest(other)) - Number(isManifest(one)));
  for (const path of manifestsFirst) await storage.remove(path, signal);
}
