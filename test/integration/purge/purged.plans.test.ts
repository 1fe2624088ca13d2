import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../../db/connection/client.ts';
import { createLedgerList } from '../../../db/stores/credits/ledger-list.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { largest, scansOf, type Scan, type Step } from '../../support/db/plan-scans.ts';

/** Purged chunks of 500 lookups, half of each of two batches. */
const chunks = 4000;
const lookups = chunks * 500;

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.owner.pool.query(
    `INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, found)
      SELECT 1, 1 + n % 2, n * 500, n * 500 + 499, 'done', 200000, 500, 500 FROM generate_series(0, ${chunks - 1}) n;
    INSERT INTO nightshift.purged_chunks (chunk_id, account_id, batch_id, lookups, charged)
      SELECT c.id, 1, c.batch_id, r.ids, r.ids FROM nightshift.chunks c
      CROSS JOIN LATERAL (SELECT int8multirange(int8range(c.first_lookup_id, c.last_lookup_id + 1)) AS ids) r;
    INSERT INTO nightshift.ledger_blocks (account_id, to_seq, from_seq, first_lookup, last_lookup, balance_delta_micro, held_delta_micro,
        balance_after_micro, held_after_micro, attempt, phase, hash)
      SELECT 1, n + 1, n + 1, (n * 7919::bigint) % ${lookups}, (n * 7919::bigint) % ${lookups}, 0, -200000, 0, 0, 1, 1, '\\x00'
      FROM generate_series(0, 4999) n`,
  );
});

afterAll(() => database.close());

async function explain(query: SQL): Promise<readonly Scan[]> {
  const { rows } = await database.app.sql.execute<{ 'QUERY PLAN': readonly [{ readonly Plan: Step }] }>(
    sql`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`,
  );
  return rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan));
}

/** Explains the statement of a store. */
async function explainStore(ask: (db: Sql) => Promise<unknown>): Promise<readonly Scan[]> {
  const scans: Scan[] = [];
  const explaining = {
    execute: async (query: SQL) => {
      scans.push(...(await explain(query)));
      return { rows: [] };
    },
  } as unknown as Sql;
  await ask(explaining);
  return scans;
}

describe.each(['without statistics', 'with statistics'])('%s', (name) => {
  beforeAll(async () => {
    if (name === 'with statistics') await database.owner.pool.query('ANALYZE');
  });

  test('a page of the ledger finds the chunk of each purged lookup by its index', async () => {
    const page = { limit: 50, before: null };
    const scans = await explainStore((db) => createLedgerList(db).list(1, page));
    expect(largest(scans, 'purged_chunks')).toBeLessThanOrEqual(100);
    expect(largest(scans, 'chunks')).toBeLessThanOrEqual(100);
    const [line] = await createLedgerList(database.app.sql).list(1, page);
    expect(line).toMatchObject({ operation: 'ads_search', outcome: 'found', kind: 'settle' });
  });

  test('the purged lookups of a batch are read by its index', async () => {
    const scans = await explain(
      sql`SELECT count(*) FROM nightshift.purged_lookups WHERE batch_id = 1 AND chunk_id < 40`,
    );
    expect(largest(scans, 'purged_chunks')).toBeLessThanOrEqual(chunks / 2);
  });
});
