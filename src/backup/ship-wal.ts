import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { withWalTransport } from '../../db/backup/wal-archiving.ts';
import { archivePaths } from '../core/backup/archive-paths.ts';
import type { Storage } from '../core/storage/storage.ts';
import { writeLocalFile } from '../files/write-local-file.ts';
import {
  errorCode,
  listSpooled,
  archiveIdentity,
  spoolName,
  type PrivateServer,
} from '../postgres-server/index.ts';
import { assertOwned, readPrivateOwner } from './archive-owner.ts';

const compress = promisify(gzip);

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
 * @throws Conflict | StorageRejected when the archive is not that of the server (`assertOwned`).
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
    const file = await writeLocalFile(join(workFolder, `${name}.gz`), await compress(content, { level: 1 }));
    try {
      await storage.write(archivePaths.wal(name, system), file, { contentType: 'application/gzip', signal });
    } finally {
      await rm(file.path, { force: true });
    }
    await rm(place, { force: true });
    shipped.push(name);
  }
  return shipped;
}

function ifMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}
