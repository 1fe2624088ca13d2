import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { BatchEvent } from '../../src/core/batches/batch-timeline.ts';
import type { BatchState } from '../../src/core/batches/batch.ts';
import type { Operation } from '../../src/core/credits/price-book.ts';
import type { PauseKind } from '../../src/core/pause.ts';
import type { SearchOptions } from '../../src/core/sources/ad-source.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** One submitted list. `public_id` is the only id that leaves the system. */
export const batches = nightshift.table(
  'batches',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    fileName: text('file_name').notNull(),
    state: text().notNull().default('loading').$type<BatchState>(),
    /** Why the batch waits, in plain words; null while it does not. */
    stateReason: text('state_reason'),
    stateSince: moment('state_since').notNull().defaultNow(),
    /** When a source that the batch waits for is tried again; null: after the usual time. */
    waitUntil: moment('wait_until'),
    waitKind: text('wait_kind').$type<PauseKind>(),
    /** Account, content, operations, column map and sources: what makes it "the same file again" (docs/architecture/concepts.md). */
    identity: bytea().notNull(),
    /** The batch that the same file continues. `--again` and a cancelled batch clear it. */
    isCurrent: boolean('is_current').notNull().default(true),
    contentSha256: bytea('content_sha256').notNull(),
    operations: text().array().notNull().$type<readonly Operation[]>(),
    /** The names of the user's columns, in their order. */
    header: text().array().notNull().$type<readonly string[]>(),
    columnMap: jsonb('column_map').$type<Readonly<Record<string, number>>>().notNull(),
    sources: text().array().notNull().$type<readonly string[]>(),
    /** Its `SearchOptions`; null: none. */
    search: jsonb().$type<SearchOptions>(),
    rowsTotal: integer('rows_total').notNull().default(0),
    rowsRejected: integer('rows_rejected').notNull().default(0),
    /** The most cells that any row has beyond the header; the export names them `extra_1` and so on. */
    extraCells: integer('extra_cells').notNull().default(0),
    lookupsTotal: integer('lookups_total').notNull().default(0),
    lastLookupId: bigint('last_lookup_id', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Number of lookups that validate addresses. */
    emailLookupsTotal: integer('email_lookups_total').notNull().default(0),
    /**
     * Lookups with ids up to this one are in chunks; the dispatcher cuts the next chunk behind it. Each operation is dispatched by
     * itself; one that the batch lacks stands at the largest number, and so is always done.
     */
    dispatchedTo: bigint('dispatched_to', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    emailsDispatchedTo: bigint('emails_dispatched_to', { mode: 'bigint' })
      .notNull()
      .default(sql`9223372036854775807`),
    /** Chunks cut so far; the next one's position in the queue. */
    chunksCut: integer('chunks_cut').notNull().default(0),
    /** `--limit`: only the companies of the first so many rows are looked up; and the last lookup that this allows. */
    limitRows: integer('limit_rows'),
    limitLookupId: bigint('limit_lookup_id', { mode: 'bigint' }),
    /** `--max-credits`: what the batch may be charged in all, in microcredits. */
    maxCreditsMicro: bigint('max_credits_micro', { mode: 'bigint' }),
    /** Failed lookups that a retry replaced by one of the next generation; they count no more. */
    retried: integer().notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    loadedAt: moment('loaded_at'),
    finishedAt: moment('finished_at'),
    /** When its rows, and what was found for them, began to go; see docs/guides/retention.md. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    uniqueIndex('batches_same_file')
      .on(table.accountId, table.identity)
      .where(sql`${table.isCurrent}`),
    uniqueIndex('batches_unfinished')
      .on(table.id)
      .where(sql`${table.state} NOT IN ('finished', 'cancelled')`),
    // Those of which blocks are kept (`row_blocks`).
    index('batches_in_blocks')
      .on(table.id)
      .where(
        sql`${table.rowsTotal} > 2000 AND ${table.state} IN ('finished', 'cancelled') AND ${table.purgedAt} IS NULL`,
      ),
    check(
      'batches_bounds',
      sql`${table.limitRows} > 0 AND ${table.maxCreditsMicro} >= 0 AND ${table.retried} >= 0`,
    ),
    check(
      'batches_state',
      sql`${table.state} IN ('loading', 'running', 'paused', 'waiting_for_credits', 'waiting_for_source', 'finished', 'cancelled')`,
    ),
  ],
);

/**
 * One line of a batch, kept with its line number and its own cells, in input order.
 *
 * Either its lookups, of one operation or of both, answer it, or `reject_reason` says why it has none.
 */
export const batchRows = nightshift.table(
  'batch_rows',
  {
    batchId: bigint('batch_id', { mode: 'number' }).notNull(),
    rowNo: integer('row_no').notNull(),
    lineNo: integer('line_no').notNull(),
    cells: text().array().notNull(),
    adsLookupId: bigint('ads_lookup_id', { mode: 'bigint' }),
    /**
     * The first row of its ads lookup: the charge shows there, and 0 on the others
     * (docs/architecture/decisions/0007-one-lookup-per-subject.md).
     */
    isFirst: boolean('is_first').notNull().default(false),
    emailLookupId: bigint('email_lookup_id', { mode: 'bigint' }),
    /** The same for its address. */
    emailIsFirst: boolean('email_is_first').notNull().default(false),
    rejectReason: text('reject_reason'),
    warning: text(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.rowNo] }),
    check(
      'batch_rows_one_fate',
      sql`(num_nonnulls(${table.adsLookupId}, ${table.emailLookupId}) = 0) = (${table.rejectReason} IS NOT NULL)`,
    ),
  ],
);

/**
 * Timeline of batches, in order; a trigger on their states writes it, and nothing else. A source that comes and goes makes one entry, not
 * thousands: a batch that begins to wait again for what it waited for before, with nothing but waiting in between, is counted in the entry
 * that is there. So there are a handful for each thing that a person does to it.
 */
export const batchEvents = nightshift.table(
  'batch_events',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    batchId: bigint('batch_id', { mode: 'number' })
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    event: text().notNull().$type<BatchEvent>(),
    at: moment('at').notNull().defaultNow(),
    /** In plain words, as it stood with the batch; of a wait the last one. */
    reason: text(),
    waitKind: text('wait_kind').$type<PauseKind>(),
    /** Author: the id of a key, `cli`, …; null for automatic events, and for those from before authors were stored. */
    actor: text(),
    /** Number of failed lookups that a retry replaced. */
    retried: integer(),
    /** Number of waits, with the start and the end of the last one; the end is null while it lasts. */
    times: integer().notNull().default(1),
    lastAt: moment('last_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('batch_events_by_batch').on(table.batchId, table.id),
    check(
      'batch_events_event',
      sql`${table.event} IN ('created', 'loaded', 'paused', 'resumed', 'waiting_for_credits', 'waiting_for_source', 'retried', 'finished', 'cancelled')`,
    ),
    check('batch_events_times', sql`${table.times} > 0`),
  ],
);
