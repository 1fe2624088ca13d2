import { sql, type SQL } from 'drizzle-orm';

/** The moment this many milliseconds after the start of the transaction. */
export function msFromNow(ms: number): SQL {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}

/** The moment this many milliseconds before the start of the transaction. */
export function msAgo(ms: number): SQL {
  return sql`now() - ${ms} * interval '1 millisecond'`;
}
