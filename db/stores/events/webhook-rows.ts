import { and, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { NotFound } from '../../../src/core/errors.ts';
import type { EventType } from '../../../src/core/events/event.ts';
import type { Receiver, WebhookKind } from '../../../src/core/events/event-envelope.ts';
import { shownTarget, type Webhook } from '../../../src/core/events/webhook-store.ts';
import type { Sql } from '../../connection/client.ts';
import { webhooks } from '../../schema/events.ts';

/** A stored webhook, including its secrets. */
export interface WebhookRow {
  readonly id: number;
  readonly public_id: string;
  readonly name: string;
  readonly kind: WebhookKind;
  readonly target: string;
  readonly secret: string | null;
  readonly secrets: readonly string[];
  readonly secret_before_until: string | null;
  readonly events: readonly EventType[];
  readonly state: Webhook['state'];
  readonly state_reason: string | null;
  readonly created_at: string;
  readonly pending: number;
  readonly dead: number;
  readonly last_delivered_at: string | null;
}

/** Selects the webhooks `w` of an account that meet the condition, oldest first, without subscriptions. Default: those that were not removed. */
export async function selectWebhooks(
  db: Sql,
  accountId: number,
  condition: SQL = sql`w.state <> 'removed'`,
): Promise<readonly WebhookRow[]> {
  const found = await db.execute<Omit<WebhookRow, 'id'> & { readonly id: string }>(
    sql`SELECT w.id, w.public_id, w.name, w.kind, w.target, w.secret, w.events, w.state, w.state_reason, w.created_at,
        CASE WHEN w.secret_before_until > now() THEN w.secret_before_until END AS secret_before_until,
        array_remove(ARRAY[w.secret, CASE WHEN w.secret_before_until > now() THEN w.secret_before END], NULL) AS secrets, d.*
      FROM nightshift.webhooks w CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE state = 'pending')::integer AS pending,
          count(*) FILTER (WHERE state = 'dead')::integer AS dead, max(delivered_at) AS last_delivered_at
        FROM nightshift.webhook_deliveries WHERE webhook_id = w.id
      ) d
      WHERE w.account_id = ${accountId} AND w.user_id IS NULL AND ${condition} ORDER BY w.id`,
  );
  return found.rows.map((row) => ({ ...row, id: Number(row.id) }));
}

/** Finds a webhook by its id, or by its name in the account. @throws NotFound */
export async function findWebhook(db: Sql, accountId: number, name: string): Promise<WebhookRow> {
  const rows = await selectWebhooks(
    db,
    accountId,
    sql`w.state <> 'removed' AND (w.public_id = ${name} OR w.name = ${name})`,
  );
  const [row] = rows;
  if (row === undefined) throw noWebhook(name);
  return row;
}

/** Finds a webhook and locks it against changes. @throws NotFound */
export async function lockWebhook(db: Sql, accountId: number, name: string): Promise<WebhookRow> {
  const isNamed = or(eq(webhooks.publicId, name), eq(webhooks.name, name));
  await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(
      and(eq(webhooks.accountId, accountId), isNull(webhooks.userId), ne(webhooks.state, 'removed'), isNamed),
    )
    .for('no key update');
  return findWebhook(db, accountId, name);
}

/** Reads the current state of a webhook that the caller has locked. */
export async function readWebhookAgain(db: Sql, accountId: number, { id }: WebhookRow): Promise<WebhookRow> {
  const [row] = await selectWebhooks(db, accountId, sql`w.id = ${id}`);
  if (row === undefined) throw new Error('A webhook was deleted while it was locked.');
  return row;
}

function noWebhook(name: string): NotFound {
  return new NotFound(`There is no webhook ${name}. \`nightshift webhook list\` lists them.`);
}

/** Target of a webhook. */
export function toReceiver({
  name,
  kind,
  target,
  secrets,
}: WebhookRow): Receiver & { readonly name: string } {
  return { name, kind, target, secrets };
}

/** Webhook without secrets. */
export function toWebhook(row: WebhookRow): Webhook {
  return {
    webhookId: row.public_id,
    name: row.name,
    kind: row.kind,
    target: shownTarget(row.kind, row.target),
    events: row.events,
    state: row.state,
    stateReason: row.state_reason,
    createdAt: new Date(row.created_at),
    secretBeforeUntil: toDate(row.secret_before_until),
    pending: row.pending,
    dead: row.dead,
    lastDeliveredAt: toDate(row.last_delivered_at),
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
