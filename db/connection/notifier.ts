import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from './client.ts';

/** Channel on which the dispatcher learns that there may be work. It also polls, a little later. */
export const workChannel = 'nightshift_work';

/**
 * Notifies the dispatcher in a statement of the caller; delivered when the transaction commits. It never fails a transaction:
 * `nightshift.notify` skips the notification while the server's notification queue is half full.
 */
export const notifySql: SQL = sql`nightshift.notify(${sql.raw(`'${workChannel}'`)})`;

/** Notifies as `notifySql` does. */
export async function notifyWorkers(db: Sql): Promise<void> {
  await db.execute(sql`SELECT ${notifySql}`);
}
