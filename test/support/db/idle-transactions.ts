import type { TestDatabase } from './database.ts';

/** Number of sessions of a database that keep a transaction open without running a statement. */
export async function countIdleInTransaction({ owner }: TestDatabase): Promise<number> {
  const found = await owner.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
        AND state LIKE 'idle in transaction%'`,
  );
  return found.rows[0]?.n ?? 0;
}
