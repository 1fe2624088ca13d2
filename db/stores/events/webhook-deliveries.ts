import { sql } from 'drizzle-orm';
import { NotFound } from '../../../src/core/errors.ts';
import type { Delivery, DeliveryPage, Replay } from '../../../src/core/events/webhook-store.ts';
import type { Sql } from '../../connection/client.ts';

interface DeliveryRow extends Record<string, unknown> {
  readonly public_id: string;
  readonly event: string;
  readonly state: Delivery['state'];
  readonly attempts: number;
  readonly next_at: string;
  readonly tried_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly delivered_at: string | null;
  readonly created_at: string;
}

/** The deliveries of a webhook, the newest events first. Null when the page is to go on after what is no event of the account. */
export async function listDeliveries(
  db: Sql,
  accountId: number,
  webhookKey: string,
  { limit, before, state }: DeliveryPage,
): Promise<readonly Delivery[] | null> {
  const beforeKey = before === null ? null : await findEvent(db, accountId, before);
  if (before !== null && beforeKey === null) return null;
  const found = await db.execute<DeliveryRow>(
    sql`SELECT n.public_id, n.event, n.created_at, d.state, d.attempts, d.next_at, d.tried_at, d.last_status, d.last_error, d.delivered_at
      FROM nightshift.webhook_deliveries d JOIN nightshift.events n ON n.id = d.event_id
      WHERE d.webhook_id = ${webhookKey} AND (${beforeKey}::bigint IS NULL OR d.event_id < ${beforeKey})
        AND (${state}::text IS NULL OR d.state = ${state})
      ORDER BY d.event_id DESC LIMIT ${limit}`,
  );
  return found.rows.map(toDelivery);
}

/** Sends events again, at once and with all attempts anew; the caller's transaction, which has the webhook locked. Answers how many. */
export async function replayEvents(
  db: Sql,
  accountId: number,
  webhookKey: string,
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
        sql`n.created_at > now() - ${replay.ageMs} * interval '1 millisecond' AND n.event = ANY (w.events)
          AND (n.for_webhooks IS NULL OR w.id = ANY (n.for_webhooks)) AND (d.state IS NULL OR d.state = 'dead')`,
      );
  }
}

/** Sends events `n` to webhook `w` again, over delivery `d`, where there is one. */
async function sendAgain(db: Sql, webhookKey: string, condition: ReturnType<typeof sql>): Promise<number> {
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

async function findEvent(db: Sql, accountId: number, eventId: string): Promise<string | null> {
  const found = await db.execute<{ id: string }>(
    sql`SELECT id FROM nightshift.events WHERE account_id = ${accountId} AND public_id = ${eventId}`,
  );
  return found.rows[0]?.id ?? null;
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    eventId: row.public_id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    nextAt: row.state === 'pending' ? toDate(row.next_at) : null,
    triedAt: toDate(row.tried_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    deliveredAt: toDate(row.delivered_at),
    createdAt: new Date(row.created_at),
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
