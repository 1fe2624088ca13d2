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
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Operation } from '../../src/core/credits/price-book.ts';
import type { Outcome } from '../../src/core/work/outcomes.ts';
import type { PartialReason, SearchOptions } from '../../src/core/ads/ads-answer.ts';
import { accounts } from './accounts.ts';
import { int8multirange, moment, nightshift } from './schema.ts';

/**
 * Lookups: one operation on one distinct subject of a batch or request. The outcome is set once and never changes.
 *
 * A lookup of a batch waits in `lookup_blocks`, and its row is inserted with its outcome, or with the results of a try that did not end it.
 * The view `all_lookups` has both. Ids grow with time; the ledger is keyed by them.
 */
export const lookups = nightshift.table(
  'lookups',
  {
    id: bigint({ mode: 'bigint' }).primaryKey(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    batchId: bigint('batch_id', { mode: 'number' }),
    requestId: text('request_id'),
    operation: text().notNull().$type<Operation>(),
    subjectKey: text('subject_key').notNull(),
    generation: smallint().notNull().default(1),
    companyDomain: text('company_domain'),
    companyName: text('company_name'),
    /** The address in its first spelling; null for companies and after an erasure. */
    email: text(),
    outcome: text().$type<Outcome>(),
    reason: text(),
    source: text(),
    matchedBy: text('matched_by'),
    adsCount: integer('ads_count').notNull().default(0),
    chargedMicro: bigint('charged_micro', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Number of retryable failures; the fifth ends the lookup as failed. */
    tries: smallint().notNull().default(0),
    endedAt: moment('ended_at'),
    /**
     * Results of the queried sources, in order: `[{source, reported, message?}]`. For an open lookup, results of sources that are not
     * queried again: `[{source, reported, matchedBy?}]`.
     */
    sourceResults: jsonb('source_results'),
    /** `Extent` of the answer. */
    partial: boolean().notNull().default(false),
    truncated: boolean().notNull().default(false),
    estimateLow: bigint('estimate_low', { mode: 'number' }),
    estimateHigh: bigint('estimate_high', { mode: 'number' }),
    /** Time of the source's answer, for a repeated answer; null otherwise. */
    observedAt: moment('observed_at'),
    /**
     * The answer of a lookup that found ads, of which it has the first `ads_count`. All readers of ads use the view `lookup_ads`, which has
     * one row per ad.
     */
    answerId: bigint('answer_id', { mode: 'bigint' }),
    /** Newest day of the answer: the last day of its ads with `infinity`. */
    newestDay: date('newest_day'),
    /** `Relation` of each ad to the company, or one for all; null, which takes no space, if all are the company's own. */
    relations: text().array(),
    /**
     * Evaluation (`advertiser_matches`) of the advertiser of each ad, or of one for all; null, which takes no space, if the relations follow from
     * the operator's mapping or the ads have no advertiser.
     */
    matches: bigint({ mode: 'bigint' }).array(),
    /** Why the answer is partial; null for a complete one, and for those that are older than the column: a later page failed. */
    partialReason: text('partial_reason').$type<PartialReason>(),
    /** Number of advertisers that may belong to the company, and whose ads are left out; null without any. */
    uncertainAdvertisers: integer('uncertain_advertisers'),
    /** The lookup whose answer this one repeats, free of charge. */
    repeats: bigint({ mode: 'bigint' }),
    /** The failed lookup whose raw responses are parsed again; no source is called. */
    reparses: bigint({ mode: 'bigint' }),
    /** `SearchOptions` of a request; null without any. A batch has its own. */
    search: jsonb().$type<SearchOptions>(),
  },
  (table) => [
    uniqueIndex('lookups_one_per_request')
      .on(table.requestId)
      .where(sql`${table.requestId} IS NOT NULL`),
    unique('lookups_one_per_subject').on(table.batchId, table.operation, table.subjectKey, table.generation),
    // Lookups of an account, newest first. Inserts append at the end; no column that a commit updates.
    index('ads_lookups_by_account')
      .on(table.accountId, table.id)
      .where(sql`${table.operation} = 'ads_search'`),
    index('email_lookups_by_account')
      .on(table.accountId, table.id)
      .where(sql`${table.operation} = 'email_validation'`),
    // Few lookups are truncated, so the index is small.
    index('truncated_lookups')
      .on(table.batchId)
      .where(sql`${table.truncated}`),
    // Lookups by answer, for the ads of an advertiser.
    index('lookups_by_answer')
      .on(table.accountId, table.answerId, table.id)
      .where(sql`${table.answerId} IS NOT NULL`),
    check('lookups_one_owner', sql`num_nonnulls(${table.batchId}, ${table.requestId}) = 1`),
    check('lookups_operation', sql`${table.operation} IN ('ads_search', 'email_validation')`),
    check(
      'lookups_outcome',
      sql`${table.outcome} IN ('failed', 'cancelled') OR CASE ${table.operation}
        WHEN 'ads_search' THEN ${table.outcome} IN ('found', 'none', 'no_match') ELSE ${table.outcome} = 'completed' END`,
    ),
    check('lookups_ended', sql`(${table.outcome} IS NULL) = (${table.endedAt} IS NULL)`),
    check(
      'lookups_found_has_ads',
      sql`(${table.outcome} IS NOT DISTINCT FROM 'found') = (${table.adsCount} > 0)`,
    ),
    check('lookups_answer', sql`${table.answerId} IS NULL OR ${table.outcome} = 'found'`),
    check('lookups_relations', sql`cardinality(${table.relations}) IN (1, ${table.adsCount})`),
    check('lookups_matches', sql`cardinality(${table.matches}) IN (1, ${table.adsCount})`),
    check(
      'lookups_partial_reason',
      sql`${table.partialReason} IS NULL OR (${table.partial}
        AND ${table.partialReason} IN ('page_failed', 'uncertain_advertisers', 'too_many_advertisers'))`,
    ),
    check('lookups_uncertain_advertisers', sql`${table.uncertainAdvertisers} > 0`),
    check(
      'lookups_charge_is_for_a_result',
      sql`${table.chargedMicro} = 0 OR ${table.outcome} IN ('found', 'completed')`,
    ),
    check('lookups_failure_has_reason', sql`${table.outcome} <> 'failed' OR ${table.reason} IS NOT NULL`),
  ],
);

/** Maximum span of ids in a block of `lookup_blocks`. */
export const lookupBlockSpan = 1000;

/**
 * Lookups of unfinished batches as they were loaded, one row for many of one operation, in the order of their ids. Deleted when the batch
 * finishes: by then every lookup has its row in `lookups`.
 */
export const lookupBlocks = nightshift.table(
  'lookup_blocks',
  {
    batchId: bigint('batch_id', { mode: 'number' }).notNull(),
    operation: text().notNull().$type<Operation>(),
    firstId: bigint('first_id', { mode: 'bigint' }).notNull(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    ids: bigint({ mode: 'bigint' }).array().notNull(),
    subjectKeys: text('subject_keys').array().notNull(),
    /** Null if no company of the block has a domain; in the same way for names and addresses. */
    companyDomains: text('company_domains').array(),
    companyNames: text('company_names').array(),
    emails: text().array(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.operation, table.firstId] }),
    check(
      'lookup_blocks_ids',
      sql`cardinality(${table.ids}) > 0 AND ${table.ids}[1] = ${table.firstId}
        AND ${table.ids}[cardinality(${table.ids})] BETWEEN ${table.firstId} AND ${table.firstId} + ${sql.raw(String(lookupBlockSpan - 1))}`,
    ),
    check(
      'lookup_blocks_lengths',
      sql`cardinality(${table.subjectKeys}) = cardinality(${table.ids})
        AND coalesce(cardinality(${table.companyDomains}), cardinality(${table.ids})) = cardinality(${table.ids})
        AND coalesce(cardinality(${table.companyNames}), cardinality(${table.ids})) = cardinality(${table.ids})
        AND coalesce(cardinality(${table.emails}), cardinality(${table.ids})) = cardinality(${table.ids})`,
    ),
    check('lookup_blocks_operation', sql`${table.operation} IN ('ads_search', 'email_validation')`),
  ],
);

/**
 * Chunks, the units of work: the open lookups of one operation of a batch in a range of ids, or the lookup of a request.
 *
 * Only the holder of `token` can commit, until `lease_until` of the database clock. A job has chunk and generation in its id, so that a job
 * of an older generation finds nothing to do.
 */
export const chunks = nightshift.table(
  'chunks',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    /** Null for the chunk of a request, which its caller processes without the queue. */
    batchId: bigint('batch_id', { mode: 'number' }),
    operation: text().notNull().default('ads_search').$type<Operation>(),
    firstLookupId: bigint('first_lookup_id', { mode: 'bigint' }).notNull(),
    lastLookupId: bigint('last_lookup_id', { mode: 'bigint' }).notNull(),
    /** `parked`: the batch is paused, and no credits are held for the chunk. */
    state: text().notNull().$type<'queued' | 'running' | 'parked' | 'done'>(),
    /**
     * Turn among the chunks of all accounts: lower ones run first (docs/architecture/decisions/0029-fair-shares.md). -1: none, until the
     * dispatcher gives it one.
     */
    position: integer().notNull().default(1),
    generation: integer().notNull().default(1),
    /** Number of starts, incremented before the work and decremented after a regular end. */
    starts: smallint().notNull().default(0),
    token: uuid(),
    leaseUntil: moment('lease_until'),
    /** Earliest start of the job; in the future while a source requires a wait. */
    dueAt: moment('due_at').notNull().defaultNow(),
    queuedAt: moment('queued_at'),
    /** Price of a result at the time of the hold, in microcredits, and the attempt of the hold in the ledger. */
    priceMicro: bigint('price_micro', { mode: 'bigint' }).notNull(),
    attempt: smallint().notNull().default(1),
    lookups: integer().notNull(),
    found: integer().notNull().default(0),
    none: integer().notNull().default(0),
    noMatch: integer('no_match').notNull().default(0),
    /** Completed validations by status. */
    valid: integer().notNull().default(0),
    invalid: integer().notNull().default(0),
    catchAll: integer('catch_all').notNull().default(0),
    unknown: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    chargedMicro: bigint('charged_micro', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Number of lookups that moved to smaller chunks after two unfinished starts (docs/architecture/concepts.md). */
    movedOn: integer('moved_on').notNull().default(0),
    /** Time of the split. The smaller chunk has the lookups of its range that were open then. */
    splitAt: moment('split_at'),
    /**
     * End of the first and of the last counted lookup. Daily sums are computed from chunks; only a chunk that spans midnight requires a
     * count of its lookups.
     */
    firstEndedAt: moment('first_ended_at'),
    lastEndedAt: moment('last_ended_at'),
  },
  (table) => [
    index('chunks_by_batch').on(table.batchId, table.id),
    // Chunks of requests, which have one lookup each, by time. Chunks of batches are found by batch.
    index('chunks_of_requests')
      .on(table.accountId, table.lastEndedAt)
      .where(sql`${table.batchId} IS NULL`),
    index('chunks_open')
      .on(table.state, table.id)
      .where(sql`${table.state} <> 'done'`),
    check('chunks_operation', sql`${table.operation} IN ('ads_search', 'email_validation')`),
    check('chunks_state', sql`${table.state} IN ('queued', 'running', 'parked', 'done')`),
    check('chunks_claimed', sql`(${table.state} = 'running') = (${table.token} IS NOT NULL)`),
    check('chunks_leased', sql`(${table.token} IS NULL) = (${table.leaseUntil} IS NULL)`),
    check(
      'chunks_counts',
      sql`${table.found} + ${table.none} + ${table.noMatch} + ${table.valid} + ${table.invalid} + ${table.catchAll}
        + ${table.unknown} + ${table.failed} + ${table.cancelled} + ${table.movedOn} <= ${table.lookups}`,
    ),
  ],
);

/**
 * Chunks whose lookups are purged: the rows of these lookups and of their verdicts are deleted. The counts by outcome, the price and the
 * charge are in the chunk, which stays.
 */
export const purgedChunks = nightshift.table(
  'purged_chunks',
  {
    chunkId: bigint('chunk_id', { mode: 'number' }).primaryKey(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    batchId: bigint('batch_id', { mode: 'number' }),
    requestId: text('request_id'),
    purgedAt: moment('purged_at').notNull().defaultNow(),
    /** Ids of the lookups. */
    lookups: int8multirange().notNull(),
    /** Ids of the lookups with a charge, which is the price of the chunk. */
    charged: int8multirange().notNull(),
    /** Number of truncated lookups. */
    truncated: integer().notNull().default(0),
    /**
     * Counts by the quarter of an hour in which the lookups ended, for daily sums. Null if all ended in the same one:
     * `[{"at", "lookups", "charged", "none", "no_match", "unknown", "failed", "cancelled"}]`.
     */
    quarters: jsonb(),
  },
  (table) => [
    index('purged_chunks_by_batch').on(table.batchId),
    index('purged_chunks_by_account').on(table.accountId),
    // Finds the chunk of a lookup.
    index('purged_chunks_by_lookup').using('gist', table.lookups),
    check('purged_chunks_one_owner', sql`num_nonnulls(${table.batchId}, ${table.requestId}) = 1`),
    check('purged_chunks_charged', sql`${table.charged} <@ ${table.lookups}`),
  ],
);
