import { sql, type SQL } from 'drizzle-orm';

/** True when lookup `l` is in the range of chunk `c`. Of a chunk of a request, which has no batch, ask by id alone. */
export const isInChunkSql: SQL = sql`l.id BETWEEN c.first_lookup_id AND c.last_lookup_id
  AND l.batch_id = c.batch_id AND l.operation = c.operation`;
