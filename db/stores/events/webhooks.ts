import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import { Conflict } from '../../../src/core/errors.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import { newId } from '../../../src/core/ids.ts';
import {
  webhooksMax,
  type Confirmation,
  type ConfirmedChanges,
  type CreatedWebhook,
  type NewWebhook,
  type Webhook,
  type WebhookStore,
} from '../../../src/core/events/webhook-store.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { webhooks } from '../../schema/events.ts';
import { msFromNow } from '../sql/moments.ts';
import { writeAudit } from '../accounts/audit-log.ts';
import { giveUpDeliveries } from './give-up-deliveries.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { listDeliveries, replayEvents } from './webhook-deliveries.ts';
import {
  findWebhook,
  lockWebhook,
  readWebhookAgain,
  selectWebhooks,
  toReceiver,
  toWebhook,
  type WebhookRow,
} from './webhook-rows.ts';

/** Webhooks in `nightshift.webhooks`. */
export function createWebhookStore(db: NodePgDatabase): WebhookStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    create: (accountId, webhook, by, kept) =>
      inTransaction((sql) => createWebhook(sql, accountId, webhook, by, kept)),
    list: (accountId) => withDatabase(async () => (await selectWebhooks(db, accountId)).map(toWebhook)),
    find: (accountId, name) => withDatabase(async () => toWebhook(await findWebhook(db, accountId, name))),
    findReceiver: (accountId, name) =>
      withDatabase(async () => toReceiver(await findWebhook(db, accountId, name))),
    change: (accountId, name, changes, by) =>
      inTransaction((sql) => changeWebhook(sql, accountId, name, changes, by)),
    confirm: (digest, from) => inTransaction((sql) => confirmWebhook(sql, digest, from)),
    remove: (accountId, name, by) => inTransaction((sql) => removeWebhook(sql, accountId, name, by)),
    rotate: (accountId, name, rotation, by, kept) =>
      inTransaction((sql) => rotateSecret(sql, accountId, name, { ...rotation, by, kept })),
    listDeliveries: (accountId, name, page) =>
      withDatabase(async () =>
        listDeliveries(db, accountId, (await findWebhook(db, accountId, name)).id, page),
      ),
    replay: (accountId, name, replay) =>
      inTransaction(async (sql) =>
        replayEvents(sql, accountId, (await lockWebhook(sql, accountId, name)).id, replay),
      ),
  };
}

async function createWebhook(
  db: Sql,
  accountId: number,
  webhook: NewWebhook,
  by: Actor,
  kept: StoredResponse<CreatedWebhook> | null = null,
): Promise<CreatedWebhook> {
  await lockNames(db, accountId);
  await rejectTooMany(db, accountId);
  await rejectTaken(db, accountId, webhook.name);
  const webhookId = newId('whk', Date.now());
  const { confirmation } = webhook;
  await db.insert(webhooks).values({
    publicId: webhookId,
    accountId,
    name: webhook.name,
    kind: webhook.kind,
    target: webhook.target,
    secret: webhook.secret,
    events: webhook.events,
    state: confirmation === null ? 'active' : 'unconfirmed',
    stateReason: waitsFor(confirmation),
    confirmDigest: confirmation?.digest ?? null,
    confirmUntil: until(confirmation),
  });
  const row = await findWebhook(db, accountId, webhookId);
  await audit(db, accountId, 'webhook_created', row, by);
  const created = { ...toWebhook(row), secret: row.secret };
  await keepAnswer(db, kept, created);
  return created;
}

/**
 * Serializes the naming of the account's webhooks until the transaction ends: two at once cannot take the same name, nor both
 * be the last one allowed.
 */
async function lockNames(db: Sql, accountId: number): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.webhookNames}, ${accountId})`);
}

async function rejectTooMany(db: Sql, accountId: number): Promise<void> {
  const { length } = await selectWebhooks(db, accountId);
  if (length < webhooksMax) return;
  throw new Conflict(`An account may have ${webhooksMax} webhooks. Remove one that is not needed any more.`);
}

async function rejectTaken(db: Sql, accountId: number, name: string): Promise<void> {
  const [taken] = await selectWebhooks(db, accountId, sql`w.state <> 'removed' AND w.name = ${name}`);
  if (taken === undefined) return;
  throw new Conflict(`There is a webhook "${name}" already. Remove it first, or choose another name.`);
}

async function changeWebhook(
  db: Sql,
  accountId: number,
  name: string,
  changes: ConfirmedChanges,
  by: Actor,
): Promise<Webhook> {
  const before = await lockWebhook(db, accountId, name);
  const { confirmation } = changes;
  if (before.state === 'unconfirmed' && changes.state !== undefined && confirmation === undefined)
    throw new Conflict(
      `"${before.name}" is not confirmed yet: open the link that was sent to ${before.target}. A test sends the link again.`,
    );
  if (changes.name !== undefined && changes.name !== before.name) {
    await lockNames(db, accountId);
    await rejectTaken(db, accountId, changes.name);
  }
  const state = stateAfter(before, changes);
  const isStillUnconfirmed = state === 'unconfirmed' && !confirmation;
  await db
    .update(webhooks)
    .set({
      name: changes.name,
      target: changes.target,
      events: changes.events,
      state,
      stateReason: confirmation ? waitsFor(confirmation) : reasonAfter(before, state),
      confirmDigest: isStillUnconfirmed ? undefined : (confirmation?.digest ?? null),
      confirmUntil: isStillUnconfirmed ? undefined : until(confirmation ?? null),
    })
    .where(eq(webhooks.id, before.id));
  const after = await readWebhookAgain(db, accountId, before);
  await audit(db, accountId, 'webhook_changed', after, by);
  return toWebhook(after);
}

/** State after a change; an operator who vouches for an unconfirmed address enables the webhook. */
function stateAfter({ state }: WebhookRow, changes: ConfirmedChanges): Webhook['state'] {
  if (changes.confirmation) return 'unconfirmed';
  const isVouchedFor = state === 'unconfirmed' && changes.confirmation === null;
  return changes.state ?? (isVouchedFor ? 'active' : state);
}

function waitsFor(confirmation: Confirmation | null): string | null {
  return confirmation === null ? null : 'waits for confirmation by the link that was sent there';
}

function until(confirmation: Confirmation | null): SQL | null {
  return confirmation === null ? null : sql`now() + make_interval(days => ${confirmation.days})`;
}

async function confirmWebhook(db: Sql, digest: Buffer, address: string): Promise<string | null> {
  const { id, accountId, target, state, confirmDigest, confirmUntil } = webhooks;
  const [confirmed] = await db
    .update(webhooks)
    .set({ state: 'active', stateReason: null, confirmDigest: null, confirmUntil: null })
    .where(and(eq(confirmDigest, digest), gt(confirmUntil, sql`now()`), eq(state, 'unconfirmed')))
    .returning({ id, accountId, target });
  if (confirmed === undefined) return null;
  const [webhook] = await selectWebhooks(db, confirmed.accountId, sql`w.id = ${confirmed.id}`);
  if (webhook !== undefined)
    await audit(db, confirmed.accountId, 'webhook_confirmed', webhook, { actor: 'link', address });
  return confirmed.target;
}

function reasonAfter(before: WebhookRow, state: Webhook['state']): string | null {
  if (state === 'active') return null;
  return before.state === state ? before.state_reason : 'by request';
}

async function removeWebhook(db: Sql, accountId: number, name: string, by: Actor): Promise<Webhook> {
  const row = await lockWebhook(db, accountId, name);
  await db
    .update(webhooks)
    .set({ state: 'removed', stateReason: 'by request', confirmDigest: null, confirmUntil: null })
    .where(eq(webhooks.id, row.id));
  await giveUpDeliveries(db, row.id, 'the webhook was removed');
  await audit(db, accountId, 'webhook_removed', row, by);
  return toWebhook(await readWebhookAgain(db, accountId, row));
}

interface Rotating {
  readonly secret: string;
  readonly overlapMs: number;
  readonly by: Actor;
  readonly kept: StoredResponse<CreatedWebhook> | null | undefined;
}

async function rotateSecret(
  db: Sql,
  accountId: number,
  name: string,
  { secret, overlapMs, by, kept }: Rotating,
): Promise<CreatedWebhook> {
  const before = await lockWebhook(db, accountId, name);
  if (before.kind !== 'webhook') {
    throw new Conflict(`"${before.name}" has no secret: only bodies that are posted to a --url are signed.`);
  }
  await db
    .update(webhooks)
    .set({
      secretBefore: sql`${webhooks.secret}`,
      secret,
      secretBeforeUntil: msFromNow(overlapMs),
    })
    .where(eq(webhooks.id, before.id));
  const after = await readWebhookAgain(db, accountId, before);
  await audit(db, accountId, 'webhook_rotated', after, by);
  const created = { ...toWebhook(after), secret };
  await keepAnswer(db, kept, created);
  return created;
}

async function audit(db: Sql, accountId: number, event: string, row: WebhookRow, by: Actor): Promise<void> {
  const details = {
    webhook: row.public_id,
    name: row.name,
    kind: row.kind,
    state: row.state,
    events: row.events,
  };
  await writeAudit(db, { accountId, event, keyId: null, ...by, details });
}
