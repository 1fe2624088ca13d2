import { readSystemId } from '../../db/backup/system-id.ts';
import { archivePaths, parseBackupPath, parseCallsPath, parseWalPath } from '../core/backup/archive-paths.ts';
import { ownershipOf, type ArchiveOwner, type Ownership } from '../core/backup/archive-owner.ts';
import { archiveFormat } from '../core/backup/backup.ts';
import { Conflict, StorageRejected } from '../core/errors.ts';
import type { Storage } from '../core/storage/storage.ts';
import { archiveIdentity, type PrivateServer } from '../postgres-server/index.ts';
import { listPaths, readText, writeJson, type Writing } from './archive-files.ts';

/** Returns a private server as the owner of an archive. */
export async function readPrivateOwner({
  url,
  dataFolder,
}: Pick<PrivateServer, 'url' | 'dataFolder'>): Promise<ArchiveOwner> {
  const identity = await archiveIdentity.read(dataFolder);
  if (identity === undefined) {
    const id = await readSystemId(url('postgres', 'postgres'));
    return { ids: [id], restoredFrom: [], restoredUpTo: null, mayHaveMoved: false };
  }
  const { id, earlier, restoredFrom, restoredUpTo = null } = identity;
  return {
    ids: [id, ...earlier],
    restoredFrom,
    restoredUpTo: restoredUpTo === null ? null : new Date(restoredUpTo),
    mayHaveMoved: false,
  };
}

/**
 * Marks an archive as that of a server, before anything else is written.
 *
 * @param takesOver true to go on in the archive of the server that this one was restored from, or was before a move, and which must not run any
 *   more.
 * @throws Conflict when it is that of another server, or when the original has gone on after the restore.
 */
export async function claimArchive(
  writing: Writing,
  owner: ArchiveOwner,
  { takesOver }: { readonly takesOver: boolean },
): Promise<void> {
  const ownership = await readOwnership(writing, owner);
  if (ownership === 'own') return;
  if (ownership !== null && (ownership === 'foreign' || !takesOver)) throw notOurs(ownership);
  if (ownership === 'original') await assertEnded(writing, owner);
  const [id] = owner.ids;
  await writeJson(writing, archivePaths.identity, { format: archiveFormat, systemId: id });
}

/**
 * @throws Conflict when the archive is that of another server by now.
 * @throws StorageRejected when it is not there: a folder whose disk is not mounted, and a prefix with a typing error, look like an empty one.
 */
export async function assertOwned(
  reading: Pick<Writing, 'storage' | 'signal'>,
  owner: ArchiveOwner,
): Promise<void> {
  const ownership = await readOwnership(reading, owner);
  if (ownership === null) throw noArchive();
  if (ownership !== 'own') throw notOurs(ownership);
}

/** @throws StorageRejected when a place is no archive of any server: it has neither an owner nor a backup */
export async function assertArchive(storage: Storage, signal: AbortSignal): Promise<void> {
  if ((await readText(storage, archivePaths.identity, signal)) !== null) return;
  const paths = await listPaths(storage, signal);
  if (!paths.some((path) => parseBackupPath(path)?.isManifest === true)) throw noArchive();
}

/** Returns the time of the newest change or call in an archive, as the storage measures it; null when there is none. */
export async function readLastWrite(storage: Storage, signal: AbortSignal): Promise<Date | null> {
  let last: Date | null = null;
  for await (const page of storage.list(signal)) {
    for (const { path, modifiedAt } of page) {
      const isWrite = parseWalPath(path) !== null || parseCallsPath(path) !== null;
      if (isWrite && modifiedAt !== null && (last === null || modifiedAt > last)) last = modifiedAt;
    }
  }
  return last;
}

/** Returns the ids in an archive of the server it belongs to; none in an archive without an owner. */
export async function readOwnerIds(storage: Storage, signal: AbortSignal): Promise<readonly string[]> {
  const text = await readText(storage, archivePaths.identity, signal);
  const id = text === null ? undefined : idIn(text);
  return typeof id === 'string' ? [id] : [];
}

/** Null: the archive has no owner. */
async function readOwnership(
  { storage, signal }: Pick<Writing, 'storage' | 'signal'>,
  owner: ArchiveOwner,
): Promise<Ownership | null> {
  const text = await readText(storage, archivePaths.identity, signal);
  return text === null ? null : ownershipOf(idIn(text), owner);
}

/** @throws Conflict when the archive has changes or calls that its server made after the restore: ids of calls would come again */
async function assertEnded(
  { storage, signal }: Pick<Writing, 'storage' | 'signal'>,
  { restoredUpTo }: ArchiveOwner,
): Promise<void> {
  if (restoredUpTo === null) return;
  const last = await readLastWrite(storage, signal);
  if (last === null || last <= restoredUpTo) return;
  throw new Conflict(
    `The server from which this one was restored has gone on: its archive has changes or calls of ${last.toISOString()}, which this one does not know. ` +
      'Restore again once that server has stopped for good, or name an empty folder or prefix.',
  );
}

const remedies: Readonly<Record<Exclude<Ownership, 'own'>, string>> = {
  foreign: 'The archive is that of another server. Name an empty folder or prefix for this one.',
  original:
    'The archive is that of the server from which this one was restored. If that one is gone for good, add --take-over to go on in its archive. ' +
    'Otherwise name an empty folder or prefix.',
  unclear:
    'The archive is that of another database. If it is that of this one from before pg_upgrade or a move, go on in it: ' +
    '`nightshift backup --take-over` with its location. Otherwise name another folder or prefix.',
};

function notOurs(ownership: Exclude<Ownership, 'own'>): Conflict {
  return new Conflict(remedies[ownership]);
}

function noArchive(): StorageRejected {
  return new StorageRejected(
    `The archive has no ${archivePaths.identity}: its disk is not mounted, its location or prefix is another one, or its files were removed. ` +
      'Mount the disk, or correct the location; for a new archive, run `nightshift backup` with its location.',
  );
}

function idIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly systemId?: unknown }).systemId;
  } catch {
    return undefined;
  }
}
