import { expect, test, vi } from 'vitest';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createBatchReportStore } from '../../../db/stores/reports/batch-report.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { commitResults } from '../../../db/stores/work/outcomes.ts';
import type { BatchReportStore, EndedSpan } from '../../../src/core/batches/batch-report.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { buildFixture, found, loadFixtureBatch, takeChunk } from '../../support/db/fixture.ts';

const beginning = new Date(0);

/** Opens a span whose end is after everything that has ended by now. */
async function spanUpToNow(
  { owner }: TestDatabase,
  store: BatchReportStore,
  since: Date,
): Promise<EndedSpan> {
  const { rows } = await owner.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const now = rows[0]?.now ?? beginning;
  return vi.waitUntil(
    async () => {
      const span = await store.openSpan({ kind: 'time', at: since });
      return span.until > now && span;
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Batch and number of each row of a span. */
async function rowsIn(store: BatchReportStore, accountId: number, span: EndedSpan) {
  return store.readEnded(accountId, { depth: 'rows', span }, async (blocks) => {
    const rows: { batch: string; rowNo: number; endedAt: Date | null }[] = [];
    for await (const { batch, lines } of blocks)
      rows.push(...lines.map(({ rowNo, endedAt }) => ({ batch, rowNo, endedAt })));
    return rows;
  });
}

test('a span has the rows of all batches that ended in it, by batch and in input order, and no open row', async () => {
  const database = await openTestDatabase();
  const { accountId, finished, running } = await buildFixture(database.app);
  const store = createBatchReportStore(database.app.sql);
  const span = await spanUpToNow(database, store, beginning);
  const rows = await rowsIn(store, accountId, span);
  expect(rows.map(({ batch, rowNo }) => [batch, rowNo])).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7].map((rowNo) => [finished.publicId, rowNo]),
    [running.publicId, 1],
  ]);
  expect(rows.every(({ endedAt }) => endedAt !== null && endedAt < span.until)).toBe(true);
  const next = await spanUpToNow(database, store, span.until);
  expect(next.since).toEqual(span.until);
  expect(await rowsIn(store, accountId, next)).toEqual([]);
  expect(await rowsIn(store, accountId + 1, span)).toEqual([]);
});

test('deleted and purged batches have no rows in a span', async () => {
  const database = await openTestDatabase();
  const { accountId, finished, running } = await buildFixture(database.app);
  const store = createBatchReportStore(database.app.sql);
  const span = await spanUpToNow(database, store, beginning);
  const { pool } = database.owner;
  await pool.query('UPDATE nightshift.batches SET deleted_at = now() WHERE id = $1', [finished.batchId]);
  expect((await rowsIn(store, accountId, span)).map(({ batch }) => batch)).toEqual([running.publicId]);
  await pool.query('UPDATE nightshift.batches SET purged_at = now() WHERE id = $1', [running.batchId]);
  expect(await rowsIn(store, accountId, span)).toEqual([]);
});

test('an open transaction of a login that may write holds the end of a span back until it is over', async () => {
  const database = await openTestDatabase();
  await buildFixture(database.app);
  const store = createBatchReportStore(database.app.sql);
  await database.app.sql.transaction(async (transaction) => {
    const { rows } = await transaction.execute<{ now: string }>('SELECT now() AS now');
    const begunAt = new Date(rows[0]?.now ?? 0);
    await transaction.execute('SELECT pg_sleep(1.2)');
    const { until } = await store.openSpan({ kind: 'age', ageMs: 60_000 });
    expect(until.getTime()).toBeLessThanOrEqual(begunAt.getTime());
  });
  await spanUpToNow(database, store, beginning);
});

test('the end of a span is not before its start, and a start in the future is rejected', async () => {
  const database = await openTestDatabase();
  const store = createBatchReportStore(database.app.sql);
  const { until } = await store.openSpan({ kind: 'age', ageMs: 0 });
  const again = await store.openSpan({ kind: 'time', at: until });
  expect(again.since).toEqual(until);
  expect(again.until.getTime()).toBeGreaterThanOrEqual(until.getTime());
  await expect(store.openSpan({ kind: 'time', at: new Date('2999-01-01') })).rejects.toThrow(
    '2999-01-01 00:00 UTC is in the future',
  );
});

test('a login whose sessions the owner cannot see is an error, not a lost row', async () => {
  const database = await openTestDatabase();
  const store = createBatchReportStore(database.app.sql);
  await database.owner.pool.query(`CREATE OR REPLACE FUNCTION nightshift.settled_before() RETURNS timestamptz
    LANGUAGE sql AS 'SELECT NULL::timestamptz'`);
  await expect(store.openSpan({ kind: 'age', ageMs: 0 })).rejects.toThrow(
    'Grant the role pg_read_all_stats to the owner',
  );
});

test('consecutive spans have every row once while workers commit late', async () => {
  const database = await openTestDatabase();
  const { app } = database;
  const accountId = await findAccount(app.sql, 'default');
  await createLedger(app.sql).grant(accountId, [
    { key: 'opening', amountMicro: 10_000_000n, reason: 'opening grant' },
  ]);
  const companies = Array.from({ length: 16 }, (_, i) => `company-${i}.com`);
  const batch = await loadFixtureBatch(app, accountId, {
    fileName: 'late.csv',
    companies,
    withOddRows: true,
  });
  const dispatch = createDispatchStore(app.sql);
  await dispatch.cutChunks({ chunksMax: 10, sizeOf: () => 2 });
  const chunks = await dispatch.listUnqueued(10);
  expect(chunks).toHaveLength(8);

  /** Commits a chunk `delayMs` after the start of its transaction, which is the time at which its lookups end. */
  async function commitAfter({ chunkId, generation }: (typeof chunks)[number], delayMs: number): Promise<void> {
    const claim = await takeChunk(app, chunkId, generation);
    const results = claim.lookups.map(({ lookupId }) => ({
      lookupId,
      source: 'upstream',
      answer: found([`cr-${lookupId}`]),
    }));
    await app.sql.transaction(async (transaction) => {
      await transaction.execute(`SELECT pg_sleep(${delayMs / 1000})`);
      await commitResults(transaction, [{ claim, results }]);
    });
  }

  let left = 2;
  const work = [0, 1].map(async (worker) => {
    for (const [i, chunk] of chunks.entries())
      if (i % 2 === worker) await commitAfter(chunk, ((i * 700) % 1900) + 100);
    left -= 1;
  });
  const store = createBatchReportStore(app.sql);
  const seen: string[] = [];
  let since = beginning;
  const take = async (span: EndedSpan) => {
    for (const { batch: id, rowNo } of await rowsIn(store, accountId, span)) seen.push(`${id} ${rowNo}`);
    since = span.until;
  };
  while (left > 0) await take(await store.openSpan({ kind: 'time', at: since }));
  await Promise.all(work);
  await take(await spanUpToNow(database, store, since));
  const expected = Array.from({ length: 18 }, (_, i) => `${batch.publicId} ${i + 1}`);
  expect(seen.sort()).toEqual(expected.sort());
});
