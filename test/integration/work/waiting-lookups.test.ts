import { sql, type SQL } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { joinOpenOfChunkSql } from '../../../db/stores/sql/open-lookups.ts';
import { createBatchReportStore } from '../../../db/stores/reports/batch-report.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import { loadBatch } from '../../../src/producer/load/load-batch.ts';
import { streamOf } from '../../support/csv/company-files.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { batchControlsOver } from '../../support/faults/steering.ts';

test('a lookup waits in a block, and gets its row with its outcome', async () => {
  const database = await openTestDatabase();
  const { load, cut, claim, answer, drainFully, control, accountId, findings } =
    await batchControlsOver(database);
  const { batchId, publicId } = await load(2500);
  expect(await count(database, 'lookups')).toBe(0);
  const spans = await database.owner.pool.query<{ n: number }>(
    'SELECT cardinality(ids) AS n FROM nightshift.lookup_blocks ORDER BY first_id',
  );
  expect(spans.rows.length).toBeLessThan(6);
  expect(spans.rows.reduce((sum, { n }) => sum + n, 0)).toBe(2500);
  const [first] = await cut(4, 2);
  await answer(await claim(first ?? { chunkId: 0, generation: 0 }));
  expect(await count(database, 'lookups')).toBe(4);
  expect([await count(database, 'open_lookups'), await count(database, 'all_lookups')]).toEqual([2496, 2500]);
  expect(await findings()).toEqual([]);
  await control.cancel(accountId, publicId);
  await drainFully(batchId);
  expect([await count(database, 'lookups'), await count(database, 'lookup_blocks')]).toEqual([2500, 0]);
  expect(await findings()).toEqual([]);
});

test('a page shows the company of a row whose lookup waits', async () => {
  const database = await openTestDatabase();
  const { load, cut, claim, answer } = await batchControlsOver(database);
  const { batchId } = await load(6);
  const [first] = await cut(2);
  await answer(await claim(first ?? { chunkId: 0, generation: 0 }));
  const { lines } = await createBatchReportStore(database.app.sql).readPage(batchId, {
    afterRow: 1,
    limit: 3,
  });
  expect(lines.map(({ companyDomain, outcome, adsCount }) => [companyDomain, outcome, adsCount])).toEqual([
    ['company-2.com', 'none', 0],
    ['company-3.com', 'open', null],
    ['company-4.com', 'open', null],
  ]);
});

test('an erasure changes an address in its block, and a commit waits for it', async () => {
  const database = await openTestDatabase();
  const { cut, claim, accountId, findings } = await batchControlsOver(database);
  await loadAddresses(database, accountId, [
    'jane@acme.com',
    'joe@acme.com',
    'jane@ACME.com',
    'jim@acme.com',
  ]);
  const [chunk] = await cut(10);
  const claimed = await claim(chunk ?? { chunkId: 0, generation: 0 });
  const eraser = await database.owner.pool.connect();
  await eraser.query('BEGIN');
  const erased = await eraser.query<{ lookups: string }>(
    "SELECT lookups FROM nightshift.erase_address('jane@acme.com', ARRAY['jane@acme.com'])",
  );
  expect(erased.rows).toEqual([{ lookups: '1' }]);
  const committing = createOutcomeStore(database.app.sql).commit(
    claimed,
    claimed.lookups.map(({ lookupId }) => ({
      lookupId,
      source: null,
      answer: { kind: 'failed' as const, reason: 'dns_error' },
    })),
  );
  await expect.poll(() => countWaiting(database)).toBe(1);
  await eraser.query('COMMIT');
  eraser.release();
  await committing;
  const { rows } = await database.owner.pool.query<{ subject_key: string; email: string | null }>(
    'SELECT subject_key, email FROM nightshift.lookups ORDER BY id',
  );
  expect(rows.map(({ email }) => email)).toEqual([null, 'joe@acme.com', 'jim@acme.com']);
  expect(rows[0]?.subject_key).toMatch(/^erased:\d+$/);
  expect(await findings()).toEqual([]);
});

test('an erasure after a commit changes the row that the address was copied to', async () => {
  const database = await openTestDatabase();
  const { cut, claim, accountId, outcomes } = await batchControlsOver(database);
  await loadAddresses(database, accountId, ['jane@acme.com', 'joe@acme.com']);
  const [chunk] = await cut(10);
  const claimed = await claim(chunk ?? { chunkId: 0, generation: 0 });
  const [jane] = claimed.lookups;
  const failed = { kind: 'failed' as const, reason: 'dns_error' };
  await outcomes.commit(claimed, [{ lookupId: jane?.lookupId ?? 0n, source: null, answer: failed }]);
  const { rows } = await database.owner.pool.query<{ lookups: string }>(
    "SELECT lookups FROM nightshift.erase_address('jane@acme.com', ARRAY['jane@acme.com'])",
  );
  expect(rows).toEqual([{ lookups: '1' }]);
  const left = await database.owner.pool.query(
    `SELECT FROM nightshift.all_lookups WHERE email LIKE 'jane%'
      UNION ALL SELECT FROM nightshift.lookup_blocks WHERE 'jane@acme.com' = ANY (emails || subject_keys)`,
  );
  expect(left.rowCount).toBe(0);
});

async function count({ owner }: TestDatabase, table: string): Promise<number> {
  const { rows } = await owner.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM nightshift.${table}`,
  );
  return rows[0]?.n ?? 0;
}

/** Sessions that wait for a lock of another. */
async function countWaiting({ owner }: TestDatabase): Promise<number> {
  const { rows } = await owner.pool.query<{ n: number }>(
    "SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows[0]?.n ?? 0;
}

function loadAddresses(database: TestDatabase, accountId: number, addresses: readonly string[]) {
  return loadBatch(createBatchStore(database.app), {
    accountId,
    open: () => streamOf(`email\n${addresses.join('\n')}\n`, 1000),
    reading: { fileName: 'people.csv' },
    sources: async () => ['upstream'],
    search: anySearch,
    bounds: noBounds,
    again: false,
    onProgress: () => undefined,
  });
}

test('open lookups of chunks are read by indexes whatever the statistics say', async () => {
  const database = await openTestDatabase();
  const { load, cut } = await batchControlsOver(database);
  const { batchId } = await load(2500);
  await cut(500);
  // The loaded tables have no statistics; the planner takes them for tiny.
  const open = await explain(
    database,
    sql`SELECT l.id FROM nightshift.chunks c ${joinOpenOfChunkSql} WHERE c.batch_id = ${batchId}`,
  );
  expect(open).toMatch(/Index Scan using lookup_blocks_\w+_pk on lookup_blocks/);
  expect(open).not.toMatch(/Seq Scan on lookup(s|_blocks)\b/);
});

async function explain({ app }: TestDatabase, query: SQL): Promise<string> {
  const { rows } = await app.sql.transaction(async (transaction) => {
    await transaction.execute(sql`SET LOCAL enable_seqscan = off`);
    return transaction.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${query}`);
  });
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
