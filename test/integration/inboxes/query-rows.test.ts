import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryRows, readColumns, type RowsQuery } from '../../../src/adapters/postgres/query-rows.ts';
import { createFileSpool } from '../../../src/adapters/storage/spool-file.ts';
import { StorageRejected } from '../../../src/core/errors.ts';
import type { QueryCursor } from '../../../src/core/inboxes/query-cursor.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';

/** A Postgres of the user's own: an empty schema in the database of the test. */
let owner: pg.Client;
let reader: pg.Client;
let url: string;
beforeEach(async () => {
  const database = await openTestDatabase();
  url = database.url;
  owner = await connect();
  reader = await connect();
  await owner.query('CREATE SCHEMA crm; CREATE TABLE crm.accounts (id integer, domain text, at timestamptz)');
});
afterEach(() => Promise.all([owner.end(), reader.end()]));

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function run(
  query: Partial<RowsQuery>,
  options: { readonly rowsMax?: number; readonly signal?: AbortSignal } = {},
) {
  const spool = createFileSpool(temporaryFolder());
  const signal = new AbortController().signal;
  const all = {
    query: 'SELECT id, domain FROM crm.accounts ORDER BY id',
    newerBy: null,
    cursor: null,
    ...query,
  };
  const read = await queryRows(reader, all, {
    ...{ spool, fileName: 'crm.csv', where: 'The database crm', bytesMax: 1_000_000, signal },
    ...options,
  });
  if (read === null) return null;
  return { text: readFileSync(read.file.path, 'utf8'), rows: read.rows, cursor: read.cursor };
}

const insert = (id: number, at = `2026-01-0${id}`) =>
  owner.query('INSERT INTO crm.accounts VALUES ($1, $2, $3)', [id, `company-${id}.com`, at]);

describe('rows of a query', () => {
  test('are written as CSV with the names of the columns, and without rows nothing is written', async () => {
    expect(await run({})).toBeNull();
    await insert(1);
    await owner.query(
      `INSERT INTO crm.accounts VALUES (2, 'a "quoted", cell' || chr(10) || 'x', NULL), (3, NULL, NULL)`,
    );
    expect(await run({})).toEqual({
      text: '"id","domain"\n"1","company-1.com"\n"2","a ""quoted"", cell\nx"\n"3",""\n',
      rows: 3,
      cursor: null,
    });
  });

  test('are streamed in the order of the query, however many there are', async () => {
    const many = await run({ query: 'SELECT n AS domain FROM generate_series(1, 2500) n' });
    expect(many?.rows).toBe(2500);
    expect(many?.text.split('\n').slice(0, 3)).toEqual(['"domain"', '"1"', '"2"']);
    expect(many?.text.split('\n')).toHaveLength(2502);
  });

  test('are read in a transaction that cannot write', async () => {
    await owner.query(
      `CREATE FUNCTION crm.write() RETURNS integer LANGUAGE sql AS 'INSERT INTO crm.accounts VALUES (9) RETURNING id'`,
    );
    await expect(run({ query: 'SELECT crm.write() AS domain' })).rejects.toThrow('can only be read');
  });

  test.each([
    ['a second statement', 'SELECT 1; DROP TABLE crm.accounts'],
    ['a second statement behind the closing bracket', 'SELECT 1 AS id) q; DROP TABLE crm.accounts; --'],
    ['a statement that is no query', 'DROP TABLE crm.accounts'],
    ['a mistake', 'SELECT colour FROM crm.accounts'],
  ])('of %s are rejected', async (_, query) => {
    const newerBy = query.includes(')') ? 'id' : null;
    await expect(run({ query, newerBy })).rejects.toThrow(StorageRejected);
    expect((await owner.query('SELECT 1 FROM crm.accounts')).rowCount).toBe(0);
  });

  test('have columns that can be read before, and a missing column is named', async () => {
    const query = 'SELECT id, domain FROM crm.accounts';
    expect(await readColumns(reader, { query, newerBy: 'id' }, 'The database crm')).toEqual(['id', 'domain']);
    await expect(readColumns(reader, { query, newerBy: 'at' }, 'The database crm')).rejects.toThrow(
      'The database crm rejects the query: column q.at does not exist.',
    );
  });

  test('that exceed the size of a file are rejected with what to do', async () => {
    const query = "SELECT repeat('x', 100000) AS domain FROM generate_series(1, 20)";
    await expect(run({ query })).rejects.toThrow('Restrict it, or name a column for newer rows.');
  });

  test('stop with the signal', async () => {
    const stop = new AbortController();
    const running = run({ query: 'SELECT pg_sleep(60)::text AS domain' }, { signal: stop.signal });
    stop.abort(new Error('stopping'));
    await expect(running).rejects.toThrow('stopping');
  });
});

describe('rows newer than the position', () => {
  const query = 'SELECT id, domain, at FROM crm.accounts';
  const readNewer = async (cursor: QueryCursor | null, rowsMax?: number) => {
    const read = await run({ query, newerBy: 'at', cursor }, rowsMax === undefined ? {} : { rowsMax });
    const ids = read?.text
      .split('\n')
      .slice(1, -1)
      .map((line) => Number(/^"(\d+)"/.exec(line)?.[1]));
    return { ids: ids ?? [], cursor: read?.cursor ?? cursor };
  };

  test('are read once each, also those that arrive later with the same value', async () => {
    await insert(2);
    await insert(1);
    const first = await readNewer(null);
    expect(first.ids).toEqual([1, 2]);
    expect((await readNewer(first.cursor)).ids).toEqual([]);
    await insert(3, '2026-01-02');
    const second = await readNewer(first.cursor);
    expect(second.ids).toEqual([3]);
    expect((await readNewer(second.cursor)).ids).toEqual([]);
    await insert(4);
    const third = await readNewer(second.cursor);
    expect(third.ids).toEqual([4]);
    expect(third.cursor?.rows).toHaveLength(1);
  });

  test('never include rows without a value', async () => {
    await owner.query("INSERT INTO crm.accounts VALUES (1, 'a.com', NULL)");
    expect((await readNewer(null)).ids).toEqual([]);
  });

  test('continue with the next look when there are more than a batch can hold', async () => {
    for (const id of [1, 2, 3, 4, 5]) await insert(id, id < 4 ? '2026-01-01' : `2026-01-0${id}`);
    const seen: number[] = [];
    let cursor: QueryCursor | null = null;
    for (let look = 0; look < 4; look += 1) {
      const read: Awaited<ReturnType<typeof readNewer>> = await readNewer(cursor, 2);
      seen.push(...read.ids);
      cursor = read.cursor;
    }
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  test('are rejected when too many have the same value', async () => {
    const same = 'SELECT n AS id, 1 AS at FROM generate_series(1, 10001) n';
    await expect(run({ query: same, newerBy: 'at' })).rejects.toThrow('have the same value');
  });
});
