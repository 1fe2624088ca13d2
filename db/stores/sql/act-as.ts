import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';

/** Sets the author of the changes in this transaction: the trigger for the timelines of batches stores it. Null: none. */
export async function actAs(db: Sql, actor: string | null): Promise<void> {
  if (actor === null) return;
  await db.execute(sql`SELECT set_config('nightshift.actor', ${actor}, true)`);
}
