import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRevisionStore, revisionsSql } from '../../../db/stores/accounts/account-revisions.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { scansOf, type Step } from '../../support/db/plan-scans.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

/** A large account, and one with a few rows of each table. Not vacuumed, so that an index is not the only way to a row. */
const bulk = [
  `INSERT INTO nightshift.accounts (name) VALUES ('small')`,
  `INSERT INTO nightshift.batches (public_id, account_id, file_name, identity, content_sha256, operations, header, column_map, sources,
      state, is_current)
    SELECT 'bat_' || n, a.id, 'leads.csv', sha256(n::text::bytea), sha256(n::text::bytea), '{ads_search}', '{website}', '{}', '{sample}',
      'cancelled', false
    FROM generate_series(1, 20000) AS n
    JOIN nightshift.accounts a ON a.name = CASE WHEN n % 1000 = 0 THEN 'small' ELSE 'default' END`,
  `INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources,
      next_at)
    SELECT 'sch_' || a.name, a.id, 'nightly', '0 2 * * *', 'UTC', 'leads.csv', '', '{}', 1, '{sample}', now() FROM nightshift.accounts a
    WHERE a.name IN ('small', 'default')`,
  `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, evaluated_at, reason)
    SELECT 'scn_' || n, s.account_id, s.id, now() - n * interval '1 minute', 'tick', 'missed', now(), 'The server was off.'
    FROM generate_series(1, 20000) AS n
    JOIN nightshift.schedules s ON s.public_id = CASE WHEN n % 1000 = 0 THEN 'sch_small' ELSE 'sch_default' END`,
  `INSERT INTO nightshift.events (public_id, account_id, event, subject, payload)
    SELECT 'evt_' || n, a.id, 'batch.finished', n::text, '{}' FROM generate_series(1, 20000) AS n
    JOIN nightshift.accounts a ON a.name = CASE WHEN n % 1000 = 0 THEN 'small' ELSE 'default' END`,
  `INSERT INTO nightshift.webhook_deliveries (event_id, webhook_id) SELECT id, 1 FROM nightshift.events`,
  `INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups)
    SELECT account_id, id, id, id, 'done', 1, 1 FROM nightshift.batches`,
  'ANALYZE',
];

beforeAll(async () => {
  database = await createTestDatabase();
  for (const statement of bulk) await database.owner.pool.query(statement);
});

afterAll(() => database.close());

test.each(['default', 'small'])(
  'the revisions of the %s account are read from the newest rows only',
  async (name) => {
    const { rows: found } = await database.owner.pool.query<{ id: string }>(
      'SELECT id FROM nightshift.accounts WHERE name = $1',
      [name],
    );
    const accountId = Number(found[0]?.id);
    const revisions = await createRevisionStore(database.app.sql).read(accountId);
    expect(new Set(Object.values(revisions)).size).toBeGreaterThan(3);
    const { rows } = await database.app.sql.execute<{ 'QUERY PLAN': readonly [{ readonly Plan: Step }] }>(
      sql`EXPLAIN (ANALYZE, FORMAT JSON) ${revisionsSql(accountId)}`,
    );
    const scans = rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan));
    expect(scans.map(({ table }) => table)).toEqual(expect.arrayContaining(['batches', 'scans', 'events']));
    for (const scan of scans) expect(scan.rows, scan.table).toBeLessThan(250);
  },
);
