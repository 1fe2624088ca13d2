import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from './client.ts';

/** The channel on which the dispatcher is told that there may be something to do. It looks by itself as well, a little later. */
export const workChannel = 'nightshift_work';

/**
 * Rings in a statement of the caller's; heard when its transaction commits. It never fails one: `nightshift.notify` rings nothing while the
 * server's queue of notifications is half full.
 */
export const notifySql: SQL = sql`nightshift.notify(${sql.raw(`'${workChannel}'`)})`;

/** Rings as `ringSql` does. */
export async function notifyWorkers(db: Sql): Promise<void> {
  await db.execute(sql`SELECT ${notifySql}`);
}
