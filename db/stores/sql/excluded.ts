import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** The value that an insert proposed for a column, for its `onConflictDoUpdate`. */
export function excluded({ name }: PgColumn): SQL {
  return sql`excluded.${sql.identifier(name)}`;
}
