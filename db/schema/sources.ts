import { sql } from 'drizzle-orm';
import { bigint, date, index, integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytea, moment, nightshift } from './schema.ts';

/**
 * Call log of live sources. A row is committed before its call is sent (docs/architecture/decisions/0004-exactly-once-commit.md).
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
    /** Kind of the answer, or error code. Null while it is unknown. */
    answer: text(),
    /** Charge reported by the source, in its own currency. */
    sourceCharge: numeric('source_charge'),
    /** Key of the credential. */
    bucket: text().notNull().default(''),
    /** Description of the call, without secrets. */
    description: text().notNull().default(''),
    /** Cost in units of the source's price book; the maximum until the answer is known. */
    units: numeric().notNull().default('0'),
    /** Key of the response in `raw_responses`. */
    responseHash: bytea('response_hash'),
    /** Account of the lookup; null for calls of earlier releases. */
    accountId: bigint('account_id', { mode: 'number' }),
  },
  (table) => [
    index('source_calls_by_lookup').on(table.lookupId),
    index('source_calls_in_flight')
      .on(table.bucket, table.sentAt)
      .where(sql`${table.answeredAt} IS NULL`),
  ],
);

/** Raw responses of sources, verbatim and compressed. Equal responses are stored once, by hash. */
export const rawResponses = nightshift.table(
  'raw_responses',
  {
    /** SHA-256 of the response. */
    hash: bytea().primaryKey(),
    /** Compressed with Brotli. */
    body: bytea().notNull(),
    /** Time of the last equal response. */
    receivedAt: moment('received_at').notNull().defaultNow(),
  },
  (table) => [index('raw_responses_by_age').on(table.receivedAt)],
);

/**
 * Token buckets of source credentials (docs/architecture/decisions/0006-rate-limits.md): the time of the next slot.
 */
export const sourceBuckets = nightshift.table('source_buckets', {
  bucket: text().primaryKey(),
  nextAt: moment('next_at').notNull(),
  /** Interval between requests, in microseconds, that the source requires, and its expiry. */
  learnedUs: bigint('learned_us', { mode: 'number' }).notNull().default(0),
  learnedUntil: moment('learned_until'),
});

/** Circuit breaker and pauses of sources, by credential. */
export const sourceStates = nightshift.table('source_states', {
  bucket: text().primaryKey(),
  source: text().notNull(),
  /**
   * Results of the last 20 calls, the newest last: `g` (good), `d` (down: no response), `u` (unreadable response). Empty while all are good.
   * `failing_since` is the time of the first failure without a later success.
   */
  recent: text().notNull().default(''),
  failingSince: moment('failing_since'),
  failedAt: moment('failed_at'),
  /** Number of consecutive pauses. */
  pauses: smallint().notNull().default(0),
  /** End of the pause, its message, and its `PauseKind`. */
  pausedUntil: moment('paused_until'),
  pauseReason: text('pause_reason'),
  pauseKind: text('pause_kind'),
  /** End of a delay of the calls that is no pause, with the cause, its limit, and its message (`Throttle`). */
  throttledUntil: moment('throttled_until'),
  throttleCause: text('throttle_cause'),
  throttleBound: text('throttle_bound'),
  throttleReason: text('throttle_reason'),
  /** Deadline of the probe call of the half-open circuit. Other calls wait for it. */
  probeUntil: moment('probe_until'),
  /** Number of consecutive rejections with the same signature, and the signature (`CallRefusal.likeness`). */
  refusals: smallint().notNull().default(0),
  refusal: text(),
  /** UTC day of `day_calls`, the number of calls on it. */
  day: date(),
  dayCalls: integer('day_calls').notNull().default(0),
  /** UTC day of `day_spent`, the cost of the ended calls on it; null without a bound of it. Calls of processes without the bound count. */
  spentDay: date('spent_day'),
  daySpent: numeric('day_spent').notNull().default('0'),
  /** Time until which calls of batches leave room for a single search that waits, where the source limits concurrent calls. */
  searchUntil: moment('search_until'),
});

/** Prices of sources per unit, in their own currency. Append-only and effective-dated. */
export const sourcePrices = nightshift.table(
  'source_prices',
  {
    source: text().notNull(),
    effectiveFrom: moment('effective_from').notNull(),
    amount: numeric().notNull(),
    /** Currency: `USD`, `credits`, `searches`. */
    currency: text().notNull(),
    /** Description of a unit. */
    unit: text().notNull(),
    note: text(),
  },
  (table) => [primaryKey({ columns: [table.source, table.effectiveFrom] })],
);

/** Last smoke test of each source: the result of a real request, and differences from the recorded shape of its response. */
export const sourceSmokes = nightshift.table('source_smokes', {
  source: text().primaryKey(),
  checkedAt: moment('checked_at').notNull().defaultNow(),
  /** Outcome of the lookup. */
  outcome: text().notNull(),
  /** Paths of missing and added keys. */
  missing: text().array().notNull().$type<readonly string[]>(),
  added: text().array().notNull().$type<readonly string[]>(),
});
