import { expect, test } from 'vitest';
import { createPurgedSpace } from '../../../db/stores/purge/purge.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { columnOf } from '../../support/db/record-dump.ts';

const rows = 20_000;
const counts = { lookups: rows };

/** Lookups that were deleted, but whose space is still taken, and one that is left at the beginning. */
async function openEmptied(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  await database.owner.pool.query(
    `INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key)
      SELECT n, 1, 'req_' || n, 'ads_search', 'd:' || n || '.com' FROM generate_series(0, ${rows}) n;
    DELETE FROM nightshift.lookups WHERE id > 0`,
  );
  return database;
}

async function sizeOf(database: TestDatabase): Promise<number> {
  return Number((await columnOf(database, `SELECT pg_total_relation_size('nightshift.lookups')`))[0]);
}

test('a purge releases the end of a table, and its indexes, with the rights of the application', async () => {
  const database = await openEmptied();
  const before = await sizeOf(database);
  await createPurgedSpace(database.app).release(counts);
  const after = await sizeOf(database);
  expect(before).toBeGreaterThan(3_000_000);
  expect(after).toBeLessThan(200_000);
  expect(await columnOf(database, 'SELECT id FROM nightshift.lookups')).toEqual(['0']);
});

test('a purge that deleted little releases nothing', async () => {
  const database = await openEmptied();
  const before = await sizeOf(database);
  await createPurgedSpace(database.app).release({ lookups: 9999 });
  expect(await sizeOf(database)).toBe(before);
});

test('a purge leaves the indexes of a table that lost less than half of its rows', async () => {
  const database = await openEmptied();
  await database.owner.pool.query(
    `INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key)
      SELECT n, 1, 'req_' || n, 'ads_search', 'd:' || n || '.com' FROM generate_series(1, ${rows + 1000}) n`,
  );
  const files = `SELECT string_agg(pg_relation_filenode(indexrelid)::text, ' ' ORDER BY indexrelid) FROM pg_index
    WHERE indrelid = 'nightshift.lookups'::regclass`;
  const before = await columnOf(database, files);
  await createPurgedSpace(database.app).release(counts);
  expect(await columnOf(database, files)).toEqual(before);
});

test('without the right for it, a purge releases nothing and reports nothing', async () => {
  const database = await openEmptied();
  await database.owner.pool.query('REVOKE MAINTAIN ON nightshift.lookups FROM nightshift_app');
  const before = await sizeOf(database);
  await createPurgedSpace(database.app).release(counts);
  expect(await sizeOf(database)).toBe(before);
});

test('an aborted purge releases nothing, and fails with the reason of the abort', async () => {
  const database = await openEmptied();
  const before = await sizeOf(database);
  const stop = new AbortController();
  stop.abort(new Error('Stopped.'));
  await expect(createPurgedSpace(database.app).release(counts, stop.signal)).rejects.toThrow('Stopped.');
  expect(await sizeOf(database)).toBe(before);
});

test('what an interrupted rebuild of an index left is dropped', async () => {
  const database = await openEmptied();
  await database.owner.pool.query(
    `INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key) VALUES (-1, 1, 'req_more', 'ads_search', 'd:more.com')`,
  );
  const interrupted = database.owner.pool.query(
    'CREATE UNIQUE INDEX CONCURRENTLY lookups_pkey_ccnew ON nightshift.lookups (account_id)',
  );
  await expect(interrupted).rejects.toThrow('could not create unique index');
  const invalid = `SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid`;
  expect(await columnOf(database, invalid)).toEqual(['nightshift.lookups_pkey_ccnew']);
  await createPurgedSpace(database.app).release(counts);
  expect(await columnOf(database, invalid)).toEqual([]);
});
