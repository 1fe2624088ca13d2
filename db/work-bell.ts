import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from './client.ts';

/** The channel on which the dispatcher is told that there may be something to do. */
export const workBell = 'nightshift_work';

/** Rings in a statement of the caller's; heard when its transaction commits. */
export const ringSql: SQL = sql`pg_notify(${sql.raw(`'${workBell}'`)}, '')`;

/** Rings; heard when the caller's transaction commits. */
export async function ringWorkBell(db: Sql): Promise<void> {
  await db.execute(sql`SELECT ${ringSql}`);
}
