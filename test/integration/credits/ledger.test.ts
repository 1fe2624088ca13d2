import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { listLedgerFindings } from '../../support/db/findings.ts';
import type { CreditLedger, Hold } from '../../../src/core/credits/ledger.ts';
import { creditLedgerContract, hold } from '../../contract/credit-ledger.contract.ts';
import { openTestDatabase, type TestDatabase, openTestPool } from '../../support/db/database.ts';
import { createMemoryLedger } from '../../support/credits/memory-ledger.ts';

describe('on Postgres', () =>
  creditLedgerContract(async () => {
    const { database, ledger, accountId } = await openLedger();
    return { ledger, accountId, otherAccountId: await addAccount(database, 'other') };
  }));

describe('in memory', () =>
  creditLedgerContract(async () => ({ ledger: createMemoryLedger(), accountId: 1, otherAccountId: 2 })));

test('ledger matches its reference implementation, and its hash chain is valid', async () => {
  const { database, ledger } = await openLedger();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (asked) => {
      const accountId = await addAccount(database, `run ${(runs += 1)}`);
      const model = createMemoryLedger();
      for (const step of asked) {
        expect(await step(ledger, accountId)).toEqual(await step(model, accountId));
      }
      expect(await ledger.resolve(accountId, allSettlements)).toEqual(
        await model.resolve(accountId, allSettlements),
      );
      expect(await ledger.readBalance(accountId)).toEqual(await model.readBalance(accountId));
    }),
    { numRuns: 50 },
  );
  expect(await listLedgerFindings(database)).toEqual([]);
});

test('eight connections that overspend use exactly the balance', async () => {
  const { database, ledger, accountId } = await openLedger();
  await grant(ledger, accountId, 1000n * 7n);
  const asked = Array.from({ length: 8 * 403 }, (_, n) => hold(BigInt(n + 1), 7n));
  const calls = openLedgers(database, 8).map(async (own, i) => {
    const statuses: string[] = [];
    // Some call one by one, some in blocks.
    for (const block of blocks(asked.slice(i * 403, (i + 1) * 403), i % 2 === 0 ? 1 : 43)) {
      statuses.push(...(await own.reserve(accountId, block)));
    }
    return statuses;
  });
  expect(countEach((await Promise.all(calls)).flat())).toEqual({ reserved: 1000, insufficient: 2224 });
  expect(await ledger.readBalance(accountId)).toEqual({ balanceMicro: 0n, heldMicro: 7000n });
  await ledger.resolve(
    accountId,
    asked.map((item) => ({ ...item, amountMicro: 0n })),
  );
  expect(await listLedgerFindings(database)).toEqual([]);
});

test('the same holds and settlements from eight concurrent connections are written once each', async () => {
  const { database, ledger, accountId } = await openLedger();
  await grant(ledger, accountId, 1_000_000n);
  const all = Array.from({ length: 400 }, (_, n) => hold(BigInt(n + 1), 100n));
  const ends = all.map((item, n) => ({ ...item, amountMicro: n % 3 === 0 ? 0n : 100n }));
  const calls = openLedgers(database, 8).map(async (own, i) => {
    const statuses: string[] = [];
    for (let pass = 0; pass < 2; pass += 1) {
      for (const block of blocks(rotate(all, i * 50), 37))
        statuses.push(...(await own.reserve(accountId, block)));
      for (const block of blocks(rotate(ends, i * 50), 41))
        statuses.push(...(await own.resolve(accountId, block)));
    }
    return statuses;
  });
  const counts = countEach((await Promise.all(calls)).flat());
  expect(counts).toEqual({ reserved: 400, settled: 266, released: 134, exists: 2 * 8 * 2 * 400 - 800 });
  expect(await countEntries(database)).toBe(801);
  expect(await ledger.readBalance(accountId)).toEqual({ balanceMicro: 1_000_000n - 26_600n, heldMicro: 0n });
  expect(await listLedgerFindings(database)).toEqual([]);
});

test('a call that names the same hold twice is rejected', async () => {
  const { ledger, accountId } = await openLedger();
  await grant(ledger, accountId, 500n);
  await expect(ledger.reserve(accountId, [hold(1n, 100n), hold(1n, 100n)])).rejects.toThrow();
  expect(await ledger.readBalance(accountId)).toEqual({ balanceMicro: 500n, heldMicro: 0n });
});

test('an unknown account is rejected, and has no balance', async () => {
  const { ledger } = await openLedger();
  await expect(grant(ledger, 999, 1n)).rejects.toThrow();
  await expect(ledger.readBalance(999)).rejects.toMatchObject({ code: 'not_found' });
});

describe('append-only ledger', () => {
  const changes = [
    'UPDATE nightshift.ledger_blocks SET balance_delta_micro = 1',
    'DELETE FROM nightshift.ledger_blocks',
    'TRUNCATE nightshift.ledger_blocks',
  ];

  test.each([
    ...changes,
    `INSERT INTO nightshift.ledger_blocks (account_id, to_seq, from_seq, balance_delta_micro, held_delta_micro,
      balance_after_micro, held_after_micro) VALUES (1, 2, 2, 5, 0, 505, 0)`,
    'UPDATE nightshift.credit_balances SET balance_micro = 1000000',
    'DELETE FROM nightshift.credit_balances',
    'SELECT nightshift.ledger_close(b) FROM nightshift.credit_balances b',
    'SELECT nightshift.ledger_append(b, NULL, 1) FROM nightshift.credit_balances b',
    'SELECT nightshift.ledger_lock(1)',
    'ALTER TABLE nightshift.ledger_blocks DISABLE TRIGGER append_only',
    'SET session_replication_role = replica',
  ])('rejects the application role, which lacks the privilege: %s', async (statement) => {
    const { database } = await openFilledLedger();
    const error = await errorOf(asLogin(database, 'nightshift_app', statement));
    expect(error.code).toBe('42501');
  });

  test.each(changes)('rejects a superuser by a trigger: %s', async (statement) => {
    const { database } = await openFilledLedger();
    const error = await errorOf(database.owner.pool.query(statement));
    expect(error.message).toContain('append-only');
  });

  test.each(changes)('rejects a superuser in replica mode: %s', async (statement) => {
    const { database } = await openFilledLedger();
    const error = await errorOf(
      database.owner.pool.query(`SET session_replication_role = replica; ${statement}`),
    );
    expect(error.message).toContain('append-only');
  });

  test.each([
    ['a reason', `UPDATE nightshift.ledger_blocks SET reason = 'another' WHERE to_seq = 1`],
    ['a lookup', 'UPDATE nightshift.ledger_blocks SET first_lookup = 77, last_lookup = 77 WHERE to_seq = 2'],
    [
      'a charge, with every later running sum corrected',
      `UPDATE nightshift.ledger_blocks SET balance_delta_micro = 1 WHERE to_seq = 3;
       UPDATE nightshift.ledger_blocks SET balance_after_micro = balance_after_micro + 1 WHERE to_seq >= 3;
       UPDATE nightshift.credit_balances SET balance_micro = balance_micro + 1`,
    ],
  ])('reveals an edit of %s without triggers by its hashes', async (_, edit) => {
    const { database } = await openFilledLedger();
    expect(await listLedgerFindings(database)).toEqual([]);
    await database.owner.pool.query(
      `ALTER TABLE nightshift.ledger_blocks DISABLE TRIGGER append_only; ${edit};
       ALTER TABLE nightshift.ledger_blocks ENABLE ALWAYS TRIGGER append_only; DELETE FROM nightshift.verify_checkpoints`,
    );
    expect(await listLedgerFindings(database)).toContainEqual(
      expect.stringContaining('does not fit its entries'),
    );
  });

  test('never has a negative balance, with any privilege', async () => {
    const { database } = await openFilledLedger();
    const error = await errorOf(
      database.owner.pool.query('UPDATE nightshift.credit_balances SET balance_micro = -1'),
    );
    expect(error.constraint).toBe('credit_balances_not_negative');
  });
});

test('a call takes the same time after 50,000 entries in its session', async () => {
  const { database, ledger, accountId } = await openLedger();
  // New statistics in between would cause a new plan and hide the problem.
  await database.owner.pool.query('ALTER TABLE nightshift.ledger_blocks SET (autovacuum_enabled = false)');
  await grant(ledger, accountId, 1_000_000_000n);
  const session = await database.app.pool.connect();
  onTestFinished(() => session.release());
  const call = (from: number, count: number) =>
    `SELECT nightshift.credit_reserve(${accountId}, array_agg(g::bigint), array_agg(1::smallint), array_agg(1::bigint))
      FROM generate_series(${from}, ${from + count - 1}) g`;
  // From its sixth run on, a statement inside a function keeps its plan.
  for (let i = 0; i < 8; i += 1) await session.query(call(i * 10 + 1, 10));
  const before = await blocksTouched(session, call(1001, 10));
  for (let i = 0; i < 100; i += 1) await session.query(call(10_001 + i * 500, 500));
  expect(await countEntries(database)).toBe(1 + 80 + 10 + 50_000);
  const after: number[] = [];
  for (const from of [2001, 3001, 4001]) after.push(await blocksTouched(session, call(from, 10)));
  // Under load a session may reload the catalog, which counts as well.
  expect(Math.min(...after)).toBeLessThan(before * 3);
});

async function openLedger() {
  const database = await openTestDatabase();
  const accountId = await findAccount(database.app.sql, 'default');
  return { database, accountId, ledger: createLedger(database.app.sql) };
}

/** A ledger with a grant, a charge and a release. */
async function openFilledLedger() {
  const stage = await openLedger();
  await grant(stage.ledger, stage.accountId, 500n);
  await stage.ledger.reserve(stage.accountId, [hold(1n, 200n)]);
  await stage.ledger.resolve(stage.accountId, [hold(1n, 200n)]);
  await stage.ledger.reserve(stage.accountId, [hold(2n, 200n)]);
  await stage.ledger.resolve(stage.accountId, [hold(2n, 0n)]);
  return stage;
}

async function addAccount(database: TestDatabase, name: string): Promise<number> {
  const { rows } = await database.owner.pool.query<{ id: string }>(
    'INSERT INTO nightshift.accounts (name) VALUES ($1) RETURNING id',
    [name],
  );
  await database.owner.pool.query('INSERT INTO nightshift.credit_balances (account_id) VALUES ($1)', [
    rows[0]?.id,
  ]);
  return Number(rows[0]?.id);
}

/** Ledgers with one connection each. */
function openLedgers(database: TestDatabase, count: number): readonly CreditLedger[] {
  return Array.from({ length: count }, () => {
    return createLedger(openTestPool(database.url, { connectionsMax: 1 }).sql);
  });
}

function grant(ledger: CreditLedger, accountId: number, amountMicro: bigint) {
  return ledger.grant(accountId, [{ key: null, amountMicro, reason: 'a test' }]);
}

type Step = (ledger: CreditLedger, accountId: number) => Promise<readonly string[]>;

const items: fc.Arbitrary<readonly Hold[]> = fc.uniqueArray(
  fc.record({
    lookupId: fc.bigInt(1n, 6n),
    attempt: fc.integer({ min: 1, max: 2 }),
    amountMicro: fc.bigInt(0n, 400n),
  }),
  { selector: ({ lookupId, attempt }) => `${lookupId}-${attempt}`, maxLength: 6 },
);

/** Releases all possible holds. */
const allSettlements = [1n, 2n, 3n, 4n, 5n, 6n].flatMap((lookupId) => [
  hold(lookupId, 0n, 1),
  hold(lookupId, 0n, 2),
]);

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.bigInt(1n, 900n).map(
    (amount): Step =>
      (ledger, accountId) =>
        grant(ledger, accountId, amount),
  ),
  items.map(
    (holds): Step =>
      (ledger, accountId) =>
        ledger.reserve(accountId, holds),
  ),
  items.map(
    (ends): Step =>
      (ledger, accountId) =>
        ledger.resolve(accountId, ends),
  ),
);

async function countEntries(database: TestDatabase): Promise<number> {
  const { rows } = await database.app.pool.query<{ entries: number }>(
    'SELECT count(*)::integer AS entries FROM nightshift.ledger_entries',
  );
  return rows[0]?.entries ?? 0;
}

/** Runs a statement in a session that has logged in with this role and cannot switch to another. */
async function asLogin(database: TestDatabase, role: string, statement: string): Promise<void> {
  const client = await database.owner.pool.connect();
  try {
    await client.query(`SET SESSION AUTHORIZATION ${role}`);
    await client.query(statement);
  } finally {
    client.release(true);
  }
}

async function errorOf(work: Promise<unknown>): Promise<pg.DatabaseError> {
  const error: unknown = await work.then(
    () => new Error('It was allowed.'),
    (reason: unknown) => reason,
  );
  if (error instanceof pg.DatabaseError) return error;
  throw error;
}

/** Number of buffers that a statement accesses, including called functions, cached or not. */
async function blocksTouched(session: pg.PoolClient, statement: string): Promise<number> {
  const { rows } = await session.query<{ 'QUERY PLAN': readonly PlanText[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('The statement has no plan.');
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

interface PlanText {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}

function blocks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

function rotate<T>(all: readonly T[], by: number): readonly T[] {
  return [...all.slice(by), ...all.slice(0, by)];
}

function countEach(statuses: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
