import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type {
  Destination,
  DestinationFormat,
  DestinationOptions,
} from '../../src/core/destinations/destination.ts';
import type { Landing } from '../../src/core/destinations/landing.ts';
import type { ReportDepth } from '../../src/core/batches/batch-report.ts';
import type { Credentials } from '../../src/core/storage/credentials.ts';
import type { Location } from '../../src/core/storage/location.ts';
import { accounts } from './accounts.ts';
import { moment, nightshift } from './schema.ts';

/** Destinations of accounts: places that results are written to (docs/guides/destinations.md). */
export const destinations = nightshift.table(
  'destinations',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    /** Scope: the batches of one schedule, one batch, or without both every batch of the account. */
    scheduleId: bigint('schedule_id', { mode: 'number' }),
    batchId: bigint('batch_id', { mode: 'number' }),
    location: jsonb().notNull().$type<Location>(),
    /** Secrets of the location. Never part of a view, and deleted when the destination is removed. */
    credentials: jsonb().$type<Credentials>(),
    /** True when an account named the location over the API, false for the operator: an account may not name every folder. */
    isOfAccount: boolean('is_of_account').notNull(),
    format: text().notNull().$type<DestinationFormat>(),
    shapes: text().array().notNull().$type<readonly ReportDepth[]>(),
    options: jsonb().notNull().$type<DestinationOptions>(),
    state: text().notNull().default('active').$type<Destination['state']>(),
    /** Reason for which it is disabled, or for which the storage rejects it. */
    stateReason: text('state_reason'),
    /** Batches that finish after this time have a landing for each of the shapes. */
    takesSince: moment('takes_since').notNull().defaultNow(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('destinations_one_name')
      .on(table.accountId, table.name)
      .where(sql`${table.state} <> 'removed'`),
    check('destinations_scope', sql`${table.scheduleId} IS NULL OR ${table.batchId} IS NULL`),
    check(
      'destinations_format',
      sql`${table.format} IN ('csv', 'xlsx', 'ndjson', 'json', 'parquet', 'table')`,
    ),
    check('destinations_state', sql`${table.state} IN ('active', 'disabled', 'removed')`),
    check('destinations_credentials', sql`${table.state} <> 'removed' OR ${table.credentials} IS NULL`),
  ],
);

/** Landings: the writing of a batch, in one shape, to a destination. Entries of an outbox, created in the transaction that finishes the batch. */
export const landings = nightshift.table(
  'landings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    destinationId: bigint('destination_id', { mode: 'number' })
      .notNull()
      .references(() => destinations.id),
    batchId: bigint('batch_id', { mode: 'number' }).notNull(),
    shape: text().notNull().$type<ReportDepth>(),
    /** Number of the completion of the batch that lands: a batch that was retried lands again. */
    revision: integer().notNull().default(1),
    /** Batch, shape and time of the completion. */
    contentKey: text('content_key').notNull(),
    /** UTC day of the first completion, which is part of the path and never changes. */
    day: date({ mode: 'string' }).notNull(),
    /** `dead`: no more attempts until a replay. */
    state: text().notNull().default('pending').$type<Landing['state']>(),
    attempts: smallint().notNull().default(0),
    /** Fencing token: the number of all claims. Only the latest claim may write. */
    token: integer().notNull().default(0),
    nextAt: moment('next_at').notNull().defaultNow(),
    /** End of the claim by a process. */
    leaseUntil: moment('lease_until'),
    /** Time of the last attempt, and its error message. */
    triedAt: moment('tried_at'),
    lastError: text('last_error'),
    landedAt: moment('landed_at'),
    /** Remark on what landed, such as repeated keys. */
    note: text(),
    /** Size of what landed, without the manifest. */
    rows: bigint({ mode: 'number' }),
    bytes: bigint({ mode: 'number' }),
    parts: integer(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('landings_once').on(table.destinationId, table.batchId, table.shape),
    index('landings_due')
      .on(table.destinationId, table.id)
      .where(sql`${table.state} = 'pending'`),
    index('landings_by_batch').on(table.batchId),
    // Serves the counts by state, and the time of the last landing.
    index('landings_by_state').on(table.destinationId, table.state, table.landedAt),
    check('landings_state', sql`${table.state} IN ('pending', 'landed', 'dead')`),
    check('landings_time', sql`(${table.state} = 'landed') = (${table.landedAt} IS NOT NULL)`),
    check('landings_lease', sql`${table.state} = 'pending' OR ${table.leaseUntil} IS NULL`),
    check(
      'landings_size',
      sql`${table.state} <> 'landed' OR num_nonnulls(${table.rows}, ${table.bytes}, ${table.parts}) = 3`,
    ),
  ],
);

/** Parts of landings: the files or the table load. Part 0 is the manifest. */
export const landingParts = nightshift.table(
  'landing_parts',
  {
    landingId: bigint('landing_id', { mode: 'number' })
      .notNull()
      .references(() => landings.id),
    part: integer().notNull(),
    /** Path below the root of the storage, or name of the table. */
    path: text().notNull(),
    rows: bigint({ mode: 'number' }).notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Hexadecimal SHA-256 of the file; null for a table. */
    sha256: text(),
    /** Time at which the storage confirmed it; null before: the file may exist or not. */
    writtenAt: moment('written_at'),
  },
  (table) => [
    primaryKey({ columns: [table.landingId, table.part] }),
    check('landing_parts_numbers', sql`${table.part} >= 0 AND ${table.rows} >= 0 AND ${table.bytes} >= 0`),
  ],
);
