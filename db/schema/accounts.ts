import { sql } from 'drizzle-orm';
import { bigint, check, date, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, moment, nightshift } from './schema.ts';

/** Accounts own credits, batches and keys. The command line uses the account `default`. */
export const accounts = nightshift.table(
  'accounts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull().unique(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [check('accounts_name_length', sql`length(${table.name}) BETWEEN 1 AND 200`)],
);

/** Limits of an account that override the settings. Without a row, or with null, the settings apply. */
export const accountLimits = nightshift.table(
  'account_limits',
  {
    accountId: bigint('account_id', { mode: 'number' })
      .primaryKey()
      .references(() => accounts.id),
    requestsPerMinute: integer('requests_per_minute'),
    openLookups: integer('open_lookups'),
    rowsPerBatch: integer('rows_per_batch'),
    /** Share of the work of batches beside other accounts; 1 without one. */
    weight: integer(),
  },
  (table) => [
    check(
      'account_limits_positive',
      sql`least(${table.requestsPerMinute}, ${table.openLookups}, ${table.rowsPerBatch}) > 0`,
    ),
    check('account_limits_weight', sql`${table.weight} BETWEEN 1 AND 100`),
  ],
);

/** Limits of an account at a source, within those of the source. Null: none. */
export const accountSourceLimits = nightshift.table(
  'account_source_limits',
  {
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    source: text().notNull(),
    /** Calls in flight. */
    concurrency: integer(),
    /** Calls per day, UTC. */
    callsPerDay: integer('calls_per_day'),
    /** UTC day of `day_calls`, the number of calls on it while there is a limit of them. */
    day: date(),
    dayCalls: integer('day_calls').notNull().default(0),
    /** Time until which calls of batches leave room for a single search that waits. */
    searchUntil: moment('search_until'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.source] }),
    check('account_source_limits_positive', sql`least(${table.concurrency}, ${table.callsPerDay}) > 0`),
  ],
);

/** Postgres logins of accounts for their own views. Only the owner writes this table, because a row grants access to an account. */
export const accountLogins = nightshift.table('account_logins', {
  accountId: bigint('account_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id),
  roleName: text('role_name').notNull().unique(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** A single row with the id of this installation, inserted by the baseline migration. */
export const installation = nightshift.table('installation', {
  id: text()
    .primaryKey()
    .default(sql`gen_random_uuid()::text`),
  /** Key of signatures that only this installation makes; no view shows it. */
  secret: bytea()
    .notNull()
    .default(sql`sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`),
});
