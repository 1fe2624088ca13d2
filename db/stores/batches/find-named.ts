import { sql } from 'drizzle-orm';
import type { NamedBatch } from '../../../src/core/batches/named-batch.ts';
import type { Sql } from '../../connection/client.ts';

/**
 * Finds batches of an account by what a person types: `latest` for the newest one, the start of an id, or the name of its file. An id
 * without `bat_` needs 6 digits, because shorter ones are often words.
 */
export async function findNamedBatches(
  db: Sql,
  accountId: number,
  name: string,
  limit: number,
): Promise<readonly NamedBatch[]> {
  const wanted = name === 'latest' ? sql`true` : sql`(${startOfId(name)} OR ${hasName(name)})`;
  const { rows } = await db.execute<{ public_id: string; file_name: string; state: string; at: string }>(
    sql`SELECT b.public_id, coalesce(b.name, b.file_name) AS file_name, b.state, b.created_at AS at FROM nightshift.batches b
      WHERE b.account_id = ${accountId} AND b.deleted_at IS NULL AND ${wanted}
      ORDER BY b.id DESC LIMIT ${name === 'latest' ? 1 : limit}`,
  );
  return rows.map((row) => ({
    publicId: row.public_id,
    name: row.file_name,
    state: row.state as NamedBatch['state'],
    createdAt: new Date(row.at),
  }));
}

function startOfId(name: string) {
  const digits = /^(?:bat_([0-9a-f]{0,32})|([0-9a-f]{6,32}))$/.exec(name);
  return digits === null
    ? sql`false`
    : sql`starts_with(b.public_id, ${`bat_${digits[1] ?? digits[2] ?? ''}`})`;
}

/** Every name that a person may type for a batch, such as that of its file. */
function hasName(name: string) {
  return sql`(b.file_name = ${name} OR b.name = ${name})`;
}
