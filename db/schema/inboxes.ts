import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SearchOptions } from '../../src/core/ads/ads-answer.ts';
import type { Operation } from '../../src/core/credits/price-book.ts';
import type {
  AfterPolicy,
  InboxFileOptions,
  InboxFileState,
  PendingMove,
} from '../../src/core/inboxes/inbox.ts';
import type { QueryCursor } from '../../src/core/inboxes/query-cursor.ts';
import type { Credentials } from '../../src/core/storage/credentials.ts';
import type { Location } from '../../src/core/storage/location.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Inboxes: places that are looked at on a cron pattern, and the terms of the batches that their files become. */
export const inboxes = nightshift.table(
  'inboxes',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    location: jsonb().notNull().$type<Location>(),
    /** Secrets of the location; null without any, and once the inbox is removed. No view has them. */
    credentials: jsonb().$type<Credentials>(),
    /** True for a location that the operator has named, which may be any folder. */
    isOperators: boolean('is_operators').notNull().default(false),
    cron: text().notNull(),
    /** IANA name, such as Europe/Berlin. */
    timeZone: text('time_zone').notNull(),
    /** Glob that names of files match; null for all. */
    pattern: text(),
    /** Time without a change after which a file is complete, where the storage shows files that are still being written. */
    settleMs: integer('settle_ms').notNull(),
    /** Policy for a file that became a batch. */
    after: text().notNull().default('keep').$type<AfterPolicy>(),
    /** SQL of an inbox on Postgres, and the column whose greater values mark newer rows. */
    query: text(),
    newerBy: text('newer_by'),
    /** Position of the query: everything up to it is loaded. */
    cursor: jsonb().$type<QueryCursor>(),
    /** `FileOptions`: column map, encoding, delimiter, header. */
    fileOptions: jsonb('file_options').notNull().$type<InboxFileOptions>(),
    /** Null: those that the columns of a file allow. */
    operations: text().array().$type<readonly Operation[]>(),
    sources: text().array().notNull().$type<readonly string[]>(),
    /** `SearchOptions`; null without any. */
    search: jsonb().$type<SearchOptions>(),
    /** Budget of each batch, in microcredits. */
    maxCreditsMicro: bigint('max_credits_micro', { mode: 'bigint' }),
    /** True when a file becomes a batch of its own, even if an earlier one has the same content. */
    again: boolean().notNull().default(false),
    state: text().notNull().default('active').$type<'active' | 'paused' | 'removed'>(),
    stateSince: moment('state_since').notNull().defaultNow(),
    /** Time of the next look; null unless the inbox is active. */
    nextAt: moment('next_at'),
    /** The process that looks into it: the token of its claim, the start of the claim and the end of its lease. */
    leaseToken: uuid('lease_token'),
    claimedAt: moment('claimed_at'),
    leaseUntil: moment('lease_until'),
    /** Time at which the last look ended without an error. */
    lookedAt: moment('looked_at'),
    /** Looks that failed in a row, the time of the first of them, and the error of the last; 0 and null after one that did not. */
    failures: integer().notNull().default(0),
    failingSince: moment('failing_since'),
    lastError: text('last_error'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Time of the purge of a removed inbox. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    uniqueIndex('inboxes_one_name')
      .on(table.accountId, table.name)
      .where(sql`${table.state} <> 'removed'`),
    index('inboxes_by_next')
      .on(table.nextAt)
      .where(sql`${table.state} = 'active'`),
    check('inboxes_state', sql`${table.state} IN ('active', 'paused', 'removed')`),
    check('inboxes_after', sql`${table.after} IN ('keep', 'move', 'delete')`),
    check('inboxes_next', sql`(${table.state} = 'active') = (${table.nextAt} IS NOT NULL)`),
    check(
      'inboxes_lease',
      sql`(${table.leaseToken} IS NULL) = (${table.leaseUntil} IS NULL)
        AND (${table.leaseToken} IS NULL OR ${table.claimedAt} IS NOT NULL)`,
    ),
    check('inboxes_credentials', sql`${table.state} <> 'removed' OR ${table.credentials} IS NULL`),
    check('inboxes_query', sql`(${table.location} ->> 'kind' = 'postgres') = (${table.query} IS NOT NULL)`),
    check('inboxes_newer_by', sql`${table.newerBy} IS NULL OR ${table.query} IS NOT NULL`),
    check(
      'inboxes_failing',
      sql`(${table.failures} = 0) = (${table.failingSince} IS NULL)
        AND (${table.failures} = 0) = (${table.lastError} IS NULL)`,
    ),
    check(
      'inboxes_bounds',
      sql`${table.maxCreditsMicro} >= 0 AND ${table.settleMs} BETWEEN 0 AND 3600000 AND ${table.failures} >= 0`,
    ),
  ],
);

/** Files that inboxes have seen, one row for each path and version. */
export const inboxFiles = nightshift.table(
  'inbox_files',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    inboxId: bigint('inbox_id', { mode: 'number' })
      .notNull()
      .references(() => inboxes.id),
    /** Path at which it arrived, below the root of the location. A version that is still being written changes in its row. */
    path: text().notNull(),
    version: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    modifiedAt: moment('modified_at'),
    state: text().notNull().$type<InboxFileState>(),
    /** Reason of a failed or ignored file, and why a file that is ready has to wait. */
    reason: text(),
    /** SHA-256 of the bytes that were loaded. */
    contentSha256: bytea('content_sha256'),
    batchId: bigint('batch_id', { mode: 'number' }),
    /** Path at which it is now: its own, one below `done/` or `failed/`, or null once it was deleted. */
    place: text(),
    /** Move or deletion of the file itself that is still to be done, and for a move its new place. */
    pending: text().$type<PendingMove>(),
    target: text(),
    /** Loads that have begun, and the time of the next one. */
    attempts: integer().notNull().default(0),
    nextAt: moment('next_at').notNull().defaultNow(),
    firstSeenAt: moment('first_seen_at').notNull().defaultNow(),
    seenAt: moment('seen_at').notNull().defaultNow(),
    unchangedSince: moment('unchanged_since').notNull().defaultNow(),
    settledAt: moment('settled_at'),
  },
  (table) => [
    uniqueIndex('inbox_files_one_version').on(table.inboxId, table.path, table.version),
    // At most one file is the origin of a batch; others with its content have joined it.
    uniqueIndex('inbox_files_batch')
      .on(table.batchId)
      .where(sql`${table.state} = 'loaded'`),
    index('inbox_files_by_inbox').on(table.inboxId, table.id),
    // Serves the counts by state, and the files in one state.
    index('inbox_files_by_state').on(table.inboxId, table.state, table.id),
    index('inbox_files_open')
      .on(table.inboxId, table.id)
      .where(sql`${table.settledAt} IS NULL OR ${table.pending} IS NOT NULL`),
    check(
      'inbox_files_state',
      sql`${table.state} IN ('waiting', 'ready', 'loading', 'loaded', 'joined', 'failed', 'ignored')`,
    ),
    check(
      'inbox_files_settled',
      sql`(${table.state} IN ('waiting', 'ready', 'loading')) = (${table.settledAt} IS NULL)`,
    ),
    check(
      'inbox_files_has_batch',
      sql`(${table.state} IN ('loaded', 'joined')) = (${table.batchId} IS NOT NULL)`,
    ),
    check(
      'inbox_files_reason',
      sql`${table.state} NOT IN ('failed', 'ignored') OR ${table.reason} IS NOT NULL`,
    ),
    check('inbox_files_pending', sql`${table.pending} IN ('move', 'delete')`),
    check(
      'inbox_files_target',
      sql`(${table.pending} IS NOT DISTINCT FROM 'move') = (${table.target} IS NOT NULL)
        AND (${table.pending} IS NULL OR ${table.place} IS NOT NULL)`,
    ),
    check('inbox_files_counts', sql`${table.bytes} >= 0 AND ${table.attempts} >= 0`),
  ],
);
