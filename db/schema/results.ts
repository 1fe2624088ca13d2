import { bigint, date, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Facets } from '../../src/core/batches/facets.ts';
import { batches } from './batches.ts';
import { moment, nightshift } from './schema.ts';

/**
 * Summaries of the first `ads` ads of answers, for the search and the counts of pages. Derived, so that the next batch with the same answer
 * does not read its ads again.
 */
export const answerSummaries = nightshift.table(
  'answer_summaries',
  {
    answerId: bigint('answer_id', { mode: 'bigint' }).notNull(),
    ads: integer().notNull(),
    /** Distinct texts of the ads, in lower case. */
    texts: text().notNull(),
    /** Formats as reported, null for none, and their numbers of ads. */
    formats: text().array().notNull(),
    formatAds: integer('format_ads').array().notNull(),
    /** Advertisers with an id, their names and numbers of ads. */
    advertisers: text().array().notNull(),
    advertiserNames: text('advertiser_names').array().notNull(),
    advertiserAds: integer('advertiser_ads').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.answerId, table.ads] })],
);

/**
 * Search index of finished batches, one block per 32 rows. A search skips blocks without a match. A missing block is searched row by row; a
 * change of one of its rows deletes the block.
 */
export const searchBlocks = nightshift.table(
  'search_blocks',
  {
    batchId: bigint('batch_id', { mode: 'number' }).notNull(),
    /** Block 0 has the rows 1 to 32. */
    blockNo: integer('block_no').notNull(),
    /** Concatenated texts of the rows, in lower case. */
    rowText: text('row_text').notNull(),
    /** Answers of the rows, whose summaries have the texts of their ads. */
    answers: bigint({ mode: 'bigint' }).array().notNull(),
    /** Such as `outcome:found` and `format:video`; see `db/stores/results/make-blocks.ts`. */
    marks: text().array().notNull(),
    /** Ids of the advertisers of the ads. */
    advertisers: text().array().notNull(),
    /** Latest `last_seen` of the ads. */
    lastSeen: date('last_seen'),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.blockNo] })],
);

/** Cached facets of finished batches. */
export const batchFacets = nightshift.table('batch_facets', {
  batchId: bigint('batch_id', { mode: 'number' })
    .primaryKey()
    .references(() => batches.id, { onDelete: 'cascade' }),
  /** `finished_at` of the counted batch. A retry changes it, and invalidates the counts. */
  finishedAt: moment('finished_at').notNull(),
  facets: jsonb().notNull().$type<Facets>(),
});

/**
 * Rows of finished batches in an order that a page asked for, so that its next page is a slice. Derived; a change of a row deletes the orders
 * of its batch. Only the latest are kept.
 */
export const rowOrders = nightshift.table(
  'row_orders',
  {
    batchId: bigint('batch_id', { mode: 'number' })
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    /** Order as text; see `src/core/batches/row-sort.ts`. */
    sort: text().notNull(),
    /** `finished_at` of the sorted batch. A retry changes it, and invalidates the order. */
    finishedAt: moment('finished_at').notNull(),
    rowNos: integer('row_nos').array().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.sort] })],
);
