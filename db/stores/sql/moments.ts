import { sql, type SQL } from 'drizzle-orm';

/** The moment so many milliseconds after the beginning of the transaction. */
export function msFromNow(ms: number): SQL {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}

/** The moment so many milliseconds before the beginning of the transaction. */
export function msAgo(ms: number): SQL {
  return sql`now() - ${ms} * interval '1 millisecond'`;
}
