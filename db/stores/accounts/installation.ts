import { withDatabase, type Sql } from '../../connection/client.ts';
import { installation } from '../../schema/accounts.ts';

/** Reads the id of this installation, the same for all its processes, by which others identify it. */
export async function readInstallation(db: Sql): Promise<string> {
  const [found] = await withDatabase(() => db.select({ id: installation.id }).from(installation));
  if (found === undefined)
    throw new Error('The installation has no name: the migrations did not run to their end.');
  return found.id;
}
