import { sql } from 'drizzle-orm';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** Reads the name of this installation, the same for all its processes, by which it identifies itself to others. */
export async function readInstallation(db: Sql): Promise<string> {
  const found = await withDatabase(() =>
    db.execute<{ id: string }>(sql`SELECT id FROM nightshift.installation`),
  );
  const id = found.rows[0]?.id;
  if (id === undefined)
    throw new Error('The installation has no name: the migrations did not run to their end.');
  return id;
}
