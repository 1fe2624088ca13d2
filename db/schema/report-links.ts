import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { batches } from './batches.ts';
import { schedules } from './schedules.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Links to the report of a batch or a schedule, which need no sign-in. Only the SHA-256 of a token is stored. */
export const reportLinks = nightshift.table(
  'report_links',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    digest: bytea().notNull().unique(),
    batchId: bigint('batch_id', { mode: 'number' }).references(() => batches.id, { onDelete: 'cascade' }),
    scheduleId: bigint('schedule_id', { mode: 'number' }).references(() => schedules.id),
    /** Author: the id of a user or key, or `cli`. */
    createdBy: text('created_by').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    opened: integer().notNull().default(0),
    openedAt: moment('opened_at'),
  },
  (table) => [
    index('report_links_by_account').on(table.accountId, table.id),
    index('report_links_by_batch').on(table.batchId),
    index('report_links_by_schedule').on(table.scheduleId),
    check('report_links_digest_length', sql`length(${table.digest}) = 32`),
    check('report_links_subject', sql`num_nonnulls(${table.batchId}, ${table.scheduleId}) = 1`),
    check(
      'report_links_opened',
      sql`${table.opened} >= 0 AND (${table.opened} > 0) = (${table.openedAt} IS NOT NULL)`,
    ),
  ],
);
