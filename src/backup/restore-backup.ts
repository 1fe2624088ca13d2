import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inLanes } from '../core/async/in-lanes.ts';
import { archivePaths, parseWalPath } from '../core/backup/archive-paths.ts';
import type { Backup, FoundBackups, UnreadableBackup } from '../core/backup/backup.ts';
import { chooseBackup } from '../core/backup/choose-backup.ts';
import { findGap, isWalSegment, segmentBefore, walPosition } from '../core/backup/wal-files.ts';
import { NotFound, StorageRejected } from '../core/errors.ts';
import type { Storage } from '../core/storage/storage.ts';
import {
  archiveIdentity,
  recoverCluster,
  recoveryWalName,
  type ArchiveIdentity,
  type Recovered,
  upgradeRecord,
} from '../postgres-server/index.ts';
import { findMissingWal, listPaths, listWalNames, readBackups } from './archive-files.ts';
import { readLastWrite, readOwnerIds } from './archive-owner.ts';
import { findUnshippedWal, packWal } from './unshipped-wal.ts';
import { unpackFiles } from './unpack-files.ts';

export interface RestoreOptions {
  readonly storage: Storage;
  readonly home: string;
  readonly replaces: boolean;
  /** Moment to restore; null: the newest state. */
  readonly until: Date | null;
  /** Id of a backup; null: the newest one before the moment. */
  readonly backupId: string | null;
  /** Completes the restored record, before it is in place. */
  readonly complete: (url: string, backup: Backup) => Promise<void>;
  readonly onProgress: (message: string) => void;
  /** Receives the bytes that were written, in all. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

export interface Restored extends Recovered {
  readonly backup: Backup;
  /** Newer backups that cannot be read. */
  readonly passedOver: readonly UnreadableBackup[];
}

/** Restores a private server from an archive, up to a moment, with what the home still has of its WAL. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { storage, until, signal, onProgress } = options;
  const paths = await listPaths(storage, signal);
  const found = await readBackups(storage, paths, signal);
  const { backup, passedOver } = chooseBackup(found, options);
  if (until === null) assertNewestReachable(passedOver, paths, found);
  const wal = listWal(paths, backup);
  const unshipped = await findUnshippedWal(options.home, backup, wal);
  if (until === null) await assertWithoutGap([...wal, ...unshipped.expected], backup, options);
  const identity = await newIdentity(backup, options);
  onProgress(`the backup ${backup.id}`);
  const recovered = await recoverCluster({
    home: options.home,
    replaces: options.replaces,
    postgresMajor: backup.postgresMajor,
    label: backup.label,
    until,
    fill: async (dataFolder) => {
      await fillFolder(dataFolder, backup, options);
      await archiveIdentity.write(dataFolder, identity);
      // It names the data from before an upgrade of the original, which is not that of this home.
      await upgradeRecord.remove(dataFolder);
      const paths = new Map(wal.map((name) => [name, archivePaths.wal(name, backup.walSystem ?? null)]));
      const walFolder = join(dataFolder, recoveryWalName);
      await readWal(walFolder, paths, options);
      await packWal(walFolder, unshipped, signal);
    },
    complete: (url) => options.complete(url, backup),
    onProgress,
    signal,
  });
  return { ...recovered, backup, passedOver };
}

/** @throws StorageRejected when the archive has WAL of a server of which no backup can be read: the newest state may be in it */
function assertNewestReachable(
  passedOver: readonly UnreadableBackup[],
  paths: readonly string[],
  { backups }: FoundBackups,
): void {
  const [newest] = passedOver.slice(-1);
  if (newest === undefined) return;
  const systems = new Set(backups.map(({ walSystem = null }) => walSystem));
  const path = paths.find((each) => {
    const wal = parseWalPath(each);
    return wal !== null && !systems.has(wal.system);
  });
  if (path === undefined) return;
  throw new StorageRejected(
    `${newest.reason} The newest state may depend on it: no other backup belongs to ${path}. ` +
      'To restore an earlier state, name a backup with --backup.',
  );
}

async function fillFolder(dataFolder: string, backup: Backup, options: RestoreOptions): Promise<void> {
  let bytesWritten = 0;
  await unpackFiles({
    storage: options.storage,
    backup,
    dataFolder,
    onBytes: (bytes) => options.onBytes((bytesWritten += bytes)),
    signal: options.signal,
  });
}

/** Returns the WAL from the begin of a backup on. @throws NotFound when a file that the backup needs is missing */
function listWal(paths: readonly string[], backup: Backup): readonly string[] {
  const names = listWalNames(paths, backup);
  const missing = findMissingWal(names, backup);
  if (missing !== null)
    throw new NotFound(
      `The archive has no ${missing}, which the backup ${backup.id} needs. Restore another backup.`,
    );
  const from = walPosition(backup.walFirst);
  return names.filter((name) => !isWalSegment(name) || walPosition(name) >= from);
}

/** @throws StorageRejected when WAL is missing between the backup and the newest state: the end of a restore would be an earlier one */
async function assertWithoutGap(
  names: readonly string[],
  backup: Backup,
  { storage, signal }: RestoreOptions,
): Promise<void> {
  const gap = findGap(names, backup);
  if (gap === null) return;
  const pathOf = (name: string) => archivePaths.wal(name, backup.walSystem ?? null);
  const last = await storage.find(pathOf(segmentBefore(gap)), signal);
  const since = last?.modifiedAt?.toISOString() ?? 'the change before it';
  throw new StorageRejected(
    `The archive has no ${pathOf(gap)}, but later files, so no change after about ${since} can be restored from the backup ${backup.id}. ` +
      'Choose a moment before that with --to, or a later backup.',
  );
}

/** Restored data continues on its own: its WAL has the same names as that of the server it comes from, which may still run. */
async function newIdentity(
  { systemId, walSystem = systemId }: Backup,
  { storage, signal }: RestoreOptions,
): Promise<ArchiveIdentity> {
  const owners = await readOwnerIds(storage, signal);
  return {
    id: String(randomBytes(8).readBigUInt64BE()),
    earlier: [],
    restoredFrom: [...owners, walSystem],
    restoredUpTo: (await readLastWrite(storage, signal))?.toISOString() ?? null,
  };
}

/** Files that are read at once. */
const filesAtOnce = 8;

/** Copies WAL as it is stored: the server decompresses what it replays. */
async function readWal(
  folder: string,
  paths: ReadonlyMap<string, string>,
  { storage, signal }: RestoreOptions,
): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await inLanes(paths, { lanesMax: filesAtOnce, signal }, async ([name, path], inner) => {
    const file = await storage.find(path, inner);
    if (file === null) throw new NotFound(`The archive has lost ${path} meanwhile. Run the restore again.`);
    const target = createWriteStream(join(folder, `${name}.gz`), { mode: 0o600 });
    await pipeline(await storage.read(file, inner), target, { signal: inner });
  });
}
