import { sql, type SQL } from 'drizzle-orm';

/** True when lookup `l` is in the range of chunk `c`. A chunk of a request has no batch: compare ids only. */
export const isInChunkSql: SQL = sql`l.id BETWEEN c.first_lookup_id AND c.last_lookup_id
  AND l.batch_id = c.batch_id AND l.operation = c.operation`;
