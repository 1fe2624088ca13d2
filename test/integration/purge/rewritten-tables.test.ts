import { expect, test } from 'vitest';
import { createHousekeeping } from '../../../db/stores/purge/housekeeping.ts';
import { createPostgresRateLimitStore } from '../../../db/stores/sources/rate-limits.ts';
import { repliesFor } from '../../support/db/retention.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { cutOneChunk } from '../../support/db/fixture.ts';
import { pinSnapshot } from '../../support/faults/pin-snapshot.ts';
import { openOnPostgres } from '../../support/queue/backends.ts';
import { openQueueOn } from '../../support/queue/open-queue.ts';

const dayMs = 86_400_000;

test('while a transaction stays open, the table of rate limits is rewritten, and keeps its rows', async () => {
  const database = await openTestDatabase();
  const store = createPostgresRateLimitStore(database.app.sql);
  await store.learn('slow', 5000);
  await pinSnapshot(database);
  await reserve(database, 'busy', 3500);
  const before = await readRows(database, 'nightshift.source_buckets');
  expect(await sizeOf(database, 'nightshift.source_buckets')).toBeGreaterThan(128 * 1024);

  await tidy(database);
  expect(await sizeOf(database, 'nightshift.source_buckets')).toBe(8192);
  expect(await readRows(database, 'nightshift.source_buckets')).toEqual(before);
  expect(await store.take('slow', { intervalMs: 0, waitMsMax: 0, count: 1 })).toMatchObject({ taken: 1 });
});

test('while a transaction stays open, the table of jobs is rewritten, and its jobs stay in the queue', async () => {
  const { database, queue } = await openQueueOn({ kind: 'postgres', open: openOnPostgres });
  const chunks = await cutOneChunk(database.app);
  await queue.enqueue(chunks);
  await pinSnapshot(database);
  const before = await readRows(database, 'bullmq.job');
  await database.owner.pool.query(
    `DO $$ BEGIN FOR n IN 1..300 LOOP
      UPDATE bullmq.job SET stacktrace = to_jsonb(array_fill(n, ARRAY[4000]));
      UPDATE bullmq.job SET stacktrace = NULL;
    END LOOP; END $$`,
  );
  await database.owner.pool.query(
    `INSERT INTO bullmq.job (queue, id, seq, name, state, added_at_ms, failed_reason)
      SELECT 'other', n, n, 'job', 'completed', 0, repeat('x', 1900) FROM generate_series(1, 5000) n`,
  );
  await database.owner.pool.query("DELETE FROM bullmq.job WHERE queue = 'other'");
  expect(await sizeOf(database, 'bullmq.job')).toBeGreaterThan(8 * 1024 ** 2);

  await tidy(database);
  expect(await sizeOf(database, 'bullmq.job')).toBeLessThanOrEqual(8192);
  expect(await readRows(database, 'bullmq.job')).toEqual(before);
  expect(await queue.listMissing(chunks)).toEqual([]);
});

test('a table that is in use, or full of rows, stays as it is', async () => {
  const database = await openTestDatabase();
  await pinSnapshot(database);
  await reserve(database, 'busy', 3500);
  const grown = await sizeOf(database, 'nightshift.source_buckets');
  const reader = await database.owner.pool.connect();
  await reader.query('BEGIN');
  await reader.query('SELECT FROM nightshift.source_buckets');
  await tidy(database);
  expect(await sizeOf(database, 'nightshift.source_buckets')).toBe(grown);
  await reader.query('COMMIT');
  reader.release();

  await database.owner.pool.query(
    "INSERT INTO nightshift.source_buckets (bucket, next_at) SELECT 'b' || n, now() FROM generate_series(1, 10000) n",
  );
  const full = await sizeOf(database, 'nightshift.source_buckets');
  await tidy(database);
  expect(await sizeOf(database, 'nightshift.source_buckets')).toBe(full);
});

test('reservations during a rewrite keep the pace', async () => {
  const database = await openTestDatabase();
  await pinSnapshot(database);
  const store = createPostgresRateLimitStore(database.app.sql);
  const momentsMs: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await reserve(database, 'other', 3500);
    const takes = Array.from({ length: 100 }, () =>
      store.take('busy', { intervalMs: 100, waitMsMax: 3_600_000, count: 1 }),
    );
    await tidy(database);
    for (const { taken, waitMs, bookMs } of await Promise.all(takes)) {
      expect(taken).toBe(1);
      momentsMs.push(bookMs + waitMs);
    }
  }
  momentsMs.sort((a, b) => a - b);
  const gapsMs = momentsMs.slice(1).map((at, i) => at - (momentsMs[i] ?? 0));
  expect(Math.min(...gapsMs)).toBeGreaterThan(99.9);
});

function tidy({ app }: TestDatabase): Promise<void> {
  return createHousekeeping(app.sql, repliesFor(dayMs)).tidy();
}

/** Makes as many versions of a row, each in a transaction of its own. */
async function reserve({ owner }: TestDatabase, bucket: string, times: number): Promise<void> {
  await owner.pool.query(
    `DO $$ BEGIN FOR n IN 1..${times} LOOP
      PERFORM nightshift.take_slots('${bucket}', 1000, 1000000000000, 1);
      COMMIT;
    END LOOP; END $$`,
  );
}

async function sizeOf({ owner }: TestDatabase, table: string): Promise<number> {
  const { rows } = await owner.pool.query<{ bytes: string }>(
    'SELECT pg_relation_size($1::regclass) AS bytes',
    [table],
  );
  return Number(rows[0]?.bytes);
}

async function readRows({ owner }: TestDatabase, table: string): Promise<readonly object[]> {
  return (await owner.pool.query<object>(`SELECT * FROM ${table} ORDER BY 1, 2`)).rows;
}
