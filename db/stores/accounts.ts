import { sql } from 'drizzle-orm';
import { NotFound } from '../../src/core/errors.ts';
import { withDatabase, type Sql } from '../client.ts';

/**
 * The id of an account by its name.
 *
 * @throws NotFound when there is none.
 */
export async function findAccount(db: Sql, name: string): Promise<number> {
  const found = await withDatabase(() =>
    db.execute<{ id: string }>(sql`SELECT id FROM nightshift.accounts WHERE name = ${name}`),
  );
  const [row] = found.rows;
  if (row === undefined) throw new NotFound(`There is no account "${name}".`);
  return Number(row.id);
}
