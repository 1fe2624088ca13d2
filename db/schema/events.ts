import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { WebhookKind } from '../../src/core/events/event-envelope.ts';
import type { EventType } from '../../src/core/events/event.ts';
import type { Delivery, Webhook } from '../../src/core/events/webhook-store.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';
import { users } from './users.ts';

/** Webhooks of accounts, and subscriptions of users: targets and their events. */
export const webhooks = nightshift.table(
  'webhooks',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    /** `webhook` (Standard Webhooks), `slack` (incoming webhook) or `email`. */
    kind: text().notNull().$type<WebhookKind>(),
    /** URL or e-mail address. A URL of Slack is a secret, and is never shown in full. */
    target: text().notNull(),
    /** Signing secret `whsec_…`; after a rotation also the previous secret, until it expires. Null for other kinds. */
    secret: text(),
    secretBefore: text('secret_before'),
    secretBeforeUntil: moment('secret_before_until'),
    events: text().array().notNull().$type<readonly EventType[]>(),
    state: text().notNull().default('active').$type<Webhook['state']>(),
    /** Reason for which it is disabled. */
    stateReason: text('state_reason'),
    /** SHA-256 of the token that confirms an e-mail address, and its expiry. Null unless a confirmation is pending. */
    confirmDigest: bytea('confirm_digest').unique(),
    confirmUntil: moment('confirm_until'),
    /** User of a subscription, which tells only this user of one batch or schedule; null for a webhook of the account. */
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id),
    batchId: bigint('batch_id', { mode: 'number' }),
    scheduleId: bigint('schedule_id', { mode: 'number' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('webhooks_one_name')
      .on(table.accountId, table.name)
      .where(sql`${table.state} <> 'removed' AND ${table.userId} IS NULL`),
    uniqueIndex('webhooks_one_of_batch')
      .on(table.batchId, table.userId)
      .where(sql`${table.state} <> 'removed' AND ${table.batchId} IS NOT NULL`),
    uniqueIndex('webhooks_one_of_schedule')
      .on(table.scheduleId, table.userId)
      .where(sql`${table.state} <> 'removed' AND ${table.scheduleId} IS NOT NULL`),
    index('webhooks_by_user')
      .on(table.userId)
      .where(sql`${table.state} <> 'removed' AND ${table.userId} IS NOT NULL`),
    check(
      'webhooks_subscription',
      sql`num_nonnulls(${table.batchId}, ${table.scheduleId}) = num_nonnulls(${table.userId})
        AND (${table.userId} IS NULL OR ${table.kind} = 'email')`,
    ),
    check('webhooks_kind', sql`${table.kind} IN ('webhook', 'slack', 'email')`),
    check('webhooks_state', sql`${table.state} IN ('unconfirmed', 'active', 'disabled', 'removed')`),
    check('webhooks_confirm', sql`(${table.state} = 'unconfirmed') = (${table.confirmDigest} IS NOT NULL)`),
    check('webhooks_secret', sql`(${table.kind} = 'webhook') = (${table.secret} IS NOT NULL)`),
  ],
);

/** Events, append-only, written in the transaction of their cause. */
export const events = nightshift.table(
  'events',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** `webhook-id` of every delivery. */
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    event: text().notNull(),
    /** Subject, which makes the event unique: an event is stored once per subject. */
    subject: text().notNull(),
    payload: jsonb().notNull(),
    /** Ids of the receiving webhooks; null for all that subscribe to the event. */
    forWebhooks: bigint('for_webhooks', { mode: 'number' }).array(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Time at which payload and deliveries were deleted. The row stays, and prevents a second event. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    uniqueIndex('events_once').on(table.accountId, table.event, table.subject),
    index('events_by_account').on(table.accountId, table.id),
  ],
);

/** Deliveries of events to webhooks. */
export const webhookDeliveries = nightshift.table(
  'webhook_deliveries',
  {
    eventId: bigint('event_id', { mode: 'bigint' }).notNull(),
    webhookId: bigint('webhook_id', { mode: 'number' }).notNull(),
    /** `dead`: no more attempts until a replay. */
    state: text().notNull().default('pending').$type<Delivery['state']>(),
    attempts: smallint().notNull().default(0),
    nextAt: moment('next_at').notNull().defaultNow(),
    /** End of the claim by a sender. */
    leaseUntil: moment('lease_until'),
    /** Time of the last attempt, its HTTP status or SMTP code, and its error message. */
    triedAt: moment('tried_at'),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    deliveredAt: moment('delivered_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.webhookId] }),
    index('webhook_deliveries_due')
      .on(table.nextAt)
      .where(sql`${table.state} = 'pending'`),
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.eventId),
    // The next delivery of a webhook, without a scan of delivered ones.
    index('webhook_deliveries_pending')
      .on(table.webhookId, table.eventId)
      .where(sql`${table.state} = 'pending'`),
    check('webhook_deliveries_state', sql`${table.state} IN ('pending', 'delivered', 'dead')`),
    check(
      'webhook_deliveries_time',
      sql`(${table.state} = 'delivered') = (${table.deliveredAt} IS NOT NULL)`,
    ),
    check('webhook_deliveries_lease', sql`${table.state} = 'pending' OR ${table.leaseUntil} IS NULL`),
  ],
);
