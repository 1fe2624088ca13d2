import { sql } from 'drizzle-orm';
import { bigint, check, integer, text } from 'drizzle-orm/pg-core';
import { moment, nightshift } from './schema.ts';

/** Owners of credits, batches and keys. The command line acts as the account `default`. */
export const accounts = nightshift.table(
  'accounts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull().unique(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [check('accounts_name_length', sql`length(${table.name}) BETWEEN 1 AND 200`)],
);

/** Limits of an account that differ from the settings. No row, or null: the settings apply. */
export const accountLimits = nightshift.table(
  'account_limits',
  {
    accountId: bigint('account_id', { mode: 'number' })
      .primaryKey()
      .references(() => accounts.id),
    requestsPerMinute: integer('requests_per_minute'),
    openLookups: integer('open_lookups'),
    rowsPerBatch: integer('rows_per_batch'),
  },
  (table) => [
    check(
      'account_limits_positive',
      sql`least(${table.requestsPerMinute}, ${table.openLookups}, ${table.rowsPerBatch}) > 0`,
    ),
  ],
);

/** Logins of the server by which accounts read their own views. Only the owner writes here: who could, could read any account. */
export const accountLogins = nightshift.table('account_logins', {
  accountId: bigint('account_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id),
  roleName: text('role_name').notNull().unique(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** The one row that names this installation to others; made with the table. */
export const installation = nightshift.table('installation', {
  id: text()
    .primaryKey()
    .default(sql`gen_random_uuid()::text`),
});
