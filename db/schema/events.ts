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
import type { NoticeEvent } from '../../src/core/events/event.ts';
import type { Delivery, Webhook } from '../../src/core/events/webhook-store.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Webhooks of accounts: targets and their events. */
export const webhooks = nightshift.table(
  'webhooks',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    /** `webhook` after Standard Webhooks, `slack` for incoming webhooks as Slack has them, `email`. */
    kind: text().notNull().$type<WebhookKind>(),
    /** The address it goes to. Those of Slack are secrets: nobody is shown them whole. */
    target: text().notNull(),
    /** Signing secret, `whsec_…`; after a rotation the one before too, until it expires. Null for other kinds. */
    secret: text(),
    secretBefore: text('secret_before'),
    secretBeforeUntil: moment('secret_before_until'),
    events: text().array().notNull().$type<readonly NoticeEvent[]>(),
    state: text().notNull().default('active').$type<Webhook['state']>(),
    /** Why it was switched off, in plain words. */
    stateReason: text('state_reason'),
    /** SHA-256 of the token with which whoever reads the address confirms it, until it lapses. Null unless it waits for that. */
    confirmDigest: bytea('confirm_digest').unique(),
    confirmUntil: moment('confirm_until'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('webhooks_one_name')
      .on(table.accountId, table.name)
      .where(sql`${table.state} <> 'removed'`),
    check('webhooks_kind', sql`${table.kind} IN ('webhook', 'slack', 'email')`),
    check('webhooks_state', sql`${table.state} IN ('unconfirmed', 'active', 'disabled', 'removed')`),
    check('webhooks_confirm', sql`(${table.state} = 'unconfirmed') = (${table.confirmDigest} IS NOT NULL)`),
    check('webhooks_secret', sql`(${table.kind} = 'webhook') = (${table.secret} IS NOT NULL)`),
  ],
);

/** Events, written in the transaction of their cause; append-only. */
export const notices = nightshift.table(
  'notices',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The `webhook-id` of every delivery of it. */
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    event: text().notNull(),
    /** Subject of the event, which makes it unique: the same event of the same subject is stored once. */
    subject: text().notNull(),
    about: jsonb().notNull(),
    /** The webhooks that it is for, by id; null: all that take the event. */
    forWebhooks: bigint('for_webhooks', { mode: 'number' }).array(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When what it told and its deliveries went. It stays, so that the same is not told again. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    uniqueIndex('notices_once').on(table.accountId, table.event, table.subject),
    index('notices_by_account').on(table.accountId, table.id),
  ],
);

/** One notice on its way to one webhook. */
export const webhookDeliveries = nightshift.table(
  'webhook_deliveries',
  {
    noticeId: bigint('notice_id', { mode: 'bigint' }).notNull(),
    webhookId: bigint('webhook_id', { mode: 'number' }).notNull(),
    /** `dead`: given up, until somebody asks for it again. */
    state: text().notNull().default('pending').$type<Delivery['state']>(),
    attempts: smallint().notNull().default(0),
    nextAt: moment('next_at').notNull().defaultNow(),
    /** End of the sender's claim. */
    leaseUntil: moment('lease_until'),
    /** When it was last claimed, and what came of that: the HTTP status or SMTP code, and what went wrong, in plain words. */
    triedAt: moment('tried_at'),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    deliveredAt: moment('delivered_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.noticeId, table.webhookId] }),
    index('webhook_deliveries_due')
      .on(table.nextAt)
      .where(sql`${table.state} = 'pending'`),
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.noticeId),
    // What a webhook is told next, past all that it was told.
    index('webhook_deliveries_pending')
      .on(table.webhookId, table.noticeId)
      .where(sql`${table.state} = 'pending'`),
    check('webhook_deliveries_state', sql`${table.state} IN ('pending', 'delivered', 'dead')`),
    check(
      'webhook_deliveries_time',
      sql`(${table.state} = 'delivered') = (${table.deliveredAt} IS NOT NULL)`,
    ),
    check('webhook_deliveries_lease', sql`${table.state} = 'pending' OR ${table.leaseUntil} IS NULL`),
  ],
);
