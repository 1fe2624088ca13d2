import { rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { StorageRejected, StorageUnavailable } from '../../../src/core/errors.ts';
import type { DestinationPlace } from '../../../src/core/destinations/run-landings.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { buildFixture } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';
import { checkLanded, readLanded } from '../../support/destinations/landed-files.ts';
import { accountId, byTest, openLandingFixture } from '../../support/destinations/landing-fixture.ts';
import { readStoredEvents } from '../../support/events/read-events.ts';
import { never, testFolder } from '../../support/storage/local-files.ts';

describe('finished batch', () => {
  test('lands once in each destination that takes it, with its manifest last', async () => {
    const fixture = await openLandingFixture();
    const [parquet, csv] = [testFolder(), testFolder()];
    await fixture.add('lake', parquet, { shapes: ['rows', 'ads'] });
    await fixture.add('flat', csv, { format: 'csv' });
    const { finished } = await buildFixture(fixture.database.app);
    expect(await fixture.landings('lake')).toMatchObject([
      { shape: 'rows', state: 'pending' },
      { shape: 'ads', state: 'pending' },
    ]);
    await fixture.land();
    expect(fixture.errors).toEqual([]);

    const [day] = new Date().toISOString().split('T');
    const inLake = (shape: string) => `${shape}/day=${day ?? ''}/batch=${finished.publicId}`;
    expect([...readLanded(parquet).keys()]).toEqual([
      `${inLake('ads')}/_manifest.json`,
      `${inLake('ads')}/part-00001.parquet`,
      `${inLake('rows')}/_manifest.json`,
      `${inLake('rows')}/part-00001.parquet`,
    ]);
    expect([...readLanded(csv).keys()]).toEqual([
      `finished-${finished.publicId}-rows.csv`,
      `finished-${finished.publicId}-rows.manifest.json`,
    ]);
    expect(checkLanded(csv)).toMatchObject([{ batch: finished.publicId, rows: 7, revision: 1 }]);
    expect(checkLanded(parquet)).toHaveLength(2);
    expect(await fixture.landings('flat')).toMatchObject([
      { state: 'landed', attempts: 1, rows: 7, parts: 1, lastError: null },
    ]);
    await fixture.land();
    expect(await fixture.landings('flat')).toMatchObject([{ attempts: 1 }]);
    expect(await listFindings(fixture.database)).toEqual([]);
  });

  test('that finishes again after a retry lands again in place of the first result', async () => {
    const fixture = await openLandingFixture();
    const folder = testFolder();
    await fixture.add('flat', folder, { format: 'csv' });
    const { finished } = await buildFixture(fixture.database.app);
    await fixture.land();
    const [before] = checkLanded(folder);
    await finishAgain(fixture.database, finished.batchId);
    expect(await fixture.landings('flat')).toMatchObject([{ state: 'pending', revision: 2, attempts: 0 }]);
    await fixture.land();
    const [after] = checkLanded(folder);
    expect(after).toMatchObject({ revision: 2 });
    expect(after?.content_key).not.toBe(before?.content_key);
    expect(await fixture.landings('flat')).toMatchObject([{ state: 'landed', revision: 2 }]);
  });

  test('that was finished before the destination lands by a replay', async () => {
    const fixture = await openLandingFixture();
    const folder = testFolder();
    const { finished } = await buildFixture(fixture.database.app);
    await fixture.add('flat', folder, { format: 'csv' });
    await fixture.land();
    expect(readLanded(folder).size).toBe(0);
    expect(await fixture.service.replay(accountId, 'flat', { kind: 'since', ageMs: 60_000 })).toBe(1);
    expect(await fixture.service.replay(accountId, 'flat', { kind: 'since', ageMs: 60_000 })).toBe(0);
    await fixture.land();
    expect(checkLanded(folder)).toMatchObject([{ batch: finished.publicId }]);
    expect(await listFindings(fixture.database)).toEqual([]);
  });

  test('lands at once in a destination for that batch alone', async () => {
    const fixture = await openLandingFixture();
    const folder = testFolder();
    const { finished, running } = await buildFixture(fixture.database.app);
    await fixture.add('one', folder, { scope: { kind: 'batch', batch: finished.publicId } });
    await fixture.add('other', folder, { scope: { kind: 'batch', batch: running.publicId } });
    expect(await fixture.landings('one')).toHaveLength(1);
    expect(await fixture.landings('other')).toEqual([]);
  });

  test('is written again by a replay, whatever the receiver has', async () => {
    const fixture = await openLandingFixture();
    const folder = testFolder();
    await fixture.add('flat', folder, { format: 'csv' });
    const { finished } = await buildFixture(fixture.database.app);
    await fixture.land();
    for (const path of readLanded(folder).keys()) writeFileSync(join(folder, path), 'lost');
    expect(await fixture.service.replay(accountId, 'flat', { kind: 'batch', batch: finished.publicId })).toBe(
      1,
    );
    await fixture.land();
    expect(checkLanded(folder)).toHaveLength(1);
  });
});

describe('destination that fails', () => {
  test('gets ten attempts, then the landing is dead with one event, and a replay lands it', async () => {
    const fixture = await openLandingFixture();
    const folder = testFolder();
    await fixture.add('flat', folder, { format: 'csv' });
    const { finished } = await buildFixture(fixture.database.app);
    const openStorage = () => Promise.reject(new StorageUnavailable('The storage is away.'));
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await fixture.land({ openStorage });
      await fixture.skipDelays();
    }
    await fixture.land({ openStorage });
    expect(await fixture.landings('flat')).toMatchObject([
      { state: 'dead', attempts: 10, lastError: 'The storage is away.' },
    ]);
    const events = (await readStoredEvents(fixture.database)).filter(
      ({ event }) => event === 'landing.failed',
    );
    expect(events).toMatchObject([
      {
        payload: {
          destination: 'flat',
          batch: finished.publicId,
          attempts: 10,
          error: 'The storage is away.',
        },
      },
    ]);
    expect(await fixture.service.replay(accountId, 'flat', { kind: 'dead' })).toBe(1);
    await fixture.land();
    expect(checkLanded(folder)).toHaveLength(1);
    expect(await listFindings(fixture.database)).toEqual([]);
  });

  test('shows why its storage rejects it until something lands', async () => {
    const fixture = await openLandingFixture();
    await fixture.add('flat', testFolder(), { format: 'csv' });
    await buildFixture(fixture.database.app);
    await fixture.land({ openStorage: () => Promise.reject(new StorageRejected('Wrong key.')) });
    expect(await fixture.service.find(accountId, 'flat')).toMatchObject({
      state: 'active',
      stateReason: 'Wrong key.',
      pending: 1,
    });
    await fixture.skipDelays();
    await fixture.land();
    expect(await fixture.service.find(accountId, 'flat')).toMatchObject({ stateReason: null, pending: 0 });
  });

  test('loses answers of every write, and has every part once in the end', async () => {
    const fixture = await openLandingFixture();
    const folder = testFolder();
    await fixture.add('lake', folder, { shapes: ['rows', 'ads', 'variants'] });
    await buildFixture(fixture.database.app);
    const openStorage = losingAnswers(fixture.ports.openStorage);
    for (let round = 0; round < 10; round += 1) {
      await fixture.land({ openStorage });
      await fixture.skipDelays();
    }
    expect(await fixture.landings('lake')).toMatchObject([
      { state: 'landed' },
      { state: 'landed' },
      { state: 'landed' },
    ]);
    expect(checkLanded(folder)).toHaveLength(3);
    expect(await listFindings(fixture.database)).toEqual([]);
  });

  test('that is disabled keeps its landings, and writes them when it is enabled', async () => {
    const fixture = await openLandingFixture();
    const folder = testFolder();
    await fixture.add('flat', folder, { format: 'csv' });
    await fixture.service.change(accountId, 'flat', { state: 'disabled' }, byTest);
    await buildFixture(fixture.database.app);
    await fixture.land();
    expect(readLanded(folder).size).toBe(0);
    await fixture.service.change(accountId, 'flat', { state: 'active' }, byTest);
    await fixture.land();
    expect(checkLanded(folder)).toHaveLength(1);
  });

  test('that is removed has no credentials and no pending landing', async () => {
    const fixture = await openLandingFixture();
    await fixture.add('flat', testFolder(), { format: 'csv', credentials: { token: 'secret' } });
    await buildFixture(fixture.database.app);
    await fixture.service.remove(accountId, 'flat', byTest);
    const { rows } = await fixture.database.owner.pool.query(
      'SELECT d.credentials, l.state FROM nightshift.destinations d JOIN nightshift.landings l ON l.destination_id = d.id',
    );
    expect(rows).toEqual([{ credentials: null, state: 'dead' }]);
    expect((await readStoredEvents(fixture.database)).map(({ event }) => event)).not.toContain(
      'landing.failed',
    );
  });
});

test('adding and testing a destination writes a file and removes it', async () => {
  const fixture = await openLandingFixture();
  const folder = testFolder();
  await fixture.add('flat', folder, { format: 'csv' });
  expect(readLanded(folder).size).toBe(0);
  expect(await fixture.service.test(accountId, 'flat', never)).toEqual({ error: null });
  expect(readLanded(folder).size).toBe(0);
  rmdirSync(folder);
  const { error } = await fixture.service.test(accountId, 'flat', never);
  await expect(fixture.add('other', folder)).rejects.toThrow(new StorageRejected(error ?? ''));
  expect(await fixture.service.list(accountId)).toHaveLength(1);
});

/** Fails every second write and removal after it was done. */
function losingAnswers(
  open: (place: DestinationPlace) => Promise<Storage>,
): (place: DestinationPlace) => Promise<Storage> {
  let calls = 0;
  return async (place) => {
    const storage = await open(place);
    const losing = async (done: Promise<void>) => {
      await done;
      calls += 1;
      if (calls % 2 === 1) throw new StorageUnavailable('The answer was lost.');
    };
    return {
      ...storage,
      write: (...write) => losing(storage.write(...write)),
      remove: (...removal) => losing(storage.remove(...removal)),
    };
  };
}

/** Ends the batch a second time, as after a retry of its failed lookups. */
async function finishAgain(
  { app, owner }: Awaited<ReturnType<typeof openLandingFixture>>['database'],
  batchId: number,
): Promise<void> {
  await owner.pool.query(
    `UPDATE nightshift.batches SET state = 'running', state_since = now(), finished_at = NULL WHERE id = $1`,
    [batchId],
  );
  await createDispatchStore(app.sql).finishBatches();
}
