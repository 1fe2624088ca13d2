import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, numeric, smallint, text } from 'drizzle-orm/pg-core';
import type { Credentials } from '../../src/core/storage/credentials.ts';
import type { Location } from '../../src/core/storage/location.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** The archive of this installation, outside of the database: at most one row (docs/guides/backup.md). */
export const archive = nightshift.table(
  'archive',
  {
    id: smallint().primaryKey().default(1),
    location: jsonb().notNull().$type<Location>(),
    /** Secrets of the location. Never part of a view. */
    credentials: jsonb().$type<Credentials>(),
    /** Interval of backups; null: only on command. */
    everySeconds: integer('every_seconds'),
    /** Number of backups to keep. */
    keep: smallint().notNull(),
    /** Changes with the location and the credentials: processes open the archive anew. */
    version: bigint({ mode: 'number' }).notNull(),
    /** False on a server of the user's own: only calls are archived. */
    hasBackups: boolean('has_backups').notNull(),
    backedUpAt: moment('backed_up_at'),
    /** Time at which the archive was set, or the last backup ended or failed. */
    triedAt: moment('tried_at'),
    /** Why the last backup, or the last transport of WAL, failed; null: it did not. */
    failure: text(),
  },
  (table) => [
    check('archive_one', sql`${table.id} = 1`),
    check('archive_keep', sql`${table.keep} > 0`),
    check('archive_every', sql`${table.everySeconds} > 0`),
  ],
);

/**
 * Calls that a restore brought back from the archive, and whose lookups it did not, because they are younger. The first lookup of the account
 * that would make an equal call gets it, and it becomes a row of `source_calls`.
 */
export const restoredCalls = nightshift.table(
  'restored_calls',
  {
    /** Id of the call before the restore. */
    id: bigint({ mode: 'bigint' }).primaryKey(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    source: text().notNull(),
    bucket: text().notNull(),
    description: text().notNull(),
    units: numeric().notNull(),
    sentAt: moment('sent_at').notNull(),
    answeredAt: moment('answered_at'),
    answer: text(),
    sourceCharge: numeric('source_charge'),
    responseHash: bytea('response_hash'),
    restoredAt: moment('restored_at').notNull().defaultNow(),
  },
  (table) => [index('restored_calls_by_description').on(table.accountId, table.source, table.description)],
);
