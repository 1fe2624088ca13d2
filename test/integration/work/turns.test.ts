import { describe, expect, test } from 'vitest';
import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { createAccount } from '../../../db/stores/accounts/accounts.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { loadBatch } from '../../../src/producer/load/load-batch.ts';
import { streamOf } from '../../support/csv/company-files.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { listFindings } from '../../support/db/findings.ts';

const by = { actor: 'test', address: null };
const window = 12;

describe('a batch that waited for its source', () => {
  test.each(['the same dispatcher', 'another dispatcher'])(
    'does not wait for one that began meanwhile, by %s',
    async (dispatcher) => {
      const { load, cut, work, wait, wake, startOver } = await openTurns();
      const first = await load('first');
      await work(20);
      await wait(first);
      await load('second');
      await cut();
      if (dispatcher === 'another dispatcher') startOver();
      await wake();
      expect((await work(8)).filter((name) => name === 'first')).toHaveLength(4);
    },
  );

  test('gets no credit for the wait', async () => {
    const { load, cut, work, wait, wake, findings } = await openTurns();
    const first = await load('first');
    await cut();
    await wait(first);
    await load('second');
    await work(20);
    await wake();
    expect((await work(8)).filter((name) => name === 'first')).toHaveLength(4);
    expect(await findings()).toEqual([]);
  });

  test('left its turns to the other batches of its account', async () => {
    const { load, cut, wait, turns } = await openTurns();
    const first = await load('first');
    await load('first', 'beside');
    await cut();
    await wait(first);
    await cut();
    expect(await turns('first')).toEqual(Array.from({ length: window }, (_, n) => n * 100));
  });

  test('has another turn also for a chunk that a worker releases later', async () => {
    const { load, cut, claimNext, release, work, wait, wake, turns } = await openTurns();
    const first = await load('first');
    await work(20);
    const running = await claimNext();
    await wait(first);
    await load('second');
    await cut();
    await wake();
    await cut();
    await release(running, 0);
    await cut();
    expect(Math.max(...(await turns('first')))).toBeLessThan(1000);
  });
});

test('a new weight applies to the chunks in the queue, in the next round', async () => {
  const { load, cut, order, setLimits } = await openTurns();
  await load('first');
  await load('second');
  await cut();
  await setLimits('second', { weight: 3 });
  await cut();
  await cut();
  expect((await order()).slice(0, 8).filter((name) => name === 'second')).toHaveLength(6);
});

describe('a limit of calls at a source', () => {
  const atSources = new Map([['upstream', { concurrency: 1, callsPerDay: null }]]);

  test('leaves the batches at other sources their chunks', async () => {
    const { load, cut, turns, setLimits } = await openTurns();
    await load('first', 'limited');
    await load('first', 'other', { source: 'snapshot' });
    await setLimits('first', { atSources });
    await cut();
    expect(await turns('first')).toHaveLength(window);
  });

  test('does not count a chunk that waits for a later time', async () => {
    const { load, cut, turns, claimNext, release, setLimits } = await openTurns();
    await load('first');
    await setLimits('first', { atSources });
    await cut();
    await release(await claimNext(), 3_600_000);
    await cut();
    expect(await turns('first')).toEqual([0, 100]);
    await cut();
    expect(await turns('first')).toHaveLength(2);
  });
});

test('chunks that wait for a later time leave the window to others', async () => {
  const { load, cut, turns, claimNext, release } = await openTurns();
  await load('first');
  await cut();
  for (let n = 0; n < window; n += 1) await release(await claimNext(), 3_600_000);
  await cut();
  expect(await turns('first')).toHaveLength(2 * window);
});

test('an account whose chunks all wait for a later time keeps its share beside one that joins, by another dispatcher', async () => {
  const { load, cut, work, claimNext, release, startOver } = await openTurns();
  await load('first');
  for (let n = 0; n < 2 * window; n += 1) {
    if (n % window === 0) await cut();
    await release(await claimNext(), 3_600_000);
  }
  startOver();
  await load('second');
  expect((await work(8)).filter((name) => name === 'first')).toHaveLength(4);
});

/** Two accounts whose chunks have one lookup each, without a queue: chunks run in the order of their turns. */
async function openTurns() {
  const database = await openTestDatabase();
  const db = database.app.sql;
  const [batches, outcomes, store] = [
    createBatchStore(database.app),
    createOutcomeStore(db),
    createWorkStore(db),
  ];
  let dispatch = createDispatchStore(db);
  const accounts = new Map<string, number>();
  for (const name of ['first', 'second']) {
    const accountId = await createAccount(db, name);
    accounts.set(name, accountId);
    await createLedger(db).grant(accountId, [{ key: null, amountMicro: 1_000_000_000n, reason: 'a test' }]);
  }

  async function load(account: string, name = 'list', { companies = 60, source = 'upstream' } = {}) {
    const rows = Array.from({ length: companies }, (_, n) => `${account}-${name}-${n}.com`).join('\n');
    return loadBatch(batches, {
      accountId: accounts.get(account) ?? 0,
      open: () => streamOf(`domain\n${rows}\n`, 1000),
      reading: { fileName: `${account}-${name}.csv` },
      sources: async () => [source],
      search: anySearch,
      bounds: noBounds,
      again: false,
      onProgress: () => undefined,
    });
  }

  async function cut(): Promise<void> {
    const chunksMax = Math.max(0, window - (await dispatch.countOpen()));
    await dispatch.cutChunks({ chunksMax, chunksPerAccountMin: 2, windowChunksMax: window, sizeOf: () => 1 });
    await dispatch.markQueued(await dispatch.listUnqueued(1000));
  }

  interface Queued {
    readonly id: string;
    readonly generation: number;
    readonly account: string;
    readonly turn: number;
  }

  async function readQueue(): Promise<readonly Queued[]> {
    const { rows } = await database.app.pool.query<Queued>(
      `SELECT c.id, c.generation, a.name AS account, c.position AS turn FROM nightshift.chunks c
        JOIN nightshift.accounts a ON a.id = c.account_id JOIN nightshift.batches b ON b.id = c.batch_id
        WHERE c.state = 'queued' AND c.queued_at IS NOT NULL AND b.state = 'running' ORDER BY c.position, c.id`,
    );
    return rows;
  }

  async function claimNext(): Promise<Claim> {
    for (const { id, generation } of await readQueue()) {
      const { rows } = await database.app.pool.query(
        'SELECT FROM nightshift.chunks WHERE id = $1 AND due_at <= now()',
        [id],
      );
      const claim = rows.length === 0 ? null : await store.claim(Number(id), generation, 60_000);
      if (claim !== null) return claim;
    }
    throw new Error('No chunk could be claimed.');
  }

  /** Processes this many chunks, and cuts before each. Returns the account of each. */
  async function work(chunks: number): Promise<readonly string[]> {
    const worked: string[] = [];
    while (worked.length < chunks) {
      await cut();
      const claim = await claimNext();
      const answer = { kind: 'none', matchedBy: 'domain' } as const;
      await outcomes.commit(
        claim,
        claim.lookups.map(({ lookupId }) => ({ lookupId, source: 'upstream', answer })),
      );
      worked.push([...accounts].find(([, id]) => id === claim.accountId)?.[0] ?? '');
    }
    return worked;
  }

  return {
    load,
    cut,
    claimNext,
    release: (claim: Claim, delayMs: number) => store.release(claim, { delayMs, failedTries: [] }),
    work,
    wait: ({ batchId }: { readonly batchId: number }) =>
      store.deferBatch(batchId, { kind: 'refused', reason: 'a test', delayMs: 0 }),
    wake: () => dispatch.wakeBatches(),
    startOver: () => {
      dispatch = createDispatchStore(db);
    },
    setLimits: (name: string, changes: Parameters<ReturnType<typeof createAccountService>['setLimits']>[1]) =>
      createAccountService(db).setLimits(name, changes, by),
    /** Accounts of the chunks in the queue, in the order of their turns. */
    order: async () => (await readQueue()).map(({ account }) => account),
    /** Turns of the chunks of an account in the queue. */
    turns: async (name: string) =>
      (await readQueue()).filter(({ account }) => account === name).map(({ turn }) => turn),
    findings: () => listFindings(database),
  };
}
