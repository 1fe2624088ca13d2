import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';

/** Who does what follows in this transaction: the trigger that writes the timelines of batches notes it. Null: nobody. */
export async function actAs(db: Sql, actor: string | null): Promise<void> {
  if (actor === null) return;
  await db.execute(sql`SELECT set_config('nightshift.actor', ${actor}, true)`);
}
