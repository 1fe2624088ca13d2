import type { TestDatabase } from './db/database.ts';

/** Resolves when a statement in the database waits for a lock. */
export async function untilOneWaits({ owner }: Pick<TestDatabase, 'owner'>): Promise<void> {
  for (;;) {
    const { rowCount } = await owner.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if ((rowCount ?? 0) > 0) return;
  }
}
