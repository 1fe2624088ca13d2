import { and, eq } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { webhookDeliveries } from '../../schema/events.ts';

/** Gives up all that is on its way to a webhook, until somebody asks for it again; the caller's transaction, which has the webhook locked. */
export async function giveUpDeliveries(db: Sql, webhookKey: number, reason: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ state: 'dead', leaseUntil: null, lastError: reason })
    .where(and(eq(webhookDeliveries.webhookId, webhookKey), eq(webhookDeliveries.state, 'pending')));
}
