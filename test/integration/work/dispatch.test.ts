import { describe, expect, onTestFinished, test } from 'vitest';
import { openLeaderLock } from '../../../db/locks/leader-lock.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createRequestStore } from '../../../db/stores/work/requests.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { catalog, parseChunkJob, type ChunkJob } from '../../../src/queue/catalog.ts';
import { createQueue } from '../../../src/queue/connection.ts';
import type { ChunkQueue } from '../../../src/queue/chunk-queue.ts';
import { eachBackend, type Backend } from '../../support/queue/backends.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { openQueueOn } from '../../support/queue/open-queue.ts';
import { alreadyOver, stepDispatcher } from '../../support/queue/stepped-dispatcher.ts';
import { found, loadFixtureBatch, takeChunk } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';

const price = 200_000n;
const none = { kind: 'none', matchedBy: 'domain' } as const;

eachBackend((backend) => {
  test('dispatcher enqueues chunks and holds credits up to its window', async () => {
    const { database, queue, load } = await openWork(backend);
    const { step } = stepDispatcher(database, queue);
    await load(100);
    await step();
    await step();
    const jobs = await readJobs(queue);
    expect(jobs).toHaveLength(10);
    expect(await readBalance(database)).toMatchObject({ heldMicro: 20n * price });
    for (const job of jobs.slice(0, 3)) await answer(database, job, found(['cr-1']));
    await step();
    expect(await countChunks(database, 'queued')).toBe(10);
    expect(await readBalance(database)).toMatchObject({ heldMicro: 20n * price });
    expect(await listFindings(database)).toEqual([]);
  });

  test('a job has the ids of its chunk and nothing else', async () => {
    const { database, queue, load } = await openWork(backend);
    await load(2);
    await stepDispatcher(database, queue).step();
    expect(await queue.readPayloads()).toEqual([JSON.stringify({ chunkId: 1, generation: 1 })]);
  });

  test('a batch finishes with its last lookup, also without lookups', async () => {
    const { database, queue, load, readState } = await openWork(backend);
    const { step } = stepDispatcher(database, queue);
    const batch = await load(3);
    const empty = await load(0, 'only-bad-rows.csv');
    await step();
    expect([await readState(batch), await readState(empty)]).toMatchObject([
      { state: 'running' },
      { state: 'finished' },
    ]);
    for (const job of await readJobs(queue)) await answer(database, job, none);
    await step();
    expect(await readState(batch)).toMatchObject({
      state: 'finished',
      lookups: { total: 3, none: 3, open: 0 },
    });
    expect(await listFindings(database)).toEqual([]);
  });

  describe('batch beyond the balance', () => {
    test('processes what the balance covers, waits, and resumes after a grant', async () => {
      const { database, queue, load, grant, readState } = await openWork(backend, 5n * price);
      const { step } = stepDispatcher(database, queue);
      const batch = await load(8);
      await step();
      expect(await readState(batch)).toMatchObject({ state: 'running' });
      expect(await readBalance(database)).toEqual({ balanceMicro: 0n, heldMicro: 5n * price });
      for (const job of await readJobs(queue)) await answer(database, job, found(['cr-1']));
      await step();
      expect(await readState(batch)).toMatchObject({
        state: 'waiting_for_credits',
        stateReason: 'the balance is below the price of a result (0.2 credits)',
        lookups: { found: 5, open: 3 },
      });
      await step();
      expect(await readState(batch)).toMatchObject({ state: 'waiting_for_credits' });
      await grant(3n * price);
      await step();
      for (const job of await unclaimedJobs(database, queue)) await answer(database, job, found(['cr-1']));
      await step();
      expect(await readState(batch)).toMatchObject({ state: 'finished', lookups: { found: 8, open: 0 } });
      expect(await readBalance(database)).toEqual({ balanceMicro: 0n, heldMicro: 0n });
      expect(await listFindings(database)).toEqual([]);
    });

    test('pays for further lookups with those that were free, and does not wait', async () => {
      const { database, queue, load, readState } = await openWork(backend, 2n * price);
      const { step } = stepDispatcher(database, queue);
      const batch = await load(6);
      for (let round = 0; round < 3; round += 1) {
        await step();
        // Nothing is left to hold, but running work may return credits.
        await step();
        expect(await readState(batch)).toMatchObject({ state: 'running' });
        for (const job of await unclaimedJobs(database, queue)) await answer(database, job, none);
      }
      await step();
      expect(await readState(batch)).toMatchObject({ state: 'finished', lookups: { none: 6 } });
      expect(await readBalance(database)).toEqual({ balanceMicro: 2n * price, heldMicro: 0n });
    });
  });

  describe('jobs lost by the queue', () => {
    test('are all enqueued again as the next generation', async () => {
      const { database, queue, load } = await openWork(backend);
      const { step } = stepDispatcher(database, queue);
      await load(10);
      await step();
      const before = await readJobs(queue);
      await queue.empty();
      expect(await readJobs(queue)).toEqual([]);
      await step();
      expect(await readJobs(queue)).toEqual(before.map((job) => ({ ...job, generation: 2 })));
      expect(await createWorkStore(database.app.sql).claim(1, 1, 60_000)).toBeNull();
      for (const job of await readJobs(queue)) await answer(database, job, none);
      expect(await listFindings(database)).toEqual([]);
    });

    test('are enqueued again one by one, and other jobs stay unchanged', async () => {
      const { database, queue, connection, load } = await openWork(backend);
      const { step } = stepDispatcher(database, queue);
      await load(6);
      await step();
      const jobs = createQueue(catalog.chunk.queue, connection);
      onTestFinished(() => jobs.close());
      expect(await jobs.remove('chunk-2-1')).toBe(1);
      await step();
      await step();
      expect(await readJobs(queue)).toEqual([
        { chunkId: 1, generation: 1 },
        { chunkId: 2, generation: 2 },
        { chunkId: 3, generation: 1 },
      ]);
    });

    test('are not looked for before their time', async () => {
      const { database, queue, load } = await openWork(backend);
      const { step } = stepDispatcher(database, queue, { queuedMsMax: 3_600_000 });
      await load(2);
      await step();
      await queue.empty();
      await step();
      expect(await readJobs(queue)).toEqual([]);
    });

    test('of a dispatcher that died before it recorded them are enqueued once', async () => {
      const { database, queue, load } = await openWork(backend);
      const { step } = stepDispatcher(database, queue);
      await load(4);
      await step();
      await database.owner.pool.query('UPDATE nightshift.chunks SET queued_at = NULL');
      await step();
      expect(await readJobs(queue)).toEqual([
        { chunkId: 1, generation: 1 },
        { chunkId: 2, generation: 1 },
      ]);
    });
  });

  describe('chunk of a dead worker', () => {
    test('is enqueued as its next generation, and keeps finished lookups', async () => {
      const { database, queue, load } = await openWork(backend);
      const { step } = stepDispatcher(database, queue, { sizeOf: () => 3 });
      await load(3);
      await step();
      const dead = await die(database, { chunkId: 1, generation: 1 });
      await commit(database, dead, [found(['cr-1'])]);
      await step();
      expect(await unclaimedJobs(database, queue)).toEqual([{ chunkId: 1, generation: 2 }]);
      const claim = await takeChunk(database.app, 1, 2);
      expect(claim.lookups.map(({ lookupId }) => lookupId)).toEqual(
        dead.lookups.slice(1).map(({ lookupId }) => lookupId),
      );
      await commit(database, claim, [none, none]);
      expect(await listFindings(database)).toEqual([]);
    });

    test('keeps its worker while its lease is valid', async () => {
      const { database, queue, load } = await openWork(backend);
      const { step } = stepDispatcher(database, queue);
      await load(2);
      await step();
      await takeChunk(database.app, 1, 1);
      await step();
      expect(await readChunks(database)).toMatchObject([{ state: 'running', generation: 1 }]);
    });

    test('is split after two deaths: each open lookup continues alone with its own hold', async () => {
      const { database, queue, load } = await openWork(backend);
      const { step } = stepDispatcher(database, queue, { sizeOf: () => 4 });
      await load(4);
      await step();
      const dead = await die(database, { chunkId: 1, generation: 1 });
      await commit(database, dead, [found(['cr-1'])]);
      await step();
      await die(database, { chunkId: 1, generation: 2 });
      await step();
      expect(await readChunks(database)).toMatchObject([
        { state: 'done', lookups: 4, found: 1, moved_on: 3 },
        { state: 'queued', lookups: 1, starts: 0 },
        { state: 'queued', lookups: 1, starts: 0 },
        { state: 'queued', lookups: 1, starts: 0 },
      ]);
      expect(await readBalance(database)).toMatchObject({ heldMicro: 3n * price });
      for (const job of await unclaimedJobs(database, queue)) await answer(database, job, none);
      expect(await listFindings(database)).toEqual([]);
    });

    test('with many lookups is split into sixteen parts after two deaths, each with two more starts before the next split', async () => {
      const { database, queue, load, readState } = await openWork(backend, 200_000_000n);
      const { step } = stepDispatcher(database, queue, { sizeOf: () => 520 });
      const batch = await load(520);
      await step();
      const dead = await die(database, { chunkId: 1, generation: 1 });
      const early: LookupResult['answer'][] = [];
      [early[100], early[300]] = [found(['cr-1']), none];
      await commit(database, dead, early);
      await step();
      await die(database, { chunkId: 1, generation: 2 });
      await step();
      const [whole, ...parts] = await readChunks(database);
      expect(whole).toMatchObject({ state: 'done', found: 1, none: 1, moved_on: 518 });
      expect(parts).toHaveLength(16);
      expect(parts.reduce((sum, part) => sum + part.lookups, 0)).toBe(518);
      expect(await listFindings(database)).toEqual([]);

      await die(database, { chunkId: 2, generation: 1 });
      await step();
      await die(database, { chunkId: 2, generation: 2 });
      await step();
      expect((await readChunks(database))[1]).toMatchObject({ state: 'done', moved_on: parts[0]?.lookups });
      expect(await listFindings(database)).toEqual([]);
      for (let jobs = await unclaimedJobs(database, queue); jobs.length > 0;) {
        for (const job of jobs) await answer(database, job, none);
        await step();
        jobs = await unclaimedJobs(database, queue);
      }
      expect(await readState(batch)).toMatchObject({
        state: 'finished',
        lookups: { found: 1, none: 519, open: 0 },
      });
      expect(await listFindings(database)).toEqual([]);
    });

    test('with one lookup ends it as dead_letter after five deaths, free of charge, and not its neighbours', async () => {
      const { database, queue, load, readState } = await openWork(backend);
      const { step } = stepDispatcher(database, queue, { sizeOf: () => 3 });
      const batch = await load(3);
      const poisoned = 'company-2.com';
      let deaths = 0;
      for (let round = 0; round < 20; round += 1) {
        await step();
        for (const job of await unclaimedJobs(database, queue)) {
          const claim = await takeChunk(database.app, job.chunkId, job.generation, alreadyOver);
          if (claim.lookups.some(({ company }) => company.domain === poisoned)) deaths += 1;
          else
            await commit(
              database,
              claim,
              claim.lookups.map(() => found(['cr-1'])),
            );
        }
      }
      expect(deaths).toBe(2 + 5);
      expect(await readState(batch)).toMatchObject({
        state: 'finished',
        lookups: { found: 2, failed: 1, open: 0 },
      });
      const { rows } = await database.app.pool.query(
        'SELECT company_domain, reason, charged_micro FROM nightshift.all_lookups WHERE outcome = $1',
        ['failed'],
      );
      expect(rows).toEqual([{ company_domain: poisoned, reason: 'dead_letter', charged_micro: '0' }]);
      expect(await readBalance(database)).toMatchObject({ heldMicro: 0n });
      expect(await listFindings(database)).toEqual([]);
    });
  });

  test('a released chunk stores partial answers of its open lookups in one statement', async () => {
    const { database, queue, load } = await openWork(backend);
    const { step } = stepDispatcher(database, queue);
    await load(3);
    await step();
    const claim = await takeChunk(database.app, 1, 1);
    const [first = 0n, second = 0n, third = 0n] = claim.lookups.map(({ lookupId }) => lookupId);
    const answers: LookupResult['answer'][] = [];
    answers[2] = none;
    await commit(database, claim, answers);
    const words = [
      { source: 'bigquery', reported: 'none', matchedBy: 'name' } as const,
      { source: 'snapshot', reported: 'no_match' } as const,
    ];
    const reported = new Map([first, third].map((lookupId) => [lookupId, words]));
    await createWorkStore(database.app.sql).release(claim, { delayMs: 0, failedTries: [second], reported });
    const again = await takeChunk(database.app, 1, 2);
    expect(again.lookups.map((lookup) => [lookup.lookupId, lookup.reported, lookup.tries])).toEqual([
      [first, words, 0],
      [second, [], 1],
    ]);
    await createWorkStore(database.app.sql).release(again, { delayMs: 0, failedTries: [first] });
    expect((await takeChunk(database.app, 1, 3)).lookups[0]).toMatchObject({ reported: words, tries: 1 });
  });

  test('a released chunk waits in the queue for its delay, and its start does not count', async () => {
    const { database, queue, connection, load } = await openWork(backend);
    const { step } = stepDispatcher(database, queue);
    await load(2);
    await step();
    const claim = await takeChunk(database.app, 1, 1);
    await createWorkStore(database.app.sql).release(claim, {
      delayMs: 3_600_000,
      failedTries: [claim.lookups[0]?.lookupId ?? 0n],
    });
    await step();
    const jobs = createQueue(catalog.chunk.queue, connection);
    onTestFinished(() => jobs.close());
    expect(await jobs.getJobState('chunk-1-2')).toBe('delayed');
    expect(await readChunks(database)).toMatchObject([{ state: 'queued', generation: 2, starts: 0 }]);
    const again = await takeChunk(database.app, 1, 2);
    expect(again.lookups.map(({ tries }) => tries)).toEqual([1, 0]);
  });

  test('a small batch gets its share beside an earlier large one', async () => {
    const { database, queue, load } = await openWork(backend);
    const { step } = stepDispatcher(database, queue, { sizeOf: () => 1 });
    await load(100, 'large.csv');
    const small = await load(4, 'small.csv');
    await step();
    const { rows } = await database.app.pool.query<{ chunks: number }>(
      'SELECT count(*)::integer AS chunks FROM nightshift.chunks WHERE batch_id = $1',
      [small.batchId],
    );
    expect(rows).toEqual([{ chunks: 4 }]);
    expect(await readJobs(queue)).toHaveLength(10);
  });

  test('two concurrent dispatchers cut no lookup and enqueue no job twice', async () => {
    const { database, queue, load } = await openWork(backend);
    const dispatchers = [stepDispatcher(database, queue), stepDispatcher(database, queue)];
    await load(40);
    for (let round = 0; round < 3; round += 1) await Promise.all(dispatchers.map(({ step }) => step()));
    const jobs = await readJobs(queue);
    expect(new Set(jobs.map(({ chunkId }) => chunkId)).size).toBe(jobs.length);
    const { rows } = await database.app.pool.query<{ overlaps: number }>(
      `SELECT count(*)::integer AS overlaps FROM nightshift.chunks a JOIN nightshift.chunks b
        ON a.id < b.id AND a.first_lookup_id <= b.last_lookup_id AND b.first_lookup_id <= a.last_lookup_id`,
    );
    expect(rows).toEqual([{ overlaps: 0 }]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('a batch that waits for its source has no chunks in the queue until the wait ends', async () => {
    const { database, queue, load, readState } = await openWork(backend);
    const { step } = stepDispatcher(database, queue);
    const batch = await load(2);
    await step();
    const claim = await takeChunk(database.app, 1, 1);
    const work = createWorkStore(database.app.sql);
    const reason = 'the key was refused';
    await work.deferBatch(batch.batchId, { kind: 'refused', reason, delayMs: 3_600_000 });
    await work.release(claim, { delayMs: 0, failedTries: [] });
    await step();
    expect(await readState(batch)).toMatchObject({ state: 'waiting_for_source', stateReason: reason });
    expect(await unclaimedJobs(database, queue)).toEqual([]);
    await database.owner.pool.query('UPDATE nightshift.batches SET wait_until = now()');
    await step();
    expect(await readState(batch)).toMatchObject({ state: 'running', stateReason: null });
    expect(await unclaimedJobs(database, queue)).toEqual([{ chunkId: 1, generation: 2 }]);
  });

  test('a single search of a dead caller ends as interrupted, and its hold is released', async () => {
    const { database, queue, accountId } = await openWork(backend);
    const company = { key: 'd:nike.com', domain: 'nike.com', name: null };
    const asked = { accountId, company, sources: ['upstream'], search: anySearch };
    const request = { ...asked, via: [], requestId: 'req_1' };
    await createRequestStore(database.app.sql).open(request, alreadyOver);
    expect(await readBalance(database)).toMatchObject({ heldMicro: price });
    await stepDispatcher(database, queue).step();
    const { rows } = await database.app.pool.query('SELECT outcome, reason FROM nightshift.all_lookups');
    expect(rows).toEqual([{ outcome: 'failed', reason: 'interrupted' }]);
    expect(await readBalance(database)).toMatchObject({ heldMicro: 0n });
    expect(await listFindings(database)).toEqual([]);
  });

  test('an error of a round is reported, and the next round succeeds', async () => {
    const { database, queue, load } = await openWork(backend);
    const broken = { ...queue, enqueue: failOnce(queue.enqueue) };
    const { step, errors } = stepDispatcher(database, broken);
    await load(2);
    await step();
    expect(errors).toMatchObject([{ message: 'the queue is away' }]);
    await step();
    expect(await readJobs(queue)).toEqual([{ chunkId: 1, generation: 1 }]);
  });
});

describe('leader lock of the dispatcher', () => {
  const never = new AbortController().signal;

  test('is taken by one process per database, and by the next when the connection of the first is lost', async () => {
    const { url, owner } = await openTestDatabase();
    const first = openLock(url);
    await first.take(never);
    const lost = expect(first.wait(600_000, never)).rejects.toThrow();
    const { signal, listened } = listenedSignal();
    const taken = openLock(url)
      .take(signal)
      .then(() => 'taken');
    // The rejected callers wait, and learn when they may continue.
    expect(await Promise.race([taken, listened.then(() => 'refused')])).toBe('refused');
    await owner.pool.query(
      `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
    );
    await lost;
    expect(await taken).toBe('taken');
  });

  test('is available after it is released', async () => {
    const { url } = await openTestDatabase();
    const first = openLock(url);
    await first.take(never);
    await first.leave();
    await openLock(url).take(never);
  });

  test('of another database is independent', async () => {
    const [one, other] = [await openTestDatabase(), await openTestDatabase()];
    await Promise.all([openLock(one.url).take(never), openLock(other.url).take(never)]);
  });

  test('notifies of a loaded batch, also without a listener at that moment', async () => {
    const database = await openTestDatabase();
    const leaderLock = openLock(database.url);
    await leaderLock.take(never);
    const accountId = await findAccount(database.app.sql, 'default');
    const heard = leaderLock.wait(600_000, never);
    await loadFixtureBatch(database.app, accountId, {
      fileName: 'a.csv',
      companies: ['a.com'],
      withOddRows: false,
    });
    await heard;
    await loadFixtureBatch(database.app, accountId, {
      fileName: 'b.csv',
      companies: ['b.com'],
      withOddRows: false,
    });
    await leaderLock.wait(600_000, never);
  });

  test('is not awaited after the process stops', async () => {
    const { url } = await openTestDatabase();
    await openLock(url).take(never);
    const stop = new AbortController();
    const waiting = openLock(url).take(stop.signal);
    stop.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });

  /** A signal that reports when a listener is added. */
  function listenedSignal() {
    const { signal } = new AbortController();
    const listen = signal.addEventListener.bind(signal);
    const listened = new Promise<void>((resolve) => {
      signal.addEventListener = (...args: Parameters<typeof listen>) => {
        resolve();
        listen(...args);
      };
    });
    return { signal, listened };
  }

  function openLock(url: string) {
    const leaderLock = openLeaderLock({ url, role: 'nightshift_app', leaseMs: 30_000 });
    onTestFinished(() => leaderLock.leave());
    return leaderLock;
  }
});

async function openWork(backend: Backend, credits = 100_000_000n) {
  const { database, connection, queue } = await openQueueOn(backend);
  const accountId = await findAccount(database.app.sql, 'default');
  const grant = (amountMicro: bigint) =>
    createLedger(database.app.sql).grant(accountId, [{ key: null, amountMicro, reason: 'a test' }]);
  await grant(credits);
  const load = (count: number, fileName = 'list.csv') => {
    const companies = Array.from({ length: count }, (_, i) => `company-${i + 1}.com`);
    return loadFixtureBatch(database.app, accountId, { fileName, companies, withOddRows: false });
  };
  const readState = ({ publicId }: { readonly publicId: string }) =>
    createBatchStore(database.app).readSummary(accountId, publicId);
  return { database, connection, queue, accountId, grant, load, readState };
}

/** Jobs of the queue, by chunk. */
async function readJobs(queue: ChunkQueue): Promise<readonly ChunkJob[]> {
  const jobs = (await queue.readPayloads()).map((text) => parseChunkJob(JSON.parse(text)));
  return jobs.sort((a, b) => a.chunkId - b.chunkId || a.generation - b.generation);
}

/** Jobs for which a worker would find work. No worker runs here. */
async function unclaimedJobs({ app }: TestDatabase, queue: ChunkQueue): Promise<readonly ChunkJob[]> {
  const { rows } = await app.pool.query<{ job: string }>(
    `SELECT c.id || '-' || c.generation AS job FROM nightshift.chunks c JOIN nightshift.batches b ON b.id = c.batch_id
      WHERE c.state = 'queued' AND c.queued_at IS NOT NULL AND b.state = 'running'`,
  );
  const open = new Set(rows.map(({ job }) => job));
  return (await readJobs(queue)).filter(({ chunkId, generation }) => open.has(`${chunkId}-${generation}`));
}

/** Processes a chunk like a worker: every lookup gets this answer. */
async function answer(database: TestDatabase, job: ChunkJob, one: LookupResult['answer']): Promise<void> {
  const claim = await takeChunk(database.app, job.chunkId, job.generation);
  await commit(
    database,
    claim,
    claim.lookups.map(() => one),
  );
}

/** A worker that claims the chunk and dies. */
function die(database: TestDatabase, job: ChunkJob): Promise<Claim> {
  return takeChunk(database.app, job.chunkId, job.generation, alreadyOver);
}

async function commit(
  database: TestDatabase,
  claim: Claim,
  answers: readonly LookupResult['answer'][],
): Promise<void> {
  const results = claim.lookups.flatMap(({ lookupId }, i) => {
    const one = answers[i];
    return one === undefined ? [] : [{ lookupId, source: 'upstream', answer: one }];
  });
  await createOutcomeStore(database.app.sql).commit(claim, results);
}

interface ChunkRow extends Record<string, unknown> {
  readonly lookups: number;
}

async function readChunks({ app }: TestDatabase): Promise<readonly ChunkRow[]> {
  const { rows } = await app.pool.query<ChunkRow>('SELECT * FROM nightshift.chunks ORDER BY id');
  return rows;
}

async function countChunks(database: TestDatabase, state: string): Promise<number> {
  return (await readChunks(database)).filter((chunk) => chunk.state === state).length;
}

function readBalance({ app }: TestDatabase) {
  return findAccount(app.sql, 'default').then((accountId) => createLedger(app.sql).readBalance(accountId));
}

function failOnce<Arguments extends readonly unknown[]>(work: (...args: Arguments) => Promise<void>) {
  let failed = false;
  return async (...args: Arguments): Promise<void> => {
    if (failed) return work(...args);
    failed = true;
    throw new Error('the queue is away');
  };
}
