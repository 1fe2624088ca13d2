import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBatchReportStore } from '../../../db/stores/reports/batch-report.ts';
import { setBounds } from '../../../db/stores/sql/bounds.ts';
import { findRows } from '../../../db/stores/sql/find-rows.ts';
import { wholeResult } from '../../../src/core/batches/result-filter.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { largest, scansOf, type Scan, type Step } from '../../support/db/plan-scans.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let batchId = 0;

const rowsTotal = 32_000;

/** A batch of 32,000 rows without search blocks, every hundredth of them rejected, among small batches. */
const bulk = [
  `INSERT INTO nightshift.batches (public_id, account_id, file_name, state, identity, content_sha256, operations, header, column_map, sources, rows_total, loaded_at)
    SELECT 'bat_' || n, 1, 'list.csv', 'running', sha256(n::text::bytea), '\\x00', '{ads_search}', '{domain}', '{}', '{sample}', ${rowsTotal}, now()
    FROM generate_series(1, 200) n`,
  `INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, ads_lookups)
    SELECT b.id, n, 32, ARRAY[n * 32 + 2], array_to_string(ARRAY(SELECT 'c' || n * 32 + k || '.com' FROM generate_series(1, 32) k), E'\\x1e'),
      ARRAY[n * 32 + 1]
    FROM nightshift.batches b, generate_series(0, 999) n WHERE b.public_id = 'bat_100' OR n < 5`,
  `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key)
    SELECT n, 1, b.id, 'ads_search', 'd:c' || n || '.com' FROM nightshift.batches b, generate_series(1, ${rowsTotal}) n WHERE b.public_id = 'bat_100'`,
  'ANALYZE',
];

beforeAll(async () => {
  database = await createTestDatabase();
  for (const statement of bulk) await database.owner.pool.query(statement);
  const { rows } = await database.owner.pool.query<{ id: string }>(
    `SELECT id FROM nightshift.batches WHERE public_id = 'bat_100'`,
  );
  batchId = Number(rows[0]?.id);
});

afterAll(() => database.close());

/** Runs what reads rows, and returns the scans of its raw statements. */
async function scansIn(read: (db: NodePgDatabase) => Promise<unknown>): Promise<readonly Scan[]> {
  const scans: Scan[] = [];
  const db = database.app.sql;
  const execute = async (query: SQL) => {
    const { rows } = await db.execute<{ 'QUERY PLAN': readonly [{ readonly Plan: Step }] }>(
      sql`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`,
    );
    scans.push(...rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan)));
    return db.execute(query);
  };
  await read(
    new Proxy(db, {
      get: (target, key): unknown => (key === 'execute' ? execute : Reflect.get(target, key)),
    }),
  );
  expect(scans.length).toBeGreaterThan(0);
  return scans;
}

test('a page of rows reads its blocks only', async () => {
  const scans = await scansIn(async (db) => {
    const page = await createBatchReportStore(db).readPage(batchId, { afterRow: 16_010, limit: 100 });
    expect(page.lines.map(({ rowNo }) => rowNo)).toEqual(Array.from({ length: 100 }, (_, i) => 16_011 + i));
  });
  expect(largest(scans, 'row_blocks')).toBeLessThanOrEqual(5);
  expect(largest(scans, 'lookups')).toBeLessThanOrEqual(200);
});

test('a search for a frequent word reads the first blocks only', async () => {
  const scans = await scansIn(async (db) => {
    const filter = { ...wholeResult, words: ['.com'] };
    expect(await findRows(db, filter, { batchId, rowsTotal, fromRow: 40 }, 10)).toEqual(
      Array.from({ length: 10 }, (_, i) => 40 + i),
    );
  });
  expect(largest(scans, 'row_blocks')).toBeLessThanOrEqual(16);
});

test('a row limit reads the blocks within it', async () => {
  const scans = await scansIn((db) => setBounds(db, batchId, { limitRows: 100, maxCreditsMicro: null }));
  expect(largest(scans, 'row_blocks')).toBeLessThanOrEqual(4);
  const { rows } = await database.owner.pool.query(
    `SELECT limit_lookup_id::integer AS id FROM nightshift.batches WHERE id = ${batchId}`,
  );
  expect(rows).toEqual([{ id: 100 }]);
});
