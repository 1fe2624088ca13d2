import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Operation } from '../../src/core/credits/price-book.ts';
import type { Outcome } from '../../src/core/lookups/outcomes.ts';
import type { SearchOptions } from '../../src/core/sources/ad-source.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/**
 * One operation on one distinct subject, within a batch or within one request; its outcome is set once and never changed.
 *
 * Ids grow with time, so that the table can be partitioned by ranges of them; `lookup_ads` and the ledger are keyed by it.
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
    /** The address as it was first written; null for companies, and for a person who was forgotten. */
    email: text(),
    outcome: text().$type<Outcome>(),
    reason: text(),
    source: text(),
    matchedBy: text('matched_by'),
    adsCount: integer('ads_count').notNull().default(0),
    chargedMicro: bigint('charged_micro', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Calls that failed in a way worth another try; the fifth ends the lookup as failed. */
    tries: smallint().notNull().default(0),
    endedAt: moment('ended_at'),
    /**
     * Every source that was asked, in order, with what it said: `[{source, said, message?}]`. Of an open lookup those that will not be
     * asked again, and how they knew the company: `[{source, said, matchedBy?}]`.
     */
    asked: jsonb(),
    /** Extent of the answer; see `Extent`. */
    partial: boolean().notNull().default(false),
    truncated: boolean().notNull().default(false),
    estimateLow: bigint('estimate_low', { mode: 'number' }),
    estimateHigh: bigint('estimate_high', { mode: 'number' }),
    /** When the source said it, where that was before the lookup ended: an answer that is shown again. */
    observedAt: moment('observed_at'),
    /** The lookup whose answer is shown again, free of charge. */
    repeats: bigint({ mode: 'bigint' }),
    /** The failed lookup whose kept replies are read again; no source is asked. */
    rereads: bigint({ mode: 'bigint' }),
    /** Its `SearchOptions`, where a request has some; null: none. Those of a batch stand with the batch. */
    search: jsonb().$type<SearchOptions>(),
    /** When it was made bare: who it was about and what was found are gone, its outcome and its charge stay. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    uniqueIndex('lookups_one_per_request')
      .on(table.requestId)
      .where(sql`${table.requestId} IS NOT NULL`),
    unique('lookups_one_per_subject').on(table.batchId, table.operation, table.subjectKey, table.generation),
    // What an account has asked, the newest first, whatever others ask. Always added to at the end; no column that a commit writes.
    index('ads_lookups_by_account')
      .on(table.accountId, table.id)
      .where(sql`${table.operation} = 'ads_search'`),
    index('email_lookups_by_account')
      .on(table.accountId, table.id)
      .where(sql`${table.operation} = 'email_validation'`),
    // Few lookups are truncated; a commit writes the column, and moves no other one.
    index('truncated_lookups')
      .on(table.batchId)
      .where(sql`${table.truncated}`),
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
    check(
      'lookups_charge_is_for_a_result',
      sql`${table.chargedMicro} = 0 OR ${table.outcome} IN ('found', 'completed')`,
    ),
    check('lookups_failure_has_reason', sql`${table.outcome} <> 'failed' OR ${table.reason} IS NOT NULL`),
  ],
);

/**
 * A claimable piece of work: the open lookups of one operation of one batch in a range of ids, or the lookup of one request.
 *
 * Who holds `token` before `lease_until` (by the database clock) may commit; everybody else is refused. The job of a
 * generation carries both numbers in its id, so that a job of an older generation finds nothing to do.
 */
export const chunks = nightshift.table(
  'chunks',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    /** Null for the chunk of a request: its caller works on it, it is never queued. */
    batchId: bigint('batch_id', { mode: 'number' }),
    operation: text().notNull().default('ads_search').$type<Operation>(),
    firstLookupId: bigint('first_lookup_id', { mode: 'bigint' }).notNull(),
    lastLookupId: bigint('last_lookup_id', { mode: 'bigint' }).notNull(),
    /** `parked`: its batch was paused, and nothing is held for its lookups until the batch runs again. */
    state: text().notNull().$type<'queued' | 'running' | 'parked' | 'done'>(),
    /** The how-manieth chunk of its batch: the smaller, the sooner it is worked on, so that a small list overtakes a large one. */
    position: integer().notNull().default(1),
    generation: integer().notNull().default(1),
    /** Counted before the work begins; given back when the work ends in good order. */
    starts: smallint().notNull().default(0),
    token: uuid(),
    leaseUntil: moment('lease_until'),
    /** The earliest moment for the job of this generation; later than now while a source asks us to wait. */
    dueAt: moment('due_at').notNull().defaultNow(),
    queuedAt: moment('queued_at'),
    /** The price of a result, fixed at the hold, and the hold's attempt in the ledger. */
    priceMicro: bigint('price_micro', { mode: 'bigint' }).notNull(),
    attempt: smallint().notNull().default(1),
    lookups: integer().notNull(),
    found: integer().notNull().default(0),
    none: integer().notNull().default(0),
    noMatch: integer('no_match').notNull().default(0),
    /** Completed, by the status of the verdict. */
    valid: integer().notNull().default(0),
    invalid: integer().notNull().default(0),
    catchAll: integer('catch_all').notNull().default(0),
    unknown: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    chargedMicro: bigint('charged_micro', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Lookups that went on to smaller chunks after two unfinished starts (docs/architecture/concepts.md). */
    movedOn: integer('moved_on').notNull().default(0),
    /** Time at which a chunk was split. The smaller chunk answers for the lookups of its range that were open then. */
    splitAt: moment('split_at'),
    /**
     * When the first and the last lookup ended that it counts. Those that it counts are those of its range that ended between: what a day
     * came to is told from chunks, and only of one that went on over midnight are its lookups asked.
     */
    firstEndedAt: moment('first_ended_at'),
    lastEndedAt: moment('last_ended_at'),
  },
  (table) => [
    index('chunks_by_batch').on(table.batchId, table.id),
    // Those of requests, which have one lookup each, by the time of it. Those of lists are found by their batch.
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
 * Calls to live sources. The row of a call is committed before the call is sent (docs/architecture/decisions/0004-exactly-once-commit.md).
 */
export const sourceCalls = nightshift.table(
  'source_calls',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    lookupId: bigint('lookup_id', { mode: 'bigint' }).notNull(),
    source: text().notNull(),
    requestKey: text('request_key').notNull(),
    sentAt: moment('sent_at').notNull().defaultNow(),
    answeredAt: moment('answered_at'),
    /** Kind of the answer, or the code of the error. Null: unknown (yet). */
    answer: text(),
    /** Charge that the source reports, in its own currency. */
    sourceCharge: numeric('source_charge'),
    /** The credential it was made with. */
    bucket: text().notNull().default(''),
    /** Description of the call, without secrets. */
    about: text().notNull().default(''),
    /** Cost by the source's price list, in its units; until the answer is known, the maximum. */
    units: numeric().notNull().default('0'),
    /** The reply, as it is kept in `raw_replies`. */
    replyHash: bytea('reply_hash'),
  },
  (table) => [
    index('source_calls_by_lookup').on(table.lookupId),
    index('source_calls_in_flight')
      .on(table.bucket, table.sentAt)
      .where(sql`${table.answeredAt} IS NULL`),
  ],
);

/** Replies of sources, verbatim and compressed; found by hash, so that the same reply is stored once. */
export const rawReplies = nightshift.table(
  'raw_replies',
  {
    /** SHA-256 of the reply. */
    hash: bytea().primaryKey(),
    /** Compressed with Brotli. */
    body: bytea().notNull(),
    /** When it last came. */
    keptAt: moment('kept_at').notNull().defaultNow(),
  },
  (table) => [index('raw_replies_by_age').on(table.keptAt)],
);

/**
 * The token bucket of a source credential (docs/architecture/decisions/0006-rate-limits.md): the moment at which its next request may go
 * out.
 */
export const sourceBuckets = nightshift.table('source_buckets', {
  bucket: text().primaryKey(),
  nextAt: moment('next_at').notNull(),
  /** The interval between two requests that the source itself has asked for, and until when it counts. */
  learnedUs: bigint('learned_us', { mode: 'number' }).notNull().default(0),
  learnedUntil: moment('learned_until'),
});

/** Circuit breaker and pauses of sources, by credential. */
export const sourceStates = nightshift.table('source_states', {
  bucket: text().primaryKey(),
  source: text().notNull(),
  /**
   * The last 20 calls, the newest at the end: `d` (down) brought no answer, `o` (odd) none that can be read, `g` (good) an answer. Empty
   * while there is no trouble among them; and since when there has been no good one.
   */
  recent: text().notNull().default(''),
  failingSince: moment('failing_since'),
  failedAt: moment('failed_at'),
  /** Number of pauses in a row. */
  pauses: smallint().notNull().default(0),
  /** Until then nobody asks it, and why: in words, and its kind (`PauseKind`). */
  pausedUntil: moment('paused_until'),
  pauseReason: text('pause_reason'),
  pauseKind: text('pause_kind'),
  /** After a pause one call tries how it does; until then the others wait for that. */
  trialUntil: moment('trial_until'),
  /** Refusals alike in a row, with no answer in between, and what they have in common (`CallRefusal.likeness`). */
  refusals: smallint().notNull().default(0),
  refusal: text(),
  /** Calls begun on a day, by UTC. */
  day: date(),
  dayCalls: integer('day_calls').notNull().default(0),
});

/** Price of a unit at each source in its own currency, from a moment on. Append-only. */
export const sourcePrices = nightshift.table(
  'source_prices',
  {
    source: text().notNull(),
    effectiveFrom: moment('effective_from').notNull(),
    amount: numeric().notNull(),
    /** The money: `USD`, `credits`, `searches`. */
    currency: text().notNull(),
    /** Description of a unit. */
    unit: text().notNull(),
    note: text(),
  },
  (table) => [primaryKey({ columns: [table.source, table.effectiveFrom] })],
);

/** When an operator last asked a source one real question, and how its reply differed in shape from the recorded one. */
export const sourceSmokes = nightshift.table('source_smokes', {
  source: text().primaryKey(),
  checkedAt: moment('checked_at').notNull().defaultNow(),
  /** Outcome of the lookup. */
  outcome: text().notNull(),
  /** Paths of keys; empty: none. */
  missing: text().array().notNull().$type<readonly string[]>(),
  added: text().array().notNull().$type<readonly string[]>(),
});
