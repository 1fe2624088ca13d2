import { describe, expect, onTestFinished, test } from 'vitest';
import pg from 'pg';
import { createTableLoader } from '../../../src/adapters/postgres/load-table.ts';
import { StorageRejected, ValidationError } from '../../../src/core/errors.ts';
import type { LandedColumn } from '../../../src/core/destinations/part-exporter.ts';
import type { LandedCell, TableLoad } from '../../../src/core/destinations/table-loader.ts';
import { createEmptyDatabase } from '../../support/db/database.ts';
import { buildFixture } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';
import { accountId, openLandingFixture } from '../../support/destinations/landing-fixture.ts';
import { never } from '../../support/storage/local-files.ts';

const columns: readonly LandedColumn[] = [
  { name: 'Website', kind: 'text' },
  { name: 'ads_count', kind: 'count' },
  { name: 'ads_credits_consumed', kind: 'credits' },
  { name: 'ads_partial', kind: 'flag' },
  { name: 'start', kind: 'day' },
  { name: 'ads_observed_at', kind: 'moment' },
];

type Line = readonly LandedCell[];

async function openTable() {
  const url = await createEmptyDatabase();
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const query = async (statement: string) => (await client.query<Record<string, unknown>>(statement)).rows;
  const load = async (lines: readonly Line[], wanted: Partial<TableLoad> = {}) => {
    const own = new pg.Client(url);
    await own.connect();
    const loader = createTableLoader(own, 'The database');
    try {
      return await loader.load({
        table: 'sales.companies',
        columns,
        lines: blocksOf(lines),
        key: null,
        batch: 'bat_1',
        finishedAt: new Date('2026-03-01T02:00:00Z'),
        signal: never,
        ...wanted,
      });
    } finally {
      await loader.close();
    }
  };
  return { url, query, load };
}

async function* blocksOf(lines: readonly Line[]): AsyncGenerator<readonly Line[]> {
  for (const line of lines) yield await Promise.resolve([line]);
}

const line = (website: LandedCell, count: LandedCell = 1): Line => [
  website,
  count,
  0.2,
  true,
  '2026-02-01',
  null,
];

const later = { batch: 'bat_2', finishedAt: new Date('2026-03-02T02:00:00Z') };

describe('table of the user', () => {
  test('is made with typed columns, and gets exactly the lines, however often they are loaded', async () => {
    const { query, load } = await openTable();
    const lines = [line('a\tb\\.com\n"x"', 3), line(null), line('')];
    for (let repeat = 0; repeat < 3; repeat += 1)
      expect(await load(lines)).toMatchObject({ rows: 3, repeatedKeys: 0, outdated: 0 });
    expect(await query('SELECT "Website", ads_count, nightshift_batch FROM sales.companies')).toEqual([
      { Website: 'a\tb\\.com\n"x"', ads_count: 3, nightshift_batch: 'bat_1' },
      { Website: null, ads_count: 1, nightshift_batch: 'bat_1' },
      { Website: '', ads_count: 1, nightshift_batch: 'bat_1' },
    ]);
    expect(
      await query(`SELECT string_agg(format_type(atttypid, atttypmod), ', ' ORDER BY attnum) AS types FROM pg_attribute
        WHERE attrelid = 'sales.companies'::regclass AND attnum > 0`),
    ).toEqual([
      {
        types:
          'text, timestamp with time zone, text, integer, numeric(18,6), boolean, date, timestamp with time zone',
      },
    ]);
  });

  test('loses the rows of a batch that a later result of it does not have', async () => {
    const { query, load } = await openTable();
    await load([line('a.com'), line('b.com')]);
    await load([line('c.com')], later);
    await load([line('b.com', 2)]);
    expect(await query('SELECT "Website", ads_count FROM sales.companies ORDER BY 1')).toEqual([
      { Website: 'b.com', ads_count: 2 },
      { Website: 'c.com', ads_count: 1 },
    ]);
  });

  test('gets missing columns, and is widened, never narrowed', async () => {
    const { query, load } = await openTable();
    await query(`CREATE SCHEMA sales; CREATE TABLE sales.companies (id bigint GENERATED ALWAYS AS IDENTITY, "Website" varchar(5),
      ads_count smallint, ads_credits_consumed integer, start timestamptz, ads_partial uuid, mine text DEFAULT 'kept')`);
    await query(
      `INSERT INTO sales.companies ("Website", ads_count, ads_partial) VALUES ('old', 7, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')`,
    );
    await load([line('longer than five', 2_000_000_000)]);
    expect(
      await query(
        'SELECT "Website", ads_count, ads_credits_consumed, ads_partial, mine FROM sales.companies ORDER BY id',
      ),
    ).toEqual([
      {
        Website: 'old',
        ads_count: 7,
        ads_credits_consumed: null,
        ads_partial: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
        mine: 'kept',
      },
      {
        Website: 'longer than five',
        ads_count: 2_000_000_000,
        ads_credits_consumed: '0.200000',
        ads_partial: 'true',
        mine: 'kept',
      },
    ]);
  });

  test('with a key has one row per key, of the last line and the latest batch', async () => {
    const { query, load } = await openTable();
    const key = ['Website'];
    expect(
      await load([line('a.com', 1), line('b.com', 2), line('a.com', 3), line(null, 4)], { key }),
    ).toMatchObject({ rows: 4, repeatedKeys: 1, outdated: 0 });
    expect(await load([line('b.com', 5), line(null, 6)], { key, ...later })).toMatchObject({ outdated: 0 });
    // The first batch lands again, late.
    expect(await load([line('b.com', 7), line('d.com', 8)], { key })).toMatchObject({ outdated: 1 });
    expect(
      await query('SELECT "Website", ads_count, nightshift_batch FROM sales.companies ORDER BY 1'),
    ).toEqual([
      { Website: '', ads_count: 6, nightshift_batch: 'bat_2' },
      { Website: 'b.com', ads_count: 5, nightshift_batch: 'bat_2' },
      { Website: 'd.com', ads_count: 8, nightshift_batch: 'bat_1' },
    ]);
  });

  test('keeps the later result of a batch when an earlier one arrives late', async () => {
    const { query, load } = await openTable();
    await load([line('new.com')], { finishedAt: later.finishedAt });
    expect(await load([line('old.com')])).toMatchObject({ outdated: 1 });
    expect(await query('SELECT "Website" FROM sales.companies')).toEqual([{ Website: 'new.com' }]);
  });

  test('gets names of columns that Postgres allows, each of them once', async () => {
    const { query, load } = await openTable();
    const long = 'ü'.repeat(40);
    const named = ['nightshift_batch', `${long}1`, `${long}2`, 'a"b', 'A"b'].map((name) => ({
      name,
      kind: 'text' as const,
    }));
    await load([['1', '2', '3', '4', '5']], { columns: named });
    const [row] = await query('SELECT * FROM sales.companies');
    expect(Object.values(row ?? {}).slice(2)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('is unchanged when lines fail in the middle', async () => {
    const { query, load } = await openTable();
    await load([line('a.com')]);
    async function* failing(): AsyncGenerator<readonly Line[]> {
      yield await Promise.resolve([line('b.com')]);
      throw new Error('the snapshot is gone');
    }
    await expect(load([], { lines: failing() })).rejects.toThrow('the snapshot is gone');
    expect(await query('SELECT "Website" FROM sales.companies')).toEqual([{ Website: 'a.com' }]);
  });

  test('loads of one batch at once leave its lines once', async () => {
    const { query, load } = await openTable();
    await load([line('a.com')]);
    let started = 0;
    let open = (): void => undefined;
    const allStarted = new Promise<void>((resolve) => (open = resolve));
    async function* together(): AsyncGenerator<readonly Line[]> {
      yield [line('a.com')];
      started += 1;
      if (started === 6) open();
      await allStarted;
      yield [line('b.com')];
    }
    await Promise.all(Array.from({ length: 6 }, () => load([], { lines: together() })));
    expect(await query('SELECT count(*)::integer AS n FROM sales.companies')).toEqual([{ n: 2 }]);
  });

  test('that is a view, or has equal keys, is rejected with the remedy', async () => {
    const { query, load } = await openTable();
    await query(`CREATE SCHEMA sales; CREATE VIEW sales.companies AS SELECT 1 AS x; CREATE TABLE sales.twice ("Website" text);
      INSERT INTO sales.twice VALUES ('a.com'), ('a.com')`);
    await expect(load([line('a.com')])).rejects.toThrow(StorageRejected);
    await expect(load([line('a.com')], { table: 'sales.twice', key: ['Website'] })).rejects.toThrow(
      /has rows with equal keys in the table/,
    );
    await query('DROP VIEW sales.companies');
    await load([line('a.com')]);
  });
});

test('a finished batch lands in a table once, and a key that it lacks is an error that no attempt repairs', async () => {
  const fixture = await openLandingFixture();
  const { url, query } = await openTable();
  const { location, credentials } = placeOf(url);
  await fixture.add('crm', location, { credentials, table: 'sales.ads', shapes: ['ads'] });
  await fixture.add('keyed', location, { credentials, table: 'sales.rows', key: ['Missing'] });
  const { finished } = await buildFixture(fixture.database.app);
  await fixture.land();
  expect(fixture.errors).toEqual([]);
  expect(await fixture.landings('crm')).toMatchObject([{ state: 'landed', parts: 1, note: null }]);
  expect(await fixture.landings('keyed')).toMatchObject([
    { state: 'dead', attempts: 1, lastError: expect.stringContaining('has no column "Missing"') as string },
  ]);
  const rows = await query('SELECT nightshift_batch, creative_id FROM sales.ads');
  expect(rows).toHaveLength((await fixture.landings('crm'))[0]?.rows ?? 0);
  expect(new Set(rows.map((row) => row['nightshift_batch']))).toEqual(new Set([finished.publicId]));
  await expect(fixture.add('closed', location, { table: 'sales.rows' })).rejects.toThrow(/password/);
  await fixture.service.replay(accountId, 'crm', { kind: 'batch', batch: finished.publicId });
  await fixture.land();
  expect(await query('SELECT count(*)::integer AS n FROM sales.ads')).toEqual([{ n: rows.length }]);
  expect(await fixture.service.test(accountId, 'crm', never)).toEqual({ error: null });
  expect(await listFindings(fixture.database)).toEqual([]);
  await expect(fixture.add('two', location, { table: 'x', shapes: ['rows'] })).rejects.toThrow(
    ValidationError,
  );
});

function placeOf(url: string) {
  const { username, password, host, pathname } = new URL(url);
  return {
    location: `postgres://${username}@${host}${pathname}?sslmode=disable`,
    credentials: password === '' ? null : { password: decodeURIComponent(password) },
  };
}
