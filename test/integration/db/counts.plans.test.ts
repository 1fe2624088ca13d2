import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../db/connection/client.ts';
import { selectDestinations } from '../../../db/stores/destinations/destination-rows.ts';
import { selectFiles } from '../../../db/stores/inboxes/inbox-file-rows.ts';
import { selectInboxes } from '../../../db/stores/inboxes/inbox-rows.ts';
import { countedMax } from '../../../src/core/reports/capped-count.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { largest, scansOf, type Scan, type Step } from '../../support/db/plan-scans.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

/** One large inbox and destination, and a small one of each. Not vacuumed, so that an index is not the only way to a row. */
const bulk = [
  `INSERT INTO nightshift.inboxes (public_id, account_id, name, location, cron, time_zone, settle_ms, file_options, sources, next_at)
    SELECT 'inb_' || name, 1, name, '{"kind": "folder", "path": "/in"}', '* * * * *', 'UTC', 0, '{}', '{sample}', now()
    FROM unnest(ARRAY['large', 'small']) AS name`,
  `INSERT INTO nightshift.inbox_files (public_id, account_id, inbox_id, path, place, version, bytes, state, reason, batch_id, settled_at)
    SELECT 'inf_' || n, 1, i.id, n || '.csv', n || '.csv', '1', 1, s.state, CASE WHEN s.state = 'failed' THEN 'bad' END,
      CASE WHEN s.state = 'loaded' THEN n END, CASE WHEN s.state <> 'waiting' THEN now() END
    FROM generate_series(1, 40000) AS n
    JOIN nightshift.inboxes i ON i.name = CASE WHEN n % 1000 = 0 THEN 'small' ELSE 'large' END
    CROSS JOIN LATERAL (SELECT CASE n % 1000 WHEN 1 THEN 'failed' WHEN 2 THEN 'waiting' ELSE 'loaded' END AS state) s`,
  `INSERT INTO nightshift.destinations (public_id, account_id, name, location, is_of_account, format, shapes, options)
    SELECT 'dst_' || name, 1, name, '{"kind": "folder", "path": "/out"}', false, 'csv', '{rows}', '{}'
    FROM unnest(ARRAY['large', 'small']) AS name`,
  `INSERT INTO nightshift.landings (destination_id, batch_id, shape, content_key, day, state, landed_at, rows, bytes, parts)
    SELECT d.id, n, 'rows', n::text, '2026-03-01', s.state, s.landed_at, 1, 1, 1
    FROM generate_series(1, 40000) AS n
    JOIN nightshift.destinations d ON d.name = CASE WHEN n % 1000 = 0 THEN 'small' ELSE 'large' END
    CROSS JOIN LATERAL (
      SELECT CASE n % 1000 WHEN 1 THEN 'dead' WHEN 2 THEN 'pending' ELSE 'landed' END AS state,
        CASE WHEN n % 1000 NOT IN (1, 2) THEN timestamptz '2026-03-01Z' + n * interval '1 second' END AS landed_at
    ) s`,
  'ANALYZE',
];

beforeAll(async () => {
  database = await createTestDatabase();
  for (const statement of bulk) await database.owner.pool.query(statement);
});

afterAll(() => database.close());

/** Runs a statement and explains how. */
async function explain(ask: (db: Sql) => Promise<unknown>): Promise<readonly Scan[]> {
  const scans: Scan[] = [];
  const explaining = {
    execute: async (query: SQL) => {
      const { rows } = await database.app.sql.execute<{ 'QUERY PLAN': readonly [{ readonly Plan: Step }] }>(
        sql`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`,
      );
      scans.push(...rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan)));
      return { rows: [] };
    },
  } as unknown as Sql;
  await ask(explaining);
  expect(scans.length).toBeGreaterThan(0);
  return scans;
}

test('the files of inboxes are counted by state, up to the maximum', async () => {
  const found = await selectInboxes(database.app.sql, sql`true`, 10);
  const none = { waiting: 0, ready: 0, loading: 0, loaded: 0, joined: 0, failed: 0, ignored: 0 };
  expect(found.map(({ name, files }) => ({ name, files }))).toEqual([
    { name: 'small', files: { ...none, loaded: 40 } },
    { name: 'large', files: { ...none, loaded: countedMax, failed: 40, waiting: 40 } },
  ]);
});

test('an inbox with many files is read without reading them all', async () => {
  const scans = await explain((db) => selectInboxes(db, sql`true`, 10));
  expect(largest(scans, 'inbox_files')).toBeLessThan(2 * countedMax);
});

test('the failed files of an inbox are listed without reading the others', async () => {
  const [, large] = await selectInboxes(database.app.sql, sql`true`, 10);
  const inState = sql`f.inbox_id = ${large?.inboxId} AND f.state = 'failed'`;
  expect(await selectFiles(database.app.sql, inState, 50)).toHaveLength(40);
  const scans = await explain((db) => selectFiles(db, inState, 50));
  expect(largest(scans, 'inbox_files')).toBeLessThan(60);
});

test('the landings of destinations are counted by state, up to the maximum', async () => {
  const found = await selectDestinations(database.app.sql, 1);
  const counts = found.map(({ name, pending, dead, last_landed_at: at }) => [name, pending, dead, at]);
  expect(counts).toEqual([
    ['large', 40, 40, expect.stringContaining('2026-03-01 11:06:39')],
    ['small', 0, 0, expect.stringContaining('2026-03-01 11:06:40')],
  ]);
  await database.owner.pool.query(
    "UPDATE nightshift.landings SET state = 'dead', landed_at = NULL WHERE destination_id = (SELECT min(id) FROM nightshift.destinations)",
  );
  const [large] = await selectDestinations(database.app.sql, 1);
  expect([large?.pending, large?.dead, large?.last_landed_at]).toEqual([0, countedMax, null]);
});

test('a destination with many landings is read without reading them all', async () => {
  const scans = await explain((db) => selectDestinations(db, 1));
  expect(largest(scans, 'landings')).toBeLessThan(2 * countedMax);
});
