import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { withWalTransport } from '../../db/backup/wal-archiving.ts';
import { archivePaths } from '../core/backup/archive-paths.ts';
import { Conflict } from '../core/errors.ts';
import type { Storage } from '../core/storage/storage.ts';
import { storeContent } from '../files/store-content.ts';
import {
  errorCode,
  listSpooled,
  archiveIdentity,
  spoolName,
  type PrivateServer,
} from '../postgres-server/index.ts';
import { readContent } from './archive-files.ts';
import { assertOwned, readPrivateOwner } from './archive-owner.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export interface Shipping {
  readonly storage: Storage;
  readonly server: Pick<PrivateServer, 'url' | 'dataFolder'>;
  /** Folder for the file that is being stored. */
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

/**
 * Carries complete files of WAL from the spool to the archive, and removes each when it is there. Returns their names; none while another
 * process does so.
 *
 * @throws Conflict | StorageRejected when the archive is not that of the server (`assertOwned`); Conflict when a copy of the server writes there, too.
 */
export async function shipWal(shipping: Shipping): Promise<readonly string[]> {
  const { server } = shipping;
  if ((await listSpooled(server.dataFolder)).length === 0) return [];
  await assertOwned(shipping, await readPrivateOwner(server));
  return (await withWalTransport(server.url('postgres', 'postgres'), () => shipFiles(shipping))) ?? [];
}

/** Returns the folder for the WAL of a server, as `Backup.walSystem`. */
export async function readWalSystem(dataFolder: string): Promise<string | null> {
  return (await archiveIdentity.read(dataFolder))?.id ?? null;
}

async function shipFiles({
  storage,
  server: { dataFolder },
  workFolder,
  signal,
}: Shipping): Promise<readonly string[]> {
  const system = await readWalSystem(dataFolder);
  const shipped: string[] = [];
  for (const name of await listSpooled(dataFolder)) {
    const place = join(dataFolder, spoolName, name);
    const content = await readFile(place).catch(ifMissing);
    // Another process was faster.
    if (content === null) continue;
    const path = archivePaths.wal(name, system);
    if (!(await isStored(path, content, { storage, signal }))) {
      const packed = await compress(content, { level: 1 });
      const through = join(workFolder, `${name}.gz`);
      await storeContent(storage, path, packed, { through, contentType: 'application/gzip', signal });
    }
    await rm(place, { force: true });
    shipped.push(name);
  }
  return shipped;
}

/**
 * True when the archive has this file of WAL already: the process that stored it was killed before it removed it from the spool.
 *
 * @throws Conflict when it has another one of this name, from a copy of the server that has gone on by itself: replaced, it would end a restore early.
 */
async function isStored(
  path: string,
  content: Buffer,
  { storage, signal }: Pick<Shipping, 'storage' | 'signal'>,
): Promise<boolean> {
  const packed = await readContent(storage, path, signal);
  if (packed === null) return false;
  const earlier = await decompress(packed).catch(() => null);
  // A damaged file is replaced.
  if (earlier === null) return false;
  if (earlier.equals(content)) return true;
  throw new Conflict(
    `The archive has other changes as ${path}: a copy of this database archives there, too. Run \`nightshift backup off\` in the copy. ` +
      'Where you go on, run `nightshift backup` with an empty folder or prefix.',
  );
}

function ifMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}
