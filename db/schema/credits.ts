import { sql } from 'drizzle-orm';
import { bigint, check, integer, primaryKey, smallint, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Operation } from '../../src/core/credits/price-book.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/**
 * The current state of each account's credits, in microcredits. Written only by the ledger's functions.
 *
 * `balance_micro` is what can be spent, `held_micro` what is set aside for open lookups; balance + held = grants − charges.
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
    /** Below this much, held credits included, the account is told that it runs low; 0: never. */
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

/**
 * The append-only ledger (docs/architecture/decisions/0010-set-based-ledger.md). One row is one movement of one account, with the state it
 * leaves behind.
 *
 * A lookup's hold is `(lookup_id, attempt, phase 0)`, its settlement or release `(…, phase 1)`: the unique key is what makes a second
 * charge impossible. There is no foreign key to the account: the functions lock its balance row anyway, and checking one for each entry
 * costs two fifths of the speed (measured).
 */
export const ledgerEntries = nightshift.table(
  'ledger_entries',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    seq: bigint({ mode: 'bigint' }).notNull(),
    kind: text().notNull(),
    lookupId: bigint('lookup_id', { mode: 'bigint' }),
    attempt: smallint(),
    phase: smallint(),
    balanceDeltaMicro: bigint('balance_delta_micro', { mode: 'bigint' }).notNull(),
    heldDeltaMicro: bigint('held_delta_micro', { mode: 'bigint' }).notNull(),
    balanceAfterMicro: bigint('balance_after_micro', { mode: 'bigint' }).notNull(),
    heldAfterMicro: bigint('held_after_micro', { mode: 'bigint' }).notNull(),
    grantKey: text('grant_key'),
    reason: text(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.seq] }),
    unique('ledger_entries_once').on(table.accountId, table.lookupId, table.attempt, table.phase),
    uniqueIndex('ledger_entries_grant_once')
      .on(table.accountId, table.grantKey)
      .where(sql`${table.grantKey} IS NOT NULL`),
    check(
      'ledger_entries_not_negative',
      sql`${table.balanceAfterMicro} >= 0 AND ${table.heldAfterMicro} >= 0`,
    ),
    check(
      'ledger_entries_shape',
      sql`CASE ${table.kind}
        WHEN 'grant' THEN ${table.lookupId} IS NULL AND ${table.balanceDeltaMicro} > 0 AND ${table.heldDeltaMicro} = 0
        WHEN 'reserve' THEN ${table.lookupId} IS NOT NULL AND ${table.attempt} IS NOT NULL AND ${table.phase} = 0
          AND ${table.heldDeltaMicro} > 0 AND ${table.balanceDeltaMicro} = -${table.heldDeltaMicro}
        WHEN 'settle' THEN ${table.lookupId} IS NOT NULL AND ${table.attempt} IS NOT NULL AND ${table.phase} = 1
          AND ${table.heldDeltaMicro} < 0 AND ${table.balanceDeltaMicro} >= 0
          AND ${table.balanceDeltaMicro} < -${table.heldDeltaMicro}
        WHEN 'release' THEN ${table.lookupId} IS NOT NULL AND ${table.attempt} IS NOT NULL AND ${table.phase} = 1
          AND ${table.heldDeltaMicro} < 0 AND ${table.balanceDeltaMicro} = -${table.heldDeltaMicro}
        ELSE false END`,
    ),
  ],
);

/** One block per call of a ledger function: a hash over its entries and the block before, so that an edit shows. */
export const ledgerBlocks = nightshift.table(
  'ledger_blocks',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    toSeq: bigint('to_seq', { mode: 'bigint' }).notNull(),
    fromSeq: bigint('from_seq', { mode: 'bigint' }).notNull(),
    hash: bytea().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.toSeq] }),
    check('ledger_blocks_range', sql`${table.fromSeq} <= ${table.toSeq}`),
  ],
);

/** The price book: append-only, effective-dated. The newest row not after the moment of the hold counts. */
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
