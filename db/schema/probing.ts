import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { CatchAll } from '../../src/core/emails/replies/smtp-reply.ts';
import type { OptOut } from '../../src/core/emails/probing/opt-outs.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Cache of probe results by mailbox. It stores digests of addresses only, and can be emptied at any time. */
export const mailboxes = nightshift.table(
  'mailboxes',
  {
    digest: bytea().primaryKey(),
    /** Null until the first result. */
    finding: text(),
    catchAll: text('catch_all'),
    host: text(),
    /** The decisive reply as code, enhanced code and lines, without names. */
    reply: jsonb(),
    attempts: smallint().notNull().default(0),
    durationMs: integer('duration_ms'),
    checkedAt: moment('checked_at'),
    retryAt: moment('retry_at'),
    expiresAt: moment('expires_at'),
    /** Number of probes since the last result. More than 1: a process died during a probe. */
    unanswered: smallint().notNull().default(0),
    askedAt: moment('asked_at').notNull(),
  },
  (table) => [index('mailboxes_by_age').on(table.askedAt)],
);

/** Cache of catch-all results by domain. Can be emptied at any time. */
export const catchAlls = nightshift.table(
  'catch_alls',
  {
    domain: text().notNull(),
    /** Joined names of the mail hosts. */
    hosts: text().notNull(),
    state: text().notNull().$type<CatchAll>(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.hosts] })],
);

/**
 * Control addresses of domains that greylisted their first probe. The next probe uses the same address, because greylisting rejects an
 * unknown one. Can be emptied at any time.
 */
export const probeControls = nightshift.table(
  'probe_controls',
  {
    domain: text().notNull(),
    /** Joined names of the mail hosts. */
    hosts: text().notNull(),
    /** Local part that cannot exist. */
    localPart: text('local_part').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.hosts] })],
);

/** Use of probe budgets in their windows; see `use_probe_budget`. */
export const probeBudgets = nightshift.table(
  'probe_budgets',
  {
    scope: text().notNull(),
    key: text().notNull(),
    /** Slices (sixtieths of the window, counted since 1970) with their number of uses. */
    slices: bigint({ mode: 'bigint' }).array().notNull(),
    uses: integer().array().notNull(),
    usedAt: moment('used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    check('probe_budgets_scope', sql`${table.scope} IN ('group', 'domain', 'egress')`),
  ],
);

/** Sessions with groups of mail hosts, one per group at a time. */
export const probeSessions = nightshift.table('probe_sessions', {
  mxGroup: text('mx_group').primaryKey(),
  token: uuid().notNull(),
  endsAt: moment('ends_at').notNull(),
});

/** Groups of mail hosts, or their domains, that rejected an egress address. They are not probed until `until`. */
export const probeBlocks = nightshift.table(
  'probe_blocks',
  {
    mxGroup: text('mx_group').notNull(),
    egress: text().notNull(),
    /** Empty for the whole group. */
    domain: text().notNull().default(''),
    finding: text().notNull(),
    until: moment('until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mxGroup, table.egress, table.domain] })],
);

/** Opt-outs of domains and persons. A person is stored as the digest of the canonical address. */
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

/** Pending rechecks of single validations, in the background. Later requests use the result. */
export const mailboxRechecks = nightshift.table(
  'mailbox_rechecks',
  {
    lookupId: bigint('lookup_id', { mode: 'bigint' }).primaryKey(),
    dueAt: moment('due_at').notNull(),
    /** Number of the job in the queue; part of its id. */
    round: integer().notNull().default(0),
  },
  (table) => [index('mailbox_rechecks_by_due').on(table.dueAt)],
);
