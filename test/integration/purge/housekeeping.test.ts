import { expect, test } from 'vitest';
import { createHousekeeping } from '../../../db/stores/purge/housekeeping.ts';
import { advisoryLocks } from '../../../db/locks/advisory-locks.ts';
import { repliesFor } from '../../support/db/retention.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { withClient } from '../../support/db/test-postgres.ts';

test('housekeeping deletes stored responses older than a day', async () => {
  const database = await openTestDatabase();
  await storeResponse(database, 'fresh', '23 hours');
  await storeResponse(database, 'old', '25 hours');
  await createHousekeeping(database.app.sql, repliesFor(86_400_000)).tidy();
  expect(await column(database, 'SELECT key AS v FROM nightshift.idempotency_keys')).toEqual(['fresh']);
});

test('housekeeping deletes an interrupted load after a day with its rows', async () => {
  const database = await openTestDatabase();
  await insertLoading(database, 'bat_old', '25 hours', 7);
  await insertLoading(database, 'bat_fresh', '23 hours', 8);
  await createHousekeeping(database.app.sql, repliesFor(86_400_000)).tidy();
  expect(await column(database, 'SELECT public_id AS v FROM nightshift.batches')).toEqual(['bat_fresh']);
  expect(await column(database, 'SELECT count(*)::text AS v FROM nightshift.batch_rows')).toEqual(['1']);
});

test('housekeeping keeps a load in progress, whatever its age', async () => {
  const database = await openTestDatabase();
  await insertLoading(database, 'bat_old', '25 hours', 7);
  await withClient(database.url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1, $2)', [advisoryLocks.batchLoad, 7]);
    await createHousekeeping(database.app.sql, repliesFor(86_400_000)).tidy();
  });
  expect(await column(database, 'SELECT public_id AS v FROM nightshift.batches')).toEqual(['bat_old']);
});

test('housekeeping deletes links to reports 30 days after they expired or were revoked', async () => {
  const database = await openTestDatabase();
  await insertLoading(database, 'bat_1', '1 hour', 7);
  await database.owner.pool.query(
    `INSERT INTO nightshift.report_links (public_id, account_id, digest, batch_id, created_by, created_at, expires_at, revoked_at)
      SELECT v.link, 1, sha256(v.link::bytea), b.id, 'cli', now() - interval '80 days', now() - v.expired, now() - v.revoked
      FROM nightshift.batches b, (VALUES ('active', interval '-1 day', NULL), ('expired', interval '29 days', NULL), ('old', interval '31 days', NULL),
        ('revoked', interval '-1 day', interval '29 days'), ('long revoked', interval '-1 day', interval '31 days')) v(link, expired, revoked)`,
  );
  await createHousekeeping(database.app.sql, repliesFor(86_400_000)).tidy();
  expect(await column(database, 'SELECT public_id AS v FROM nightshift.report_links ORDER BY id')).toEqual([
    'active',
    'expired',
    'revoked',
  ]);
});

test('housekeeping deletes restored calls that no lookup gets any more', async () => {
  const database = await openTestDatabase();
  await database.owner.pool.query(
    `INSERT INTO nightshift.restored_calls (id, account_id, source, bucket, description, units, sent_at, restored_at)
      SELECT v.id, 1, 'upstream', 'upstream', v.description, 1, now() - v.age, now() - v.age
      FROM (VALUES (1, 'fresh', interval '6 days'), (2, 'old', interval '8 days')) v(id, description, age)`,
  );
  await createHousekeeping(database.app.sql, repliesFor(86_400_000)).tidy();
  expect(await column(database, 'SELECT description AS v FROM nightshift.restored_calls')).toEqual(['fresh']);
});

async function storeResponse({ owner }: TestDatabase, key: string, age: string): Promise<void> {
  await owner.pool.query(
    `INSERT INTO nightshift.idempotency_keys (account_id, key, request_id, fingerprint, created_at, status, headers, body)
      VALUES (1, $1, 'req_1', '\\x00', now() - $2::interval, 200, '{}', '\\x7b7d')`,
    [key, age],
  );
}

async function insertLoading(
  { owner }: TestDatabase,
  publicId: string,
  age: string,
  lock: number,
): Promise<void> {
  const identity = Buffer.alloc(32);
  identity.writeInt32BE(lock);
  await owner.pool.query(
    `WITH b AS (
        INSERT INTO nightshift.batches (public_id, account_id, file_name, identity, content_sha256, operations, header,
          column_map, sources, state_since)
        VALUES ($1, 1, 'list.csv', $2, '\\x00', '{ads_search}', '{company}', '{}', '{sample}', now() - $3::interval)
        RETURNING id
      )
      INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, reject_reasons)
      SELECT id, 0, 1, '{2}', 'x', '{none}' FROM b`,
    [publicId, identity, age],
  );
}

async function column({ owner }: TestDatabase, query: string): Promise<readonly string[]> {
  return (await owner.pool.query<{ v: string }>(query)).rows.map((row) => row.v);
}
