import { bigint, date, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Facets } from '../../src/core/results/facets.ts';
import { batches } from './batches.ts';
import { moment, nightshift } from './schema.ts';

/**
 * Lookups that saw ads of an advertiser, so that the lookups of an ad are found without an index over all links: there is one row per
 * lookup and advertiser, not one per ad. Ads without an advertiser's id are found by the hash of their text.
 */
export const sightings = nightshift.table(
  'sightings',
  {
    lookupId: bigint('lookup_id', { mode: 'bigint' }).notNull(),
    /** The advertiser's id, or the text hash of the ad in hexadecimal digits. */
    subject: text().notNull(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lookupId, table.subject] }),
    index('sightings_by_subject').on(table.accountId, table.subject, table.lookupId),
  ],
);

/**
 * Search index of finished batches, a block per 32 rows: a block that does not have what is searched for has no row that is. A copy of what
 * the record says, which may be missing: such a block is searched row by row. It goes when one of its rows changes.
 */
export const rowBlocks = nightshift.table(
  'row_blocks',
  {
    batchId: bigint('batch_id', { mode: 'number' }).notNull(),
    /** Row 1 to 32 are block 0. */
    blockNo: integer('block_no').notNull(),
    /** Texts of the rows, one behind the other, and texts of their ads; in lower case. */
    rowText: text('row_text').notNull(),
    adText: text('ad_text').notNull(),
    /** Such as `outcome:found` and `format:video`; see `db/stores/results/make-blocks.ts`. */
    marks: text().array().notNull(),
    /** Subjects of sightings. */
    advertisers: text().array().notNull(),
    /** The newest day that one of the ads was seen. */
    lastSeen: date('last_seen'),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.blockNo] })],
);

/** Facets of finished batches, counted once. A copy of the record. */
export const batchFacets = nightshift.table('batch_facets', {
  batchId: bigint('batch_id', { mode: 'number' })
    .primaryKey()
    .references(() => batches.id, { onDelete: 'cascade' }),
  /** When the batch was over that was counted: a retry makes it another moment, and these counts old. */
  finishedAt: moment('finished_at').notNull(),
  facets: jsonb().notNull().$type<Facets>(),
});
