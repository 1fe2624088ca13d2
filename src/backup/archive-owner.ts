import { readSystemId } from '../../db/backup/system-id.ts';
import { archivePaths } from '../core/backup/archive-paths.ts';
import { ownershipOf, type ArchiveOwner, type Ownership } from '../core/backup/archive-owner.ts';
import { archiveFormat } from '../core/backup/backup.ts';
import { Conflict, StorageRejected } from '../core/errors.ts';
import type { Storage } from '../core/storage/storage.ts';
import { archiveIdentity, type PrivateServer } from '../postgres-server/index.ts';
import { readText, writeJson, type Writing } from './archive-files.ts';

/** Returns a private server as the owner of an archive. */
export async function readPrivateOwner({
  url,
  dataFolder,
}: Pick<PrivateServer, 'url' | 'dataFolder'>): Promise<ArchiveOwner> {
  const identity = await archiveIdentity.read(dataFolder);
  if (identity !== undefined)
    return { ids: [identity.id, ...identity.earlier], restoredFrom: identity.restoredFrom };
  return { ids: [await readSystemId(url('postgres', 'postgres'))], restoredFrom: [] };
}

/**
 * Marks an archive as that of a server, before anything else is written.
 *
 * @param takesOver true to go on in the archive of the server that this one was restored from, which must not run any more.
 * @throws Conflict when it is that of another server.
 */
export async function claimArchive(
  writing: Writing,
  owner: ArchiveOwner,
  { takesOver }: { readonly takesOver: boolean },
): Promise<void> {
  const ownership = await readOwnership(writing, owner);
  if (ownership === 'own') return;
  if (ownership !== null && !(ownership === 'original' && takesOver)) throw notOurs(ownership);
  const [id] = owner.ids;
  await writeJson(writing, archivePaths.identity, { format: archiveFormat, systemId: id });
}

/**
 * @throws Conflict when the archive is that of another server by now.
 * @throws StorageRejected when it is not there: a folder whose disk is not mounted looks like an empty one.
 */
export async function assertOwned(
  reading: Pick<Writing, 'storage' | 'signal'>,
  owner: ArchiveOwner,
): Promise<void> {
  const ownership = await readOwnership(reading, owner);
  if (ownership === null) {
    throw new StorageRejected(
      `The archive has no ${archivePaths.identity}: its disk is not mounted, or its files were removed. Mount the disk; for a new archive, run \`nightshift backup\` with its location.`,
    );
  }
  if (ownership !== 'own') throw notOurs(ownership);
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

function notOurs(ownership: Exclude<Ownership, 'own'>): Conflict {
  return new Conflict(
    ownership === 'foreign'
      ? 'The archive is that of another server. Name an empty folder or prefix for this one.'
      : 'The archive is that of the server from which this one was restored. If that one is gone for good, add --take-over to go on in its archive. Otherwise name an empty folder or prefix.',
  );
}

function idIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly systemId?: unknown }).systemId;
  } catch {
    return undefined;
  }
}
