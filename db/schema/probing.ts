import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { CatchAll } from '../../src/core/emails/probing/mailbox.ts';
import type { OptOut } from '../../src/core/emails/probing/opt-outs.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Cache of mail servers' answers by mailbox. An address is stored as a digest only. Safe to empty at any time: servers are asked again. */
export const mailboxes = nightshift.table(
  'mailboxes',
  {
    digest: bytea().primaryKey(),
    /** Null: asked about, and no answer yet. */
    finding: text(),
    catchAll: text('catch_all'),
    host: text(),
    /** Without names: the reply that decided, as code, enhanced code and lines. */
    reply: jsonb(),
    attempts: smallint().notNull().default(0),
    durationMs: integer('duration_ms'),
    checkedAt: moment('checked_at'),
    retryAt: moment('retry_at'),
    expiresAt: moment('expires_at'),
    /** Number of probes since the last answer. More than one means that a process died over it. */
    unanswered: smallint().notNull().default(0),
    askedAt: moment('asked_at').notNull(),
  },
  (table) => [index('mailboxes_by_age').on(table.askedAt)],
);

/** Cache of domains whose mail hosts accept any address. Safe to empty at any time. */
export const catchAlls = nightshift.table(
  'catch_alls',
  {
    domain: text().notNull(),
    /** The names of the mail hosts, joined. */
    hosts: text().notNull(),
    state: text().notNull().$type<CatchAll>(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.hosts] })],
);

/**
 * Names under which a domain's mail hosts were asked whether they accept any address, and put that off: the next question comes under the
 * same name, because greylisting lets nobody through whom it sees for the first time. Safe to empty at any time.
 */
export const probeControls = nightshift.table(
  'probe_controls',
  {
    domain: text().notNull(),
    /** The names of the mail hosts, joined. */
    hosts: text().notNull(),
    /** Local part of an address that cannot exist. */
    localPart: text('local_part').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.hosts] })],
);

/** Usage of probe budgets, in their windows; see `take_probe_budget`. */
export const probeBudgets = nightshift.table(
  'probe_budgets',
  {
    scope: text().notNull(),
    key: text().notNull(),
    /** Sixtieths of the window, counted since 1970, in which something was asked, and how much. */
    slices: bigint({ mode: 'bigint' }).array().notNull(),
    uses: integer().array().notNull(),
    usedAt: moment('used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    check('probe_budgets_scope', sql`${table.scope} IN ('group', 'domain', 'egress')`),
  ],
);

/** The one session that a group of mail hosts is asked in at a time. */
export const probeSessions = nightshift.table('probe_sessions', {
  mxGroup: text('mx_group').primaryKey(),
  token: uuid().notNull(),
  endsAt: moment('ends_at').notNull(),
});

/** Groups of mail hosts, or domains of them, that refused us, as seen from one egress: nobody of them is asked until then. */
export const probeBlocks = nightshift.table(
  'probe_blocks',
  {
    mxGroup: text('mx_group').notNull(),
    egress: text().notNull(),
    /** Empty: all of the group. */
    domain: text().notNull().default(''),
    finding: text().notNull(),
    until: moment('until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mxGroup, table.egress, table.domain] })],
);

/** Domains and persons that want to be left alone. A person is known by the digest of the canonical address alone. */
export const optOuts = nightshift.table(
  'opt_outs',
  {
    kind: text().notNull().$type<OptOut['kind']>(),
    key: text().notNull(),
    since: moment('since').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key] }),
    check('opt_outs_kind', sql`${table.kind} IN ('domain', 'person')`),
  ],
);

/** Addresses of single requests whose mail server is to be asked again: nobody waits for the answer, later requests find it. */
export const mailboxRechecks = nightshift.table(
  'mailbox_rechecks',
  {
    lookupId: bigint('lookup_id', { mode: 'bigint' }).primaryKey(),
    dueAt: moment('due_at').notNull(),
    /** Counts how often it was put into the queue; part of the job's name. */
    round: integer().notNull().default(0),
  },
  (table) => [index('mailbox_rechecks_by_due').on(table.dueAt)],
);
