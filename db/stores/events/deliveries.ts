import { and, eq, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { DeliveryEnd, DeliveryStore, DueDelivery } from '../../../src/core/events/delivery.ts';
import type { WebhookKind } from '../../../src/core/events/event-envelope.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { webhookDeliveries, webhooks } from '../../schema/events.ts';
import { texts } from '../sql/arrays.ts';
import { msFromNow } from '../sql/moments.ts';
import { giveUpDeliveries } from './give-up-deliveries.ts';

/** Deliveries in `nightshift.webhook_deliveries`. */
export function createDeliveryStore(db: NodePgDatabase): DeliveryStore {
  return {
    claim: (kinds, limit, leaseMs) => withDatabase(() => claimDue(db, { kinds, limit, leaseMs })),
    end: (delivery, end) => withDatabase(() => endDelivery(db, delivery, end)),
    release: (delivery) => withDatabase(() => release(db, delivery)),
  };
}

interface ClaimedRow extends Record<string, unknown> {
  readonly event_key: string;
  readonly webhook_key: string;
  readonly attempts: number;
  readonly public_id: string;
  readonly event: string;
  readonly created_at: string;
  readonly payload: unknown;
  readonly time_zone: string | null;
  readonly kind: WebhookKind;
  readonly target: string;
  readonly secrets: readonly string[];
}

/**
 * The lock on the webhook keeps two processes from sending to it at once; the conditions are repeated in the update, for
 * processes that read them before another claimed the delivery.
 */
async function claimDue(
  db: Sql,
  {
    kinds,
    limit,
    leaseMs,
  }: { readonly kinds: readonly WebhookKind[]; readonly limit: number; readonly leaseMs: number },
): Promise<readonly DueDelivery[]> {
  const claimed = await db.execute<ClaimedRow>(
    sql`WITH due AS (
        SELECT DISTINCT ON (d.webhook_id) d.webhook_id, d.event_id, d.next_at FROM nightshift.webhook_deliveries d
        WHERE d.state = 'pending' AND d.next_at <= now() AND coalesce(d.lease_until < now(), true)
        ORDER BY d.webhook_id, d.event_id
      ), ready AS (
        SELECT due.webhook_id, due.event_id FROM due JOIN nightshift.webhooks w ON w.id = due.webhook_id
        WHERE w.state = 'active' AND w.kind = ANY(${texts([...kinds])}) AND NOT EXISTS (
          SELECT FROM nightshift.webhook_deliveries o
          WHERE o.webhook_id = w.id AND o.state = 'pending' AND o.lease_until >= now())
        ORDER BY due.next_at LIMIT ${limit} FOR NO KEY UPDATE OF w SKIP LOCKED
      ), claimed AS (
        UPDATE nightshift.webhook_deliveries d SET attempts = d.attempts + 1, tried_at = now(),
          lease_until = ${msFromNow(leaseMs)}
        FROM ready r
        WHERE d.event_id = r.event_id AND d.webhook_id = r.webhook_id AND d.state = 'pending'
          AND coalesce(d.lease_until < now(), true)
        RETURNING d.event_id, d.webhook_id, d.attempts
      )
      SELECT c.event_id AS event_key, c.webhook_id AS webhook_key, c.attempts, n.public_id, n.event, n.created_at, n.payload,
        s.time_zone, w.kind, w.target, array_remove(ARRAY[w.secret,
          CASE WHEN w.secret_before_until > now() THEN w.secret_before END], NULL) AS secrets
      FROM claimed c
      JOIN nightshift.events n ON n.id = c.event_id
      JOIN nightshift.webhooks w ON w.id = c.webhook_id
      LEFT JOIN nightshift.schedules s ON s.public_id = n.payload ->> 'schedule_id' AND s.account_id = n.account_id
      ORDER BY c.event_id`,
  );
  return claimed.rows.map(toDue);
}

function toDue(row: ClaimedRow): DueDelivery {
  return {
    eventKey: BigInt(row.event_key),
    webhookKey: Number(row.webhook_key),
    attempt: row.attempts,
    envelope: {
      eventId: row.public_id,
      event: row.event,
      createdAt: new Date(row.created_at),
      payload: row.payload,
      timeZone: row.time_zone,
    },
    receiver: { kind: row.kind, target: row.target, secrets: row.secrets },
  };
}

async function endDelivery(db: NodePgDatabase, delivery: DueDelivery, end: DeliveryEnd): Promise<void> {
  switch (end.kind) {
    case 'delivered':
      return setDelivered(db, delivery, end.status);
    case 'retry':
    case 'dead':
      return setFailed(db, delivery, end);
    case 'gone':
      await db.transaction((transaction) => switchOff(transaction, delivery, end));
  }
}

/** Locks the webhook first, as a claim does, to avoid a deadlock. */
async function switchOff(
  db: Sql,
  delivery: DueDelivery,
  end: Extract<DeliveryEnd, { kind: 'gone' }>,
): Promise<void> {
  const reason = `it wants no more events (${end.error})`;
  await db
    .update(webhooks)
    .set({ state: 'disabled', stateReason: reason })
    .where(and(eq(webhooks.id, delivery.webhookKey), eq(webhooks.state, 'active')));
  await setFailed(db, delivery, { ...end, kind: 'dead' });
  await giveUpDeliveries(db, delivery.webhookKey, `the webhook was disabled: ${reason}`);
}

/** Marks a delivery as delivered, whichever process holds the claim now. */
async function setDelivered(db: Sql, delivery: DueDelivery, status: number): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({
      state: 'delivered',
      deliveredAt: sql`now()`,
      leaseUntil: null,
      lastStatus: status,
      lastError: null,
    })
    .where(and(isDelivery(delivery), ne(webhookDeliveries.state, 'delivered')));
}

async function setFailed(
  db: Sql,
  delivery: DueDelivery,
  end: Extract<DeliveryEnd, { kind: 'retry' | 'dead' }>,
): Promise<void> {
  const waitMs = end.kind === 'retry' ? end.waitMs : 0;
  await db
    .update(webhookDeliveries)
    .set({
      state: end.kind === 'retry' ? 'pending' : 'dead',
      leaseUntil: null,
      nextAt: msFromNow(waitMs),
      lastStatus: end.status,
      lastError: end.error,
    })
    .where(and(isDelivery(delivery), isClaimedAs(delivery)));
}

async function release(db: Sql, delivery: DueDelivery): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ attempts: sql`${webhookDeliveries.attempts} - 1`, leaseUntil: null })
    .where(and(isDelivery(delivery), isClaimedAs(delivery)));
}

function isDelivery({ eventKey, webhookKey }: DueDelivery) {
  return and(eq(webhookDeliveries.eventId, eventKey), eq(webhookDeliveries.webhookId, webhookKey));
}

/** Every claim increments the number of attempts. */
function isClaimedAs({ attempt }: DueDelivery) {
  return and(eq(webhookDeliveries.state, 'pending'), eq(webhookDeliveries.attempts, attempt));
}
