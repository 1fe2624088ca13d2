import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';

/** Gives up all that is on its way to a webhook, until somebody asks for it again; the caller's transaction, which has the webhook locked. */
export async function giveUpDeliveries(db: Sql, webhookKey: number, reason: string): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.webhook_deliveries SET state = 'dead', lease_until = NULL, last_error = ${reason}
      WHERE webhook_id = ${webhookKey} AND state = 'pending'`,
  );
}
