import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { proveLedger } from '../../../../db/verify/ledger/ledger-chain.ts';
import { createEmptyDatabase } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../../support/db/test-postgres.ts';

type Entry = readonly [
  kind: 'grant' | 'reserve' | 'settle' | 'release',
  lookup: number,
  attempt: number,
  balance: number,
  held: number,
];

const grant: Entry = ['grant', 0, 0, 10_000, 0];
const reserve = (lookup: number, attempt = 1, amount = 100): Entry => [
  'reserve',
  lookup,
  attempt,
  -amount,
  amount,
];
const settle = (lookup: number, charge = 100): Entry => ['settle', lookup, 1, 100 - charge, -100];
const release = (lookup: number): Entry => ['release', lookup, 1, 100, -100];
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Calls of a ledger with a row per movement: consecutive, mixed, unordered, distant and single lookups. */
const calls: readonly (readonly Entry[])[] = [
  [grant, grant],
  range(1, 40).map((lookup) => reserve(lookup)),
  range(1, 40).map((lookup) => (lookup % 3 === 0 ? release(lookup) : settle(lookup))),
  [reserve(50), reserve(52), reserve(57), reserve(5_000), reserve(70), reserve(60)],
  [settle(70, 30), settle(50), settle(60)],
  [grant],
  [reserve(52, 2), reserve(57, 2, 70)],
  [release(52)],
];

const entriesSql = 'SELECT * FROM nightshift.ledger_entries ORDER BY account_id, seq';

test('a ledger with a row per movement keeps every movement and its chain of hashes', async () => {
  const url = await createEmptyDatabase();
  const before = await withEarlierSchema(url, '0008_ledger_blocks', async (client) => {
    for (const accountId of [1, 2]) await storeCalls(client, accountId);
    await client.query(report);
    return (await client.query<Record<string, unknown>>(entriesSql)).rows;
  });
  expect(before).toHaveLength(190);
  expect((await migrate(url, schemaFolder)).applied).toContain('0008_ledger_blocks');
  await withClient(url, async (client) => {
    expect((await client.query(entriesSql)).rows).toEqual(before);
    const proof = await proveLedger(drizzle(client), { isFull: true });
    expect(proof).toMatchObject({ entries: 190, findings: [] });
    const { rows: spent } = await client.query(
      'SELECT count(*)::integer AS n, sum(balance_delta) AS sum FROM public.movements',
    );
    expect(spent).toEqual([{ n: 190, sum: '0.05340' }]);
    // A call after the migration continues the chain, and knows the earlier movements.
    const { rows } = await client.query(
      `SELECT nightshift.credit_resolve(1, '{57,50,5000,60,1}', '{1,1,1,1,1}', '{100,100,0,0,40}') AS statuses`,
    );
    expect(rows).toEqual([{ statuses: ['settled', 'exists', 'released', 'mismatch', 'mismatch'] }]);
    expect(await proveLedger(drizzle(client), { isFull: true })).toMatchObject({
      entries: 192,
      findings: [],
    });
  });
});

test('movements that do not follow from each other do not follow after the migration either', async () => {
  const url = await createEmptyDatabase();
  const before = await withEarlierSchema(url, '0008_ledger_blocks', async (client) => {
    await storeCalls(client, 1);
    await client.query(
      'UPDATE nightshift.ledger_entries SET balance_after_micro = balance_after_micro + 7 WHERE seq = 20',
    );
    await client.query('DELETE FROM nightshift.ledger_entries WHERE seq = 30');
    return (await client.query<Record<string, unknown>>(entriesSql)).rows;
  });
  await migrate(url, schemaFolder);
  await withClient(url, async (client) => {
    expect((await client.query(entriesSql)).rows).toEqual(before);
    const { findings } = await proveLedger(drizzle(client), { isFull: true });
    expect(findings.slice(0, 3)).toEqual([
      'account 1: the block of entries 20 to 20 has running sums that do not follow from the entry before',
      'account 1: the block of entries 21 to 29 has running sums that do not follow from the entry before',
      'account 1: the block of entries 31 to 42 follows a block that ends with entry 29',
    ]);
    expect(findings).toContain(
      'account 1: the hash of the block of entries 3 to 42 does not fit its entries',
    );
  });
});

/** The report of that time, and a view of an operator that reads it. */
const report = `CREATE SCHEMA IF NOT EXISTS reports;
  CREATE VIEW reports.credit_ledger AS
  SELECT a.name AS account, e.seq, e.kind, e.lookup_id, trim_scale(e.balance_delta_micro / 1000000.0) AS balance_delta,
    trim_scale(e.held_delta_micro / 1000000.0) AS held_delta, trim_scale(e.balance_after_micro / 1000000.0) AS balance_after,
    trim_scale(e.held_after_micro / 1000000.0) AS held_after, e.reason, e.created_at
  FROM nightshift.ledger_entries e JOIN nightshift.accounts a ON a.id = e.account_id;
  CREATE VIEW public.movements AS SELECT kind, balance_delta FROM reports.credit_ledger`;

/** Stores the calls as the functions of that time did. */
async function storeCalls(client: pg.Client, accountId: number): Promise<void> {
  await client.query(
    'INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [accountId, `account ${accountId}`],
  );
  let [seq, balance, held] = [0, 0, 0];
  for (const [nth, call] of calls.entries()) {
    const from = seq + 1;
    for (const [kind, lookup, attempt, balanceDelta, heldDelta] of call) {
      seq += 1;
      balance += balanceDelta;
      held += heldDelta;
      const isGrant = kind === 'grant';
      await client.query(
        `INSERT INTO nightshift.ledger_entries VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          accountId,
          seq,
          kind,
          isGrant ? null : lookup,
          isGrant ? null : attempt,
          { grant: null, reserve: 0, settle: 1, release: 1 }[kind],
          balanceDelta,
          heldDelta,
          balance,
          held,
          isGrant && seq !== 2 ? `key's ${seq}` : null,
          isGrant ? 'a "test"' : null,
          new Date(Date.UTC(2026, 0, 1, 0, 0, nth)),
        ],
      );
    }
    await client.query(closeBlock, [accountId, from, seq]);
  }
  await client.query(
    `INSERT INTO nightshift.credit_balances (account_id, balance_micro, held_micro, last_seq, last_hash)
      VALUES ($1, $2, $3, $4, (SELECT hash FROM nightshift.ledger_blocks WHERE account_id = $1 ORDER BY to_seq DESC LIMIT 1))
      ON CONFLICT (account_id) DO UPDATE SET balance_micro = excluded.balance_micro, held_micro = excluded.held_micro,
        last_seq = excluded.last_seq, last_hash = excluded.last_hash`,
    [accountId, balance, held, seq],
  );
}

const closeBlock = `INSERT INTO nightshift.ledger_blocks (account_id, from_seq, to_seq, hash)
  SELECT $1, $2, $3, sha256(coalesce((SELECT hash FROM nightshift.ledger_blocks WHERE account_id = $1 AND to_seq = $2::bigint - 1), '')
    || convert_to(string_agg(concat_ws('|', e.seq, e.kind, coalesce(e.lookup_id::text, '-'), coalesce(e.attempt::text, '-'),
      e.balance_delta_micro, e.held_delta_micro, e.balance_after_micro, e.held_after_micro,
      quote_nullable(e.grant_key), quote_nullable(e.reason)), E'\\n' ORDER BY e.seq), 'UTF8'))
  FROM nightshift.ledger_entries e WHERE e.account_id = $1 AND e.seq BETWEEN $2 AND $3`;
