import { sql } from 'drizzle-orm';
import { bigint, check, text } from 'drizzle-orm/pg-core';
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

/** The one row that names this installation to others; made with the table. */
export const installation = nightshift.table('installation', {
  id: text()
    .primaryKey()
    .default(sql`gen_random_uuid()::text`),
});
