import { and, count, eq, isNull, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import {
  subscriptionsMax,
  type NewSubscription,
  type Subscriber,
  type Subscription,
  type SubscriptionStore,
  type SubscriptionSubject,
} from '../../../src/core/events/subscriptions.ts';
import { newId } from '../../../src/core/ids.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { webhooks } from '../../schema/events.ts';
import { schedules } from '../../schema/schedules.ts';
import { users } from '../../schema/users.ts';
import { writeAudit } from '../accounts/audit-log.ts';
import { findOwnBatch } from '../batches/batch-summaries.ts';
import { giveUpDeliveries } from './give-up-deliveries.ts';

/** Subscriptions in `nightshift.webhooks`: rows of kind `email` with a user, and a batch or a schedule. */
export function createSubscriptionStore(db: NodePgDatabase): SubscriptionStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    findLogin: (subscriber) => withDatabase(async () => (await selectUser(db, subscriber))[0]?.login ?? null),
    list: (subscriber) => withDatabase(() => listSubscriptions(db, subscriber)),
    assertSubject: (accountId, subject) =>
      withDatabase(async () => void (await findScope(db, accountId, subject))),
    add: (subscriber, subject, added, by) =>
      inTransaction((each) => addSubscription(each, { subscriber, subject, by }, added)),
    remove: (subscriber, subject, by) =>
      inTransaction((each) => removeSubscription(each, { subscriber, subject, by })),
  };
}

/** A change by a user. */
interface Change {
  readonly subscriber: Subscriber;
  readonly subject: SubscriptionSubject;
  readonly by: Actor;
}

function selectUser(db: Sql, { accountId, userId }: Subscriber) {
  const { id, login, publicId, disabledAt } = users;
  return db
    .select({ id, login })
    .from(users)
    .where(and(eq(users.accountId, accountId), eq(publicId, userId), isNull(disabledAt)));
}

async function listSubscriptions(db: Sql, { accountId, userId }: Subscriber) {
  const { rows } = await db.execute<{
    readonly kind: Subscription['kind'];
    readonly id: string;
    readonly name: string;
    readonly created_at: string;
  }>(
    sql`SELECT CASE WHEN w.batch_id IS NULL THEN 'schedule' ELSE 'batch' END AS kind, coalesce(b.public_id, s.public_id) AS id,
        coalesce(b.name, b.file_name, s.name) AS name, w.created_at
      FROM nightshift.webhooks w
      JOIN nightshift.users u ON u.id = w.user_id AND u.account_id = ${accountId} AND u.public_id = ${userId}
      LEFT JOIN nightshift.batches b ON b.id = w.batch_id
      LEFT JOIN nightshift.schedules s ON s.id = w.schedule_id
      WHERE w.state <> 'removed' AND coalesce(b.id, s.id) IS NOT NULL ORDER BY w.id DESC LIMIT ${subscriptionsMax}`,
  );
  return rows.map(({ kind, id, name, created_at: at }) => ({ kind, id, name, createdAt: new Date(at) }));
}

/** The lock on the user makes a removal of the user wait, which then removes this subscription, too. */
async function addSubscription(db: Sql, change: Change, { target, events }: NewSubscription): Promise<void> {
  const { subscriber, subject } = change;
  const { accountId, userId } = subscriber;
  const [user] = await selectUser(db, subscriber).for('no key update');
  if (user === undefined) throw new NotFound(`There is no user ${userId}.`);
  const scope = await findScope(db, accountId, subject);
  await rejectTooMany(db, user.id);
  const webhookId = newId('whk', Date.now());
  const inserted = await db
    .insert(webhooks)
    .values({
      ...{ publicId: webhookId, accountId, userId: user.id, ...scope },
      // Without the address, which can be erased.
      name: `subscription to ${subject.id}`,
      ...{ kind: 'email', target, events },
    })
    .onConflictDoNothing();
  if (inserted.rowCount !== 0) await audit(db, change, 'subscription_added');
}

async function removeSubscription(db: Sql, change: Change): Promise<void> {
  const { subscriber, subject } = change;
  const scope = await findScope(db, subscriber.accountId, subject);
  const { id, userId, batchId, scheduleId, state } = webhooks;
  const [user] = await selectUser(db, subscriber);
  if (user === undefined) return;
  const removed = await db
    .update(webhooks)
    .set({ state: 'removed', stateReason: 'by request' })
    .where(
      and(
        eq(userId, user.id),
        ne(state, 'removed'),
        'batchId' in scope ? eq(batchId, scope.batchId) : eq(scheduleId, scope.scheduleId),
      ),
    )
    .returning({ id });
  for (const each of removed) await giveUpDeliveries(db, each.id, 'the subscription was removed');
  if (removed.length > 0) await audit(db, change, 'subscription_removed');
}

/** Column of the batch or schedule. @throws NotFound */
async function findScope(db: Sql, accountId: number, { kind, id }: SubscriptionSubject) {
  if (kind === 'batch') return { batchId: await findOwnBatch(db, accountId, id) };
  const [found] = await db
    .select({ id: schedules.id })
    .from(schedules)
    .where(
      and(eq(schedules.accountId, accountId), eq(schedules.publicId, id), ne(schedules.state, 'removed')),
    );
  if (found === undefined) throw new NotFound(`There is no schedule ${id}.`);
  return { scheduleId: found.id };
}

async function rejectTooMany(db: Sql, userKey: number): Promise<void> {
  const [counted] = await db
    .select({ subscriptions: count() })
    .from(webhooks)
    .where(and(eq(webhooks.userId, userKey), ne(webhooks.state, 'removed')));
  if ((counted?.subscriptions ?? 0) < subscriptionsMax) return;
  throw new Conflict(
    `You get e-mail about ${subscriptionsMax} batches and schedules, the maximum. Remove one.`,
  );
}

async function audit(db: Sql, { subscriber, subject, by }: Change, event: string): Promise<void> {
  const details = { user: subscriber.userId, [subject.kind]: subject.id };
  await writeAudit(db, { accountId: subscriber.accountId, event, keyId: null, ...by, details });
}
