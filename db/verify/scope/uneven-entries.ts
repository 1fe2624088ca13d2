import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { idsIn } from '../purged-chunks.ts';
import type { EntryBlock, Scope } from './scope.ts';

const blocksMax = 10_000;

/**
 * Lists the blocks of entries that need a look at each entry: a lookup between their first and last one does not exist, waits in a block, or is
 * of another account; purged ones count. Null if there are more than 10,000. Reads lookups by their ids, whatever the statistics say.
 */
export async function listUnevenEntries(
  db: Sql,
  { entryBlocks }: Pick<Scope, 'entryBlocks'>,
): Promise<readonly EntryBlock[] | null> {
  const { rows } = await db.execute<{ account_id: string; to_seq: string }>(
    sql`SELECT b.account_id, b.to_seq FROM ${entryBlocks} b
      CROSS JOIN LATERAL (
        SELECT count(*) AS lookups FROM nightshift.lookups l
        WHERE l.id BETWEEN b.first_lookup AND b.last_lookup AND l.account_id IS NOT DISTINCT FROM b.account_id OFFSET 0
      ) l
      WHERE l.lookups <> b.last_lookup - b.first_lookup + 1 - (
          SELECT coalesce(sum(${idsIn(sql`p.lookups * int8multirange(int8range(b.first_lookup, b.last_lookup, '[]'))`)}), 0)
          FROM nightshift.purged_chunks p
          WHERE p.lookups && int8range(b.first_lookup, b.last_lookup, '[]') AND p.account_id = b.account_id)
      LIMIT ${blocksMax + 1}`,
  );
  if (rows.length > blocksMax) return null;
  return rows.map((row) => ({ accountId: BigInt(row.account_id), toSeq: BigInt(row.to_seq) }));
}
