import { expect, test } from 'vitest';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import type { DestinationPlace } from '../../../src/core/destinations/run-landings.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import type { TestDatabase } from '../../support/db/database.ts';
import { buildFixture } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';
import { checkLanded } from '../../support/destinations/landed-files.ts';
import { openLandingFixture } from '../../support/destinations/landing-fixture.ts';
import { testFolder } from '../../support/storage/local-files.ts';

test('a batch that finishes again while it lands lands again afterwards', async () => {
  const fixture = await openLandingFixture();
  const folder = testFolder();
  await fixture.add('lake', folder);
  const { finished } = await buildFixture(fixture.database.app);
  const once = runOnce(() => finishAgain(fixture.database, finished.batchId));
  await fixture.land({ openStorage: beforeWrites(fixture.ports.openStorage, once) });
  expect(checkLanded(folder)).toMatchObject([{ revision: 2 }]);
  expect(await fixture.landings('lake')).toMatchObject([{ state: 'landed', revision: 2, attempts: 1 }]);
  expect(await listFindings(fixture.database)).toEqual([]);
});

test('a process that lost its lease does not end the landing of the next one', async () => {
  const fixture = await openLandingFixture();
  const folder = testFolder();
  await fixture.add('lake', folder);
  await buildFixture(fixture.database.app);
  // The next process, which may be a loop of the first one, lands everything while the first file is written.
  const once = runOnce(async () => {
    await fixture.lapse();
    await fixture.land();
  });
  await fixture.land({ openStorage: beforeWrites(fixture.ports.openStorage, once) });
  expect(checkLanded(folder)).toHaveLength(1);
  expect(await fixture.landings('lake')).toMatchObject([{ state: 'landed', attempts: 2 }]);
  expect(fixture.errors).toEqual([]);
  expect(await listFindings(fixture.database)).toEqual([]);
});

test('a process that lost its lease and the next one write the same file at once', async () => {
  const fixture = await openLandingFixture();
  const folder = testFolder();
  await fixture.add('lake', folder);
  await buildFixture(fixture.database.app);
  let isFirst = true;
  const writing = new Set<string>();
  const openStorage = async (place: DestinationPlace): Promise<Storage> => {
    const storage = await fixture.ports.openStorage(place);
    const name = isFirst ? 'first' : 'next';
    isFirst = false;
    return {
      ...storage,
      write: async (path, ...file) => {
        writing.add(name);
        if (name === 'first') await fixture.lapse();
        // Each holds its first file until the other one has it as well.
        await expect.poll(() => writing.size).toBe(2);
        await storage.write(path, ...file);
      },
    };
  };
  await fixture.land({ openStorage });
  expect(checkLanded(folder)).toHaveLength(1);
  expect(await fixture.landings('lake')).toMatchObject([{ state: 'landed', attempts: 2 }]);
  expect(fixture.errors).toEqual([]);
});

test('a process whose landing another one has claimed records nothing', async () => {
  const fixture = await openLandingFixture();
  await fixture.add('lake', testFolder());
  await buildFixture(fixture.database.app);
  // In one step, so that the loop of the first process does not claim it.
  const claimElsewhere = runOnce(async () => {
    await fixture.database.owner.pool.query(
      `UPDATE nightshift.landings SET token = token + 1, attempts = attempts + 1, lease_until = now() + interval '1 min'`,
    );
  });
  await fixture.land({ openStorage: beforeWrites(fixture.ports.openStorage, claimElsewhere) });
  const { rows } = await fixture.database.owner.pool.query(
    `SELECT l.state, l.token, l.lease_until IS NOT NULL AS claimed, p.written_at
     FROM nightshift.landings l JOIN nightshift.landing_parts p ON p.landing_id = l.id`,
  );
  expect(rows).toEqual([{ state: 'pending', token: 2, claimed: true, written_at: null }]);
});

test('a destination that is created while a batch finishes takes it or is later, and never misses one', async () => {
  const fixture = await openLandingFixture();
  const { finished } = await buildFixture(fixture.database.app);
  await reopen(fixture.database, finished.batchId);
  const client = await fixture.database.app.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `UPDATE nightshift.batches SET state = 'finished', state_since = now(), finished_at = now() WHERE id = $1`,
      [finished.batchId],
    );
    let isCreated = false;
    const creating = fixture.add('lake', testFolder()).then(() => (isCreated = true));
    await expect.poll(() => countWaiting(fixture.database)).toBe(1);
    expect(isCreated).toBe(false);
    await client.query('COMMIT');
    await creating;
  } finally {
    client.release();
  }
  expect(await fixture.landings('lake')).toEqual([]);
  expect(await listFindings(fixture.database)).toEqual([]);
  await finishAgain(fixture.database, finished.batchId);
  expect(await fixture.landings('lake')).toHaveLength(1);
});

test('two processes write a destination one after the other, and two destinations side by side', async () => {
  const fixture = await openLandingFixture();
  const folders = [testFolder(), testFolder()];
  for (const [index, folder] of folders.entries())
    await fixture.add(`lake-${index}`, folder, { shapes: ['rows', 'ads', 'variants'] });
  await buildFixture(fixture.database.app);
  const running = new Map<string, number>();
  let mostOfOne = 0;
  const openStorage = async (place: DestinationPlace): Promise<Storage> => {
    const storage = await fixture.ports.openStorage(place);
    const key = JSON.stringify(place.location);
    running.set(key, (running.get(key) ?? 0) + 1);
    mostOfOne = Math.max(mostOfOne, running.get(key) ?? 0);
    return {
      ...storage,
      close: () => {
        running.set(key, (running.get(key) ?? 0) - 1);
        return storage.close();
      },
    };
  };
  await Promise.all([1, 2, 3].map(() => fixture.land({ openStorage })));
  await fixture.land({ openStorage });
  expect(mostOfOne).toBe(1);
  for (const folder of folders) expect(checkLanded(folder)).toHaveLength(3);
});

function beforeWrites(open: (place: DestinationPlace) => Promise<Storage>, act: () => Promise<void>) {
  return async (place: DestinationPlace): Promise<Storage> => {
    const storage = await open(place);
    return {
      ...storage,
      write: async (path, ...file) => {
        await act();
        await storage.write(path, ...file);
      },
    };
  };
}

function runOnce(act: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await act();
  };
}

async function reopen({ owner }: TestDatabase, batchId: number): Promise<void> {
  await owner.pool.query(
    `UPDATE nightshift.batches SET state = 'running', state_since = now(), finished_at = NULL WHERE id = $1`,
    [batchId],
  );
}

/** Ends the batch a second time, as after a retry of its failed lookups. */
async function finishAgain(database: TestDatabase, batchId: number): Promise<void> {
  await reopen(database, batchId);
  await createDispatchStore(database.app.sql).finishBatches();
}

async function countWaiting({ owner }: TestDatabase): Promise<number> {
  const { rows } = await owner.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows[0]?.n ?? 0;
}
