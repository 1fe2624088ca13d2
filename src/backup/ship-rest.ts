import { setTimeout as delay } from 'node:timers/promises';
import { readWalArchiving, switchWal } from '../../db/backup/wal-archiving.ts';
import { archivePaths } from '../core/backup/archive-paths.ts';
import { spoolCommand } from '../postgres-server/index.ts';
import { readWalSystem, shipWal, type Shipping } from './ship-wal.ts';

const pollMs = 50;

/**
 * Completes the present file of WAL, and resolves when every change until now is in the archive. Does nothing while the server keeps no WAL.
 *
 * @throws Conflict | StorageRejected when the archive is not that of the server (`assertOwned`).
 */
export async function shipRest(shipping: Shipping): Promise<void> {
  const url = shipping.server.url('postgres', 'postgres');
  if ((await readWalArchiving(url)).command !== spoolCommand) return;
  await shipUntil(await switchWal(url), shipping);
}

/**
 * Ships WAL until a file has reached the archive.
 *
 * @param onWait is awaited after each round that has not brought it; its error ends the wait.
 */
export async function shipUntil(
  name: string,
  shipping: Shipping,
  onWait: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { server, storage, signal } = shipping;
  const path = archivePaths.wal(name, await readWalSystem(server.dataFolder));
  for (;;) {
    await shipWal(shipping);
    // Also another process may have shipped it.
    if ((await storage.find(path, signal)) !== null) return;
    await onWait();
    await delay(pollMs, undefined, { signal });
  }
}
