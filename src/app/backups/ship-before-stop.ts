import { openDatabase } from '../../../db/connection/client.ts';
import { errorCode } from '../../../db/connection/error-code.ts';
import { createArchiveStore } from '../../../db/stores/archive/archive-store.ts';
import type { Config } from '../../config/config.ts';
import type { ArchiveSettings } from '../../core/backup/archive-settings.ts';
import { messageOf } from '../../core/errors.ts';
import type { PrivateServer } from '../../postgres-server/index.ts';
import { shipChanges } from './write-archive.ts';

/** Bound on the transport: an archive that cannot be reached does not keep a server from stopping. */
const shipMsMax = 30_000;

/**
 * Carries the last changes of a private server to its archive before the server stops.
 *
 * @returns why they have not reached it; null when they have, or there is no archive.
 */
export async function shipBeforeStop(
  config: Config,
  server: Pick<PrivateServer, 'url' | 'dataFolder'>,
  signal: AbortSignal,
): Promise<string | null> {
  const bound = AbortSignal.timeout(shipMsMax);
  try {
    await shipChanges(config, await readArchive(server), {
      server,
      signal: AbortSignal.any([signal, bound]),
    });
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (bound.aborted) return `The archive has not taken them within ${shipMsMax / 1000} s.`;
    return messageOf(error);
  }
}

async function readArchive({ url }: Pick<PrivateServer, 'url'>): Promise<ArchiveSettings | null> {
  const database = openDatabase({
    url: url('nightshift_owner'),
    role: null,
    connectionsMax: 1,
    name: 'nightshift backup',
    onIdleError: () => undefined,
  });
  try {
    return await createArchiveStore(database.sql).read();
  } catch (error) {
    // A server that was never used.
    if (['42P01', '3D000'].includes(String(errorCode(error)))) return null;
    throw error;
  } finally {
    await database.close();
  }
}
