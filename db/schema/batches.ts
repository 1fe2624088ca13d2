import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { BatchEvent } from '../../src/core/batches/batch-timeline.ts';
import type { BatchOriginKind } from '../../src/core/batches/batch-origin.ts';
import type { BatchState } from '../../src/core/batches/batch.ts';
import type { Operation } from '../../src/core/credits/price-book.ts';
import type { PauseKind } from '../../src/core/work/pause.ts';
import type { SearchOptions } from '../../src/core/ads/ads-answer.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Batches: submitted files and their work. `public_id` is the only id that the API shows. */
export const batches = nightshift.table(
  'batches',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    fileName: text('file_name').notNull(),
    /** Name of the sheet that was read; null for a file without sheets. */
    sheet: text(),
    state: text().notNull().default('loading').$type<BatchState>(),
    /** Message for a wait; null otherwise. */
    stateReason: text('state_reason'),
    stateSince: moment('state_since').notNull().defaultNow(),
    /** Time of the next attempt at a source; null for the default interval. */
    waitUntil: moment('wait_until'),
    /** `PauseKind` of a wait. */
    waitKind: text('wait_kind').$type<PauseKind>(),
    /** `WaitCause` of a wait for a source where the kind does not determine it, and its limit. A trigger clears both after the wait. */
    waitCause: text('wait_cause'),
    waitBound: text('wait_bound'),
    /** Hash of content, operations, column map and sources, which identifies a repeated file (docs/architecture/concepts.md). */
    identity: bytea().notNull(),
    /** True for the batch that the same file continues. `--again` and a cancellation clear it. */
    isCurrent: boolean('is_current').notNull().default(true),
    contentSha256: bytea('content_sha256').notNull(),
    operations: text().array().notNull().$type<readonly Operation[]>(),
    /** Column names of the file, in order. */
    header: text().array().notNull().$type<readonly string[]>(),
    columnMap: jsonb('column_map').$type<Readonly<Record<string, number>>>().notNull(),
    sources: text().array().notNull().$type<readonly string[]>(),
    /** `SearchOptions`; null without any. */
    search: jsonb().$type<SearchOptions>(),
    rowsTotal: integer('rows_total').notNull().default(0),
    rowsRejected: integer('rows_rejected').notNull().default(0),
    /** Maximum number of cells beyond the header; exports name them `extra_1`, `extra_2` and so on. */
    extraCells: integer('extra_cells').notNull().default(0),
    lookupsTotal: integer('lookups_total').notNull().default(0),
    lastLookupId: bigint('last_lookup_id', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Number of lookups that validate addresses. */
    emailLookupsTotal: integer('email_lookups_total').notNull().default(0),
    /**
     * Largest lookup id that is in a chunk; the dispatcher cuts the next chunk after it. Each operation has its own mark. An operation
     * that the batch lacks has the largest number, and is always done.
     */
    dispatchedTo: bigint('dispatched_to', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    emailsDispatchedTo: bigint('emails_dispatched_to', { mode: 'bigint' })
      .notNull()
      .default(sql`9223372036854775807`),
    /** Number of chunks that were cut. */
    chunksCut: integer('chunks_cut').notNull().default(0),
    /** Limit of rows whose companies are looked up, and the last lookup within it. */
    limitRows: integer('limit_rows'),
    limitLookupId: bigint('limit_lookup_id', { mode: 'bigint' }),
    /** Budget of the batch, in microcredits. */
    maxCreditsMicro: bigint('max_credits_micro', { mode: 'bigint' }),
    /** Number of lookups that a retry has replaced. Counts exclude them. */
    retried: integer().notNull().default(0),
    /** Number of those that had ended as `no_match`; the others had failed. */
    retriedNoMatch: integer('retried_no_match').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    loadedAt: moment('loaded_at'),
    finishedAt: moment('finished_at'),
    /** Start of the purge of its rows and results (docs/guides/retention.md). */
    purgedAt: moment('purged_at'),
    /** Time of the last erasure of an address in its lookups or rows. */
    erasedAt: moment('erased_at'),
    /** Name that people gave it; null: the name of the file. */
    name: text(),
    tags: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** `BatchOriginKind`; null for older batches whose origin was not recorded. */
    origin: text().$type<BatchOriginKind>(),
    /** Author: the id of a user or key, or `cli`; null for scans and files of inboxes. */
    createdBy: text('created_by'),
    /** Batch that was run again. */
    runOf: bigint('run_of', { mode: 'number' }),
    archivedAt: moment('archived_at'),
    /** Time at which people deleted it: no list shows it, and housekeeping purges its rows and results. */
    deletedAt: moment('deleted_at'),
    /** Text between two cells of the file; null for another format than CSV, and for batches from before it was stored. */
    delimiter: text(),
  },
  (table) => [
    uniqueIndex('batches_same_file')
      .on(table.accountId, table.identity)
      .where(sql`${table.isCurrent}`),
    uniqueIndex('batches_unfinished')
      .on(table.id)
      .where(sql`${table.state} NOT IN ('finished', 'cancelled')`),
    // Batches with a search index (`search_blocks`).
    index('batches_in_blocks')
      .on(table.id)
      .where(
        sql`${table.rowsTotal} > 2000 AND ${table.state} IN ('finished', 'cancelled') AND ${table.purgedAt} IS NULL`,
      ),
    // Batches of the same file.
    index('batches_by_content').on(table.accountId, table.contentSha256),
    // Deleted batches, of which housekeeping purges the rest.
    index('batches_deleted')
      .on(table.id)
      .where(sql`${table.deletedAt} IS NOT NULL`),
    check(
      'batches_origin',
      sql`${table.origin} IN ('upload', 'api', 'cli', 'schedule', 'inbox', 'run_again')`,
    ),
    check(
      'batches_bounds',
      sql`${table.limitRows} > 0 AND ${table.maxCreditsMicro} >= 0 AND ${table.retried} >= ${table.retriedNoMatch} AND ${table.retriedNoMatch} >= 0`,
    ),
    check(
      'batches_state',
      sql`${table.state} IN ('loading', 'running', 'paused', 'waiting_for_credits', 'waiting_for_source', 'finished', 'cancelled')`,
    ),
  ],
);

/**
 * Rows of batches in input order, in blocks of 32: one stored row per block, so that a load writes, and the disk holds, little besides the
 * cells. All readers use the view `batch_rows`, and restrict `block_no` where they need only some rows.
 *
 * A row has a lookup for one or both operations, or a reject reason. Arrays have one element per row of the block. One that would hold only
 * nulls is null.
 */
export const rowBlocks = nightshift.table(
  'row_blocks',
  {
    batchId: bigint('batch_id', { mode: 'number' }).notNull(),
    /** Block 0 has the rows 1 to 32. */
    blockNo: integer('block_no').notNull(),
    /** Number of rows; 32, except in the last block of a batch. */
    rows: smallint().notNull(),
    /** Line of each row. A single element is the line of the first row; each other row is one line below the row before. */
    lines: integer().array().notNull(),
    /** Cells: U+001F between two cells, U+001E between two rows. Null where `array_cells` has them. */
    cells: text(),
    /** Cells of each row as the text of an array, for a block with one of the separators in a cell, or with a row without text. */
    arrayCells: text('array_cells').array(),
    /** Ads lookup of each row. A single element is the one of the first row; each other row has the id after that of the row before. */
    adsLookups: bigint('ads_lookups', { mode: 'bigint' }).array(),
    /**
     * Rows whose ads lookup an earlier row has, as bits, the first row lowest. Only the first row of a lookup shows the charge
     * (docs/architecture/decisions/0007-one-lookup-per-subject.md).
     */
    adsRepeats: integer('ads_repeats'),
    /** The same for e-mail lookups. */
    emailLookups: bigint('email_lookups', { mode: 'bigint' }).array(),
    emailRepeats: integer('email_repeats'),
    rejectReasons: text('reject_reasons').array(),
    warnings: text().array(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.blockNo] }),
    check('row_blocks_rows', sql`${table.blockNo} >= 0 AND ${table.rows} BETWEEN 1 AND 32`),
    check(
      'row_blocks_lengths',
      sql`cardinality(${table.lines}) IN (1, ${table.rows}) AND cardinality(${table.adsLookups}) IN (1, ${table.rows})
        AND cardinality(${table.emailLookups}) IN (1, ${table.rows}) AND cardinality(${table.rejectReasons}) = ${table.rows}
        AND cardinality(${table.warnings}) = ${table.rows} AND cardinality(${table.arrayCells}) = ${table.rows}`,
    ),
    check('row_blocks_cells', sql`num_nonnulls(${table.cells}, ${table.arrayCells}) = 1`),
  ],
);

/** Rows of batches, one per row of the file: a view of `row_blocks` (`db/sql/rows.sql`). */
export const batchRows = nightshift
  .view('batch_rows', {
    batchId: bigint('batch_id', { mode: 'number' }).notNull(),
    rowNo: integer('row_no').notNull(),
    lineNo: integer('line_no').notNull(),
    cells: text().array().notNull(),
    adsLookupId: bigint('ads_lookup_id', { mode: 'bigint' }),
    /** True for the first row of its ads lookup. */
    isFirst: boolean('is_first').notNull(),
    emailLookupId: bigint('email_lookup_id', { mode: 'bigint' }),
    emailIsFirst: boolean('email_is_first').notNull(),
    rejectReason: text('reject_reason'),
    warning: text(),
    blockNo: integer('block_no').notNull(),
  })
  .existing();

/** Maximum cost of a batch at its sources, and the cost of its ended calls. A batch without a row has no such bound. */
export const batchSpending = nightshift.table(
  'batch_spending',
  {
    batchId: bigint('batch_id', { mode: 'number' })
      .primaryKey()
      .references(() => batches.id, { onDelete: 'cascade' }),
    amount: numeric().notNull(),
    currency: text().notNull(),
    spent: numeric().notNull().default('0'),
  },
  (table) => [check('batch_spending_bounds', sql`${table.amount} > 0 AND ${table.spent} >= 0`)],
);

/**
 * Timeline of batches, written by a trigger on their state. A repeated wait for the same reason, with only waits in between, is counted
 * in its first entry, so that an unstable source does not produce thousands of entries.
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
    /** Message of the state; for repeated waits the last one. */
    reason: text(),
    /** `PauseKind` of a wait for a source. */
    waitKind: text('wait_kind').$type<PauseKind>(),
    /** Author: the id of a user or key, or `cli`; null for automatic events. */
    actor: text(),
    /** Number of lookups that the retry replaced. */
    retried: integer(),
    /** Number of waits, with start and end of the last one; the end is null while the wait lasts. */
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
