import { expect, test } from 'vitest';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { listFindings } from '../../support/db/findings.ts';
import { answerAll, found, loadFixtureBatch, takeChunk } from '../../support/db/fixture.ts';
import { columnOf } from '../../support/db/record-dump.ts';

const companies = 540;
/** A lease that has already expired, for work of a dead worker. */
const lapsed = -1000;
const orders = [{ kind: 'batches' as const, ageMs: 30 * 86_400_000 }];

/** Works on the newest open chunk as a worker that dies: answers its first lookups, and the chunk is split. */
async function dieIn({ app }: TestDatabase, answered: number, chunk: 'first' | 'last'): Promise<void> {
  const dispatch = createDispatchStore(app.sql);
  const queued = await dispatch.listUnqueued(100);
  const { chunkId = 0, generation = 0 } = queued.at(chunk === 'first' ? 0 : -1) ?? {};
  const claim = await takeChunk(app, chunkId, generation, lapsed);
  const done = new Set(claim.lookups.slice(0, answered).map(({ lookupId }) => lookupId));
  await answerAll(app, claim, (lookupId) => (done.has(lookupId) ? found(['cr-1']) : undefined));
  for (const each of await dispatch.listLapsed(10)) await dispatch.split(each);
}

/**
 * A finished batch of one chunk that was split into sixteen, of which the last was split into single lookups. A first part of each was
 * answered before.
 */
async function openSplit() {
  const database = await openTestDatabase();
  const { app } = database;
  await createLedger(app.sql).grant(1, [{ key: null, amountMicro: 200_000_000n, reason: 'test' }]);
  const batch = await loadFixtureBatch(app, 1, {
    fileName: 'split.csv',
    companies: Array.from({ length: companies }, (_, i) => `split-${i}.com`),
    withOddRows: false,
  });
  const dispatch = createDispatchStore(app.sql);
  await dispatch.cutChunks({ chunksMax: 1, sizeOf: () => companies });
  await dieIn(database, 20, 'first');
  await dieIn(database, 3, 'last');
  for (const { chunkId, generation } of await dispatch.listUnqueued(100)) {
    const claim = await takeChunk(app, chunkId, generation);
    await answerAll(app, claim, (lookupId) =>
      lookupId % 3n === 0n ? found(['cr-2']) : { kind: 'none', matchedBy: 'domain' },
    );
  }
  await dispatch.finishBatches();
  await database.owner.pool.query(
    `ALTER TABLE nightshift.lookups DISABLE TRIGGER USER;
    UPDATE nightshift.lookups SET truncated = true WHERE id % 5 = 0;
    ALTER TABLE nightshift.lookups ENABLE ALWAYS TRIGGER outcome_is_final`,
  );
  await ageRecord(database, 40);
  return { database, batch };
}

test('purge of split chunks records each lookup in the chunk that counted it', async () => {
  const { database, batch } = await openSplit();
  expect(await listFindings(database)).toEqual([]);
  const batches = createBatchStore(database.app);
  const before = await batches.readSummary(1, batch.publicId);
  expect(before.adsTruncated).toBe(108);
  // A round has the whole chunk that was split, with its parts, whatever its limit.
  const store = createPurgeStore(database.app.sql, { perRound: 100, sweepWaitMs: 20_000 });
  const { kinds } = await purge(store, { orders });
  expect(kinds[0]?.counts).toMatchObject({ batches: 1, lookups: companies, rows: companies });
  expect({ ...(await batches.readSummary(1, batch.publicId)), purgedAt: null }).toEqual(before);
  expect(await listFindings(database)).toEqual([]);
  const sizes = `SELECT (SELECT sum(upper(r) - lower(r)) FROM unnest(p.lookups) r) FROM nightshift.purged_chunks p ORDER BY chunk_id`;
  const counted = (await columnOf(database, sizes)).map(Number);
  // The chunk itself, its parts, and the single lookups of the last part.
  expect(counted.slice(0, 2)).toEqual([20, 33]);
  expect(counted.slice(17)).toEqual(Array.from({ length: counted.length - 17 }, () => 1));
  expect(counted.reduce((sum, size) => sum + size, 0)).toBe(companies);
});
