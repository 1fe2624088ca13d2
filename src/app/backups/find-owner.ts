import { readDatabaseId } from '../../../db/backup/system-id.ts';
import { withDatabase } from '../../../db/connection/client.ts';
import { readPrivateOwner } from '../../backup/archive-owner.ts';
import { databaseOwner, type ArchiveOwner } from '../../core/backup/archive-owner.ts';
import type { Servers } from '../servers.ts';

/** Returns the owner of the archive of an installation: its private server, or the database on a server of the user's own. */
export async function findOwner({ postgres, database }: Servers): Promise<ArchiveOwner> {
  if (postgres.server !== null) return readPrivateOwner(postgres.server);
  return databaseOwner(await withDatabase(() => readDatabaseId(database.pool)));
}
