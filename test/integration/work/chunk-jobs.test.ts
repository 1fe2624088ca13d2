import { expect, onTestFinished, test } from 'vitest';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import type { OutcomeStore } from '../../../src/core/work/outcomes.ts';
import { createSearchHandler } from '../../../src/core/sources/search-handler.ts';
import { createLeaseKeeper } from '../../../src/core/work/lease-keeper.ts';
import type { QueuedChunk } from '../../../src/core/work/work-store.ts';
import { eachBackend } from '../../support/queue/backends.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { fakeAsking, fakeLocalSource } from '../../support/sources/fake-calls.ts';
import { openQueueOn } from '../../support/queue/open-queue.ts';
import { cutOneChunk, takeChunk } from '../../support/db/fixture.ts';
import { startWorkers } from '../../../workers/start-workers.ts';
import { withoutGate } from '../../../src/core/sources/ask-sources.ts';
import { openLines } from '../../support/sources/open-lines.ts';

const leaseMs = 60_000;

eachBackend((backend) => {
  test('a job completes after the outcomes of its chunk are written', async () => {
    const { database, connection, queue } = await openQueueOn(backend);
    const chunks = await cutOneChunk(database.app);
    await queue.enqueue(chunks);
    const outcomes = createOutcomeStore(database.app.sql);
    const missing: QueuedChunk[] = [];
    const written = new Promise<void>((resolve, reject) => {
      const commit: OutcomeStore['commit'] = async (...results) => {
        // Many queries, so that a job that finishes too early is detected.
        for (let i = 0; i < 50; i += 1) missing.push(...(await queue.listMissing(chunks)));
        await outcomes.commit(...results).then(resolve, reject);
      };
      work(database, connection, { ...outcomes, commit }, reject).catch(reject);
    });
    await written;
    expect(missing).toEqual([]);
    await expect.poll(() => queue.listMissing(chunks)).toEqual(chunks);
  });
});

test('a job of an earlier or later generation claims nothing', async () => {
  const database = await openTestDatabase();
  const [chunk] = await cutOneChunk(database.app);
  if (chunk === undefined) throw new Error('Nothing was cut.');
  await takeChunk(database.app, chunk.chunkId, chunk.generation, -1000);
  const dispatch = createDispatchStore(database.app.sql);
  for (const lapsed of await dispatch.listLapsed(10)) await dispatch.rescue(lapsed);
  const store = createWorkStore(database.app.sql);
  expect(await store.claim(chunk.chunkId, chunk.generation, leaseMs)).toBeNull();
  expect(await store.claim(chunk.chunkId, chunk.generation + 2, leaseMs)).toBeNull();
  expect(await store.claim(chunk.chunkId, chunk.generation + 1, leaseMs)).toMatchObject({
    generation: chunk.generation + 1,
  });
});

/** Runs the product's workers until the test ends, on a source that identifies no company. */
async function work(
  database: TestDatabase,
  connection: Parameters<typeof startWorkers>[0]['connection'],
  outcomes: OutcomeStore,
  onError: (error: unknown) => void,
): Promise<void> {
  const store = createWorkStore(database.app.sql);
  const leases = createLeaseKeeper(store, leaseMs);
  const chunkWork = {
    work: store,
    leases,
    leaseMs,
    handlers: {
      adsSearch: createSearchHandler({
        outcomes,
        mappings: { find: async () => new Map() },
        callerLimits: async () => ({ weight: 1, atSources: new Map() }),
        lines: openLines,
        reparses: withoutGate,
        sourcesFor: async () => [fakeLocalSource({}).source],
        asking: fakeAsking().options,
        random: () => 0,
        commitLimit: (commit) => commit(),
      }),
      emailValidation: () => Promise.reject(new Error('There is no address to validate.')),
    },
    deferAfter: () => null,
  };
  const tick = () => Promise.resolve();
  const work = { chunkWork, recheckWork: null, tick, pollInbox: tick };
  const options = { connection, ...work, graceMs: 1000, onError };
  const starting = startWorkers(options);
  // Registered before the workers are ready: they may finish the chunk, and with it the test, earlier.
  onTestFinished(async () => {
    await (await starting).close();
    void leases.close();
  });
  await starting;
}
