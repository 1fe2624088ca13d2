import { and, eq } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { webhookDeliveries } from '../../schema/events.ts';

/** Abandons all pending deliveries of a webhook until a replay; in the caller's transaction, which has locked the webhook. */
export async function giveUpDeliveries(db: Sql, webhookKey: number, reason: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ state: 'dead', leaseUntil: null, lastError: reason })
    .where(and(eq(webhookDeliveries.webhookId, webhookKey), eq(webhookDeliveries.state, 'pending')));
}
