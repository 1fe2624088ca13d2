import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';

/** The increment of the sequence `lookup_id_blocks`: each of its values is the first of this many ids. */
export const lookupIdsPerBlock = 1000;

/** Reserves ids that are unique for good. */
export async function takeLookupIds(db: Sql): Promise<{ first: bigint; count: number }> {
  const block = await db.execute<{ first: string }>(
    sql`SELECT nextval('nightshift.lookup_id_blocks') AS first`,
  );
  return { first: BigInt(block.rows[0]?.first ?? 0), count: lookupIdsPerBlock };
}
