import { sql } from 'drizzle-orm';
import { advisoryLocks } from './advisory-locks.ts';
import type { Sql } from '../connection/client.ts';

/**
 * The login that holds the dispatcher's lock although it does not act as `nightshift_app`; null without one. While it holds the
 * lock, no process dispatches work.
 */
export async function findForeignLockHolder(db: Sql): Promise<string | null> {
  const { rows } = await db.execute<{ login: string }>(
    sql`SELECT r.rolname::text AS login FROM pg_locks l
      JOIN LATERAL pg_stat_get_activity(l.pid) a ON true JOIN pg_roles r ON r.oid = a.usesysid
      WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND l.classid = 0 AND l.objid = ${advisoryLocks.dispatcher} AND l.objsubid = 1
        AND NOT pg_has_role(r.oid, 'nightshift_app', 'MEMBER')
      LIMIT 1`,
  );
  return rows[0]?.login ?? null;
}
