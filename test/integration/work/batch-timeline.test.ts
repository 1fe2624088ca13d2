import { describe, expect, test } from 'vitest';
import { createBatchTimeline } from '../../../db/stores/batches/batch-timeline.ts';
import { createSavedColumnMappings } from '../../../db/stores/batches/saved-column-mappings.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { batchControlsOver } from '../../support/faults/steering.ts';

async function open() {
  const database = await openTestDatabase();
  const steering = await batchControlsOver(database);
  const timeline = createBatchTimeline(database.app.sql);
  const entries = (batchId: number) => timeline.list(batchId, 1000, 0n);
  const reported = async (batchId: number) => (await entries(batchId)).map(({ event, by }) => [event, by]);
  return { ...steering, database, timeline, entries, reported };
}

const refused = { kind: 'refused', reason: 'the key was refused', delayMs: 60_000 } as const;
const failing = { kind: 'failing', reason: 'no answer', delayMs: 0 } as const;

describe('batch timeline', () => {
  test('lists events in order, with actor, reasons of waits and repeated lookups', async () => {
    const { load, cut, claim, fail, answer, control, accountId, dispatch, work, entries, findings } =
      await open();
    const { batchId, publicId } = await load(4);
    const hands = control.actingAs('key_1');
    await hands.pause(accountId, publicId);
    await hands.pause(accountId, publicId);
    await control.actingAs('usr_2').resume(accountId, publicId, {});
    await work.deferBatch(batchId, refused);
    await hands.resume(accountId, publicId, {});
    const [chunk] = await cut(4);
    await fail(await claim(chunk ?? { chunkId: 0, generation: 0 }), 'source_unavailable');
    await dispatch.finishBatches();
    await hands.retry(accountId, publicId, 'certain');
    const [again] = await cut(4);
    await answer(await claim(again ?? { chunkId: 0, generation: 0 }));
    await dispatch.finishBatches();
    expect(
      (await entries(batchId)).map(({ event, by, reason, retried }) => [event, by, reason, retried]),
    ).toEqual([
      ['created', null, null, null],
      ['loaded', null, null, null],
      ['paused', 'key_1', 'by request', null],
      ['resumed', 'usr_2', null, null],
      ['waiting_for_source', null, 'the key was refused', null],
      ['resumed', 'key_1', null, null],
      ['finished', null, null, null],
      ['retried', 'key_1', null, 4],
      ['finished', null, null, null],
    ]);
    const wait = (await entries(batchId))[4];
    expect(wait).toMatchObject({ waitKind: 'refused', times: 1, endedAt: expect.any(Date) as Date });
    expect(await findings()).toEqual([]);
  });

  test('merges a hundred outages of a source into one entry with a count', async () => {
    const { load, dispatch, work, control, accountId, entries } = await open();
    const { batchId, publicId } = await load(4);
    for (let i = 0; i < 100; i += 1) {
      await work.deferBatch(batchId, { ...failing, reason: `no answer ${i}` });
      await dispatch.wakeBatches();
    }
    const [, , wait, ...others] = await entries(batchId);
    expect(others).toEqual([]);
    expect(wait).toMatchObject({ event: 'waiting_for_source', times: 100, reason: 'no answer 99' });
    expect(wait?.endedAt).not.toBeNull();
    expect(wait?.at.getTime()).toBeLessThan(wait?.lastAt.getTime() ?? 0);

    // Another wait is another entry; the previous one continues to count, and no action of a user separates them.
    await work.deferBatch(batchId, refused);
    await dispatch.wakeBatches();
    await control.resume(accountId, publicId, {});
    await work.deferBatch(batchId, failing);
    expect((await entries(batchId)).slice(2).map(({ waitKind, times }) => [waitKind, times])).toEqual([
      ['failing', 101],
      ['refused', 1],
    ]);
    // An action of a user does.
    await control.actingAs('cli').resume(accountId, publicId, {});
    await work.deferBatch(batchId, failing);
    const last = (await entries(batchId)).slice(4);
    expect(last.map(({ event, by, times, endedAt }) => [event, by, times, endedAt])).toEqual([
      ['resumed', 'cli', 1, null],
      ['waiting_for_source', null, 1, null],
    ]);
  });

  test('ends a wait for credits with the cancellation', async () => {
    const { load, cut, control, accountId, reported, entries } = await open();
    const { batchId, publicId } = await load(2, { limitRows: null, maxCreditsMicro: 1n });
    await cut(1);
    await control.actingAs('usr_1').cancel(accountId, publicId);
    expect(await reported(batchId)).toEqual([
      ['created', null],
      ['loaded', null],
      ['waiting_for_credits', null],
      ['cancelled', 'usr_1'],
    ]);
    expect((await entries(batchId))[2]?.endedAt).not.toBeNull();
  });

  test('is append-only, and is deleted by the purge of its batch', async () => {
    const { database, load, cut, claim, answer, dispatch, entries, reported, work, findings } = await open();
    const [old, young] = [await load(2), await load(2, undefined, 'other')];
    const [chunk] = await cut(2);
    await answer(await claim(chunk ?? { chunkId: 0, generation: 0 }));
    await dispatch.finishBatches();
    await work.deferBatch(young.batchId, failing);
    for (const [statement, reported] of [
      [`UPDATE nightshift.batch_events SET actor = 'me'`, /append-only/],
      [`UPDATE nightshift.batch_events SET reason = 'x' WHERE event = 'finished'`, /append-only/],
      [`UPDATE nightshift.batch_events SET times = 0 WHERE event = 'waiting_for_source'`, /append-only/],
      [`DELETE FROM nightshift.batch_events`, /append-only/],
      [`TRUNCATE nightshift.batch_events`, /append-only/],
    ] as const) {
      await expect(database.owner.pool.query(statement)).rejects.toThrow(reported);
    }
    for (const statement of [
      `INSERT INTO nightshift.batch_events (batch_id, event) VALUES (${old.batchId}, 'paused')`,
      `UPDATE nightshift.batch_events SET times = 5`,
      `DELETE FROM nightshift.batch_events`,
    ]) {
      await expect(database.app.pool.query(statement)).rejects.toThrow(/permission denied/);
    }
    expect((await entries(old.batchId)).map(({ event }) => event)).toEqual(['created', 'loaded', 'finished']);
    await ageRecord(database, 40);
    const store = createPurgeStore(database.app.sql, { sweepWaitMs: 20_000 });
    await purge(store, { orders: [{ kind: 'batches', ageMs: 30 * 86_400_000 }] });
    expect(await reported(old.batchId)).toEqual([]);
    expect(await reported(young.batchId)).toHaveLength(3);
    expect(await findings()).toEqual([]);
  });

  test('without its append-only trigger is reported by verify', async () => {
    const { database, findings } = await open();
    await database.owner.pool.query('ALTER TABLE nightshift.batch_events DISABLE TRIGGER append_only');
    expect(await findings()).toEqual(['12: trigger append_only of table batch_events is disabled']);
  });
});

describe('pace of a batch', () => {
  test('counts lookups since its start, and is empty before the first ends', async () => {
    const { database, load, cut, claim, answer, control, accountId, timeline } = await open();
    const { batchId, publicId } = await load(10);
    const [one, two] = await cut(5);
    expect(await timeline.readPace(batchId)).toBeNull();
    await answer(await claim(one ?? { chunkId: 0, generation: 0 }));
    await answer(await claim(two ?? { chunkId: 0, generation: 0 }), 3);
    const since = `UPDATE nightshift.batches SET state_since = now() - interval '100 seconds'`;
    await database.owner.pool.query(since);
    const pace = await timeline.readPace(batchId);
    expect(pace?.ended).toBe(8);
    expect(Math.round((pace?.seconds ?? 0) / 10)).toBe(10);
    await control.pause(accountId, publicId);
    expect(await timeline.readPace(batchId)).toBeNull();
    await control.resume(accountId, publicId, {});
    expect(await timeline.readPace(batchId)).toBeNull();
  });
});

describe('statistics of past batches', () => {
  test('give the hit rate of answered lookups of the account by source', async () => {
    const { database, load, cut, claim, answer, fail, accountId } = await open();
    await load(9);
    const [one, two, three] = await cut(3);
    await answer(await claim(one ?? { chunkId: 0, generation: 0 }));
    await answer(await claim(two ?? { chunkId: 0, generation: 0 }));
    await fail(await claim(three ?? { chunkId: 0, generation: 0 }), 'source_unavailable');
    const memory = createSavedColumnMappings(database.app.sql);
    expect(await memory.readHitRates(accountId, ['upstream'])).toEqual({
      ads_search: { hits: 4, answered: 6 },
    });
    expect(await memory.readHitRates(accountId, ['snapshot'])).toEqual({});
    expect(await memory.readHitRates(accountId + 1, ['upstream'])).toEqual({});
  });
});
