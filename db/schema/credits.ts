import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Operation } from '../../src/core/credits/price-book.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/**
 * Credit balances of accounts, in microcredits. Only the functions of the ledger write them.
 *
 * `balance_micro` is available, `held_micro` is reserved for open lookups; balance + held = grants − charges.
 */
export const creditBalances = nightshift.table(
  'credit_balances',
  {
    accountId: bigint('account_id', { mode: 'number' })
      .primaryKey()
      .references(() => accounts.id),
    balanceMicro: bigint('balance_micro', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    heldMicro: bigint('held_micro', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Threshold of the event `credits.low` for balance plus held credits; 0 disables it. */
    lowMicro: bigint('low_micro', { mode: 'bigint' })
      .notNull()
      .default(sql`100000000`),
    lastSeq: bigint('last_seq', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    lastHash: bytea('last_hash')
      .notNull()
      .default(sql`'\\x'::bytea`),
  },
  (table) => [
    check('credit_balances_not_negative', sql`${table.balanceMicro} >= 0 AND ${table.heldMicro} >= 0`),
    check('credit_balances_low', sql`${table.lowMicro} >= 0`),
  ],
);

/** Lookups of one block lie within a range of this many ids, so that an index finds the blocks of a lookup. */
const blockSpan = 1024;

/**
 * The append-only ledger, in blocks (docs/architecture/decisions/0010-set-based-ledger.md). A block has the movements of one call that differ
 * only in their lookup: one of the amounts, one attempt, one kind. The view `ledger_entries` has one row per movement; all readers use it.
 *
 * The hold of a lookup is `(lookup, attempt, phase 0)`, its settlement or release `(…, phase 1)`; a grant has no phase, and a block of its own.
 * The trigger `once` and the unique index of single movements prevent a second charge. There is no foreign key to the account: the
 * functions lock its balance row anyway.
 */
export const ledgerBlocks = nightshift.table(
  'ledger_blocks',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    toSeq: bigint('to_seq', { mode: 'bigint' }).notNull(),
    fromSeq: bigint('from_seq', { mode: 'bigint' }).notNull(),
    firstLookup: bigint('first_lookup', { mode: 'bigint' }),
    lastLookup: bigint('last_lookup', { mode: 'bigint' }),
    /** Change of the balance by each movement. */
    balanceDeltaMicro: bigint('balance_delta_micro', { mode: 'bigint' }).notNull(),
    heldDeltaMicro: bigint('held_delta_micro', { mode: 'bigint' }).notNull(),
    /** After the last movement. */
    balanceAfterMicro: bigint('balance_after_micro', { mode: 'bigint' }).notNull(),
    heldAfterMicro: bigint('held_after_micro', { mode: 'bigint' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    attempt: smallint(),
    phase: smallint(),
    /** True if the hash covers the entries one by one, as it did before entries were packed; then one hash may cover several blocks. */
    isUnpackedHash: boolean('is_unpacked_hash').notNull().default(false),
    /** Over the previous hash and the block: reveals edits. Null if the hash of the next block covers this one. */
    hash: bytea(),
    /** Distances of the lookups from the first, ascending; null, which takes no space, if they are consecutive. */
    steps: smallint().array(),
    grantKey: text('grant_key'),
    reason: text(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.toSeq] }),
    // The key of a single movement, and by lookup.
    uniqueIndex('ledger_blocks_once')
      .on(table.accountId, table.firstLookup, table.attempt, table.phase)
      .where(sql`${table.fromSeq} = ${table.toSeq} AND ${table.firstLookup} IS NOT NULL`),
    // Blocks of several movements, by lookup.
    index('ledger_blocks_by_lookup')
      .on(table.accountId, table.firstLookup, table.lastLookup)
      .where(sql`${table.fromSeq} < ${table.toSeq}`),
    uniqueIndex('ledger_blocks_grant_once')
      .on(table.accountId, table.grantKey)
      .where(sql`${table.grantKey} IS NOT NULL`),
    check('ledger_blocks_range', sql`${table.fromSeq} <= ${table.toSeq}`),
    check(
      'ledger_blocks_lookups',
      sql`CASE WHEN ${table.firstLookup} IS NULL THEN ${table.lastLookup} IS NULL AND ${table.fromSeq} = ${table.toSeq}
        WHEN ${table.steps} IS NULL THEN ${table.lastLookup} - ${table.firstLookup} = ${table.toSeq} - ${table.fromSeq}
          AND ${table.lastLookup} - ${table.firstLookup} < ${sql.raw(String(blockSpan))}
        ELSE ${table.lastLookup} - ${table.firstLookup} < ${sql.raw(String(blockSpan))}
          AND array_lower(${table.steps}, 1) = 1 AND ${table.steps}[1] = 0
          AND cardinality(${table.steps}) = ${table.toSeq} - ${table.fromSeq} + 1
          AND ${table.steps}[cardinality(${table.steps})] = ${table.lastLookup} - ${table.firstLookup} END`,
    ),
    check(
      'ledger_blocks_not_negative',
      sql`${table.balanceAfterMicro} >= 0 AND ${table.heldAfterMicro} >= 0`,
    ),
    check(
      'ledger_blocks_shape',
      sql`CASE
        WHEN ${table.phase} IS NULL THEN ${table.firstLookup} IS NULL AND ${table.balanceDeltaMicro} > 0 AND ${table.heldDeltaMicro} = 0
        WHEN ${table.firstLookup} IS NULL OR ${table.attempt} IS NULL THEN false
        WHEN ${table.phase} = 0 THEN ${table.heldDeltaMicro} > 0 AND ${table.balanceDeltaMicro} = -${table.heldDeltaMicro}
        WHEN ${table.phase} = 1 THEN ${table.heldDeltaMicro} < 0 AND ${table.balanceDeltaMicro} BETWEEN 0 AND -${table.heldDeltaMicro}
        ELSE false END`,
    ),
  ],
);

/** The price book: append-only and effective-dated. The newest row at the time of the hold applies. */
export const prices = nightshift.table(
  'prices',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    operation: text().notNull().$type<Operation>(),
    amountMicro: bigint('amount_micro', { mode: 'bigint' }).notNull(),
    effectiveFrom: moment('effective_from').notNull().defaultNow(),
    note: text().notNull(),
  },
  (table) => [
    unique('prices_once').on(table.operation, table.effectiveFrom),
    check('prices_not_negative', sql`${table.amountMicro} >= 0`),
    check('prices_operation', sql`${table.operation} IN ('ads_search', 'email_validation')`),
  ],
);
