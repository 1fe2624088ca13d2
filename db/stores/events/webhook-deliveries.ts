import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { NotFound } from '../../../src/core/errors.ts';
import type { Delivery, DeliveryPage, Replay } from '../../../src/core/events/webhook-store.ts';
import type { Sql } from '../../connection/client.ts';
import { events, webhookDeliveries } from '../../schema/events.ts';
import { msAgo } from '../sql/moments.ts';

/** Lists the deliveries of a webhook, newest events first. Null when the cursor is not an event of the account. */
export async function listDeliveries(
  db: Sql,
  accountId: number,
  webhookKey: number,
  { limit, before, state }: DeliveryPage,
): Promise<readonly Delivery[] | null> {
  const beforeKey = before === null ? null : await findEvent(db, accountId, before);
  if (before !== null && beforeKey === null) return null;
  const { publicId: eventId, event, createdAt } = events;
  const {
    state: stateNow,
    attempts,
    nextAt,
    triedAt,
    lastStatus,
    lastError,
    deliveredAt,
  } = webhookDeliveries;
  const deliveries = await db
    .select({
      eventId,
      event,
      state: stateNow,
      attempts,
      nextAt,
      triedAt,
      lastStatus,
      lastError,
      deliveredAt,
      createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookKey),
        beforeKey === null ? undefined : lt(webhookDeliveries.eventId, beforeKey),
        state === null ? undefined : eq(stateNow, state),
      ),
    )
    .orderBy(desc(webhookDeliveries.eventId))
    .limit(limit);
  return deliveries.map((each) => ({ ...each, nextAt: each.state === 'pending' ? each.nextAt : null }));
}

/** Sends events again, at once and with all attempts; in the caller's transaction, which has locked the webhook. Returns their number. */
export async function replayEvents(
  db: Sql,
  accountId: number,
  webhookKey: number,
  replay: Replay,
): Promise<number> {
  switch (replay.kind) {
    case 'event': {
      const key = await findEvent(db, accountId, replay.eventId);
      if (key === null) throw new NotFound(`There is no event ${replay.eventId}.`);
      return sendAgain(db, webhookKey, sql`n.id = ${key}`);
    }
    case 'dead':
      return sendAgain(db, webhookKey, sql`d.state = 'dead'`);
    case 'since':
      return sendAgain(
        db,
        webhookKey,
        sql`n.created_at > ${msAgo(replay.ageMs)} AND n.event = ANY (w.events)
          AND (n.for_webhooks IS NULL OR w.id = ANY (n.for_webhooks)) AND (d.state IS NULL OR d.state = 'dead')`,
      );
  }
}

/** Sends events `n` to webhook `w` again, and reuses delivery `d` if there is one. */
async function sendAgain(db: Sql, webhookKey: number, condition: ReturnType<typeof sql>): Promise<number> {
  const sent = await db.execute(
    sql`INSERT INTO nightshift.webhook_deliveries AS o (event_id, webhook_id)
      SELECT n.id, w.id FROM nightshift.webhooks w
      JOIN nightshift.events n ON n.account_id = w.account_id
      LEFT JOIN nightshift.webhook_deliveries d ON d.event_id = n.id AND d.webhook_id = w.id
      WHERE w.id = ${webhookKey} AND ${condition}
      ON CONFLICT (event_id, webhook_id) DO UPDATE SET state = 'pending', attempts = 0, next_at = now(), lease_until = NULL,
        last_status = NULL, last_error = NULL, delivered_at = NULL`,
  );
  return sent.rowCount ?? 0;
}

async function findEvent(db: Sql, accountId: number, eventId: string): Promise<bigint | null> {
  const [found] = await db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.accountId, accountId), eq(events.publicId, eventId)));
  return found?.id ?? null;
}
