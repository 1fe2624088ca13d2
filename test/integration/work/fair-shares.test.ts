import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { createAccount } from '../../../db/stores/accounts/accounts.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import { catalog, parseChunkJob } from '../../../src/queue/catalog.ts';
import { createWorker } from '../../../src/queue/connection.ts';
import { loadFixtureBatch } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';
import { eachBackend, type Backend } from '../../support/queue/backends.ts';
import { openQueueOn } from '../../support/queue/open-queue.ts';
import { stepDispatcher } from '../../support/queue/stepped-dispatcher.ts';

eachBackend((backend) => {
  test('accounts get chunks by their weights, whatever the number of their batches', async () => {
    const { addAccount, work, database } = await openShares(backend);
    await addAccount('many', { batches: 12, companies: 10 });
    await addAccount('one', { batches: 1, companies: 30 });
    await addAccount('heavy', { batches: 1, companies: 90, weight: 3 });
    const claimed = await work(60);
    const first = claimed.slice(0, 50);
    const countOf = (name: string) => first.filter((each) => each === name).length;
    expect(Math.abs(countOf('many') - 10)).toBeLessThanOrEqual(1);
    expect(Math.abs(countOf('one') - 10)).toBeLessThanOrEqual(1);
    expect(Math.abs(countOf('heavy') - 30)).toBeLessThanOrEqual(2);
    expect(await listFindings(database)).toEqual([]);
  });

  test('an account that joins does not wait for the chunks that another one has in the queue', async () => {
    const { addAccount, work } = await openShares(backend);
    await addAccount('first', { batches: 1, companies: 200 });
    expect(await work(5)).toEqual(Array<string>(5).fill('first'));
    await addAccount('second', { batches: 1, companies: 20 });
    // The dispatcher learns of it in its next round, while the worker may take two more chunks.
    const claimed = await work(12);
    expect(claimed.slice(2).filter((name) => name === 'second').length).toBeGreaterThanOrEqual(4);
  });

  test('turns that are moved back keep the order, and every chunk runs once', async () => {
    const { addAccount, work, database } = await openShares(backend);
    await addAccount('first', { batches: 1, companies: 60 });
    expect(await work(3)).toHaveLength(3);
    await database.owner.pool.query('UPDATE nightshift.chunks SET position = position + 1048600');
    await addAccount('second', { batches: 1, companies: 20 });
    expect(await work(37)).toHaveLength(37);
    const { rows } = await database.app.pool.query<{ turn: number }>(
      'SELECT max(position) AS turn FROM nightshift.chunks WHERE id > 30',
    );
    expect(rows[0]?.turn).toBeLessThan(10_000);
    expect(await listFindings(database)).toEqual([]);
  });
});

interface NewAccount {
  readonly batches: number;
  readonly companies: number;
  readonly weight?: number;
}

async function openShares(backend: Backend) {
  const { database, connection, queue } = await openQueueOn(backend);
  const db = database.app.sql;
  const { step } = stepDispatcher(database, queue);
  const names = new Map<number, string>();

  async function addAccount(name: string, { batches, companies, weight }: NewAccount): Promise<void> {
    const accountId = await createAccount(db, name);
    names.set(accountId, name);
    await createLedger(db).grant(accountId, [{ key: null, amountMicro: 1_000_000_000n, reason: 'a test' }]);
    if (weight !== undefined)
      await createAccountService(db).setLimits(name, { weight }, { actor: 'test', address: null });
    for (let n = 0; n < batches; n += 1)
      await loadFixtureBatch(database.app, accountId, {
        fileName: `${name}-${n}.csv`,
        companies: Array.from({ length: companies }, (_, i) => `${name}-${n}-${i}.com`),
        withOddRows: false,
      });
  }

  /** Lets one worker process this many chunks, and returns the accounts of the chunks in their order. */
  async function work(chunks: number): Promise<readonly string[]> {
    const claimed: string[] = [];
    let room: () => void = () => undefined;
    await step();
    const worker = createWorker(
      catalog.chunk.queue,
      async (job) => {
        if (claimed.length >= chunks) return new Promise<void>((resolve) => (room = resolve));
        const { chunkId, generation } = parseChunkJob(job.data);
        const claim = await createWorkStore(db).claim(chunkId, generation, 60_000);
        if (claim === null) return;
        claimed.push(names.get(claim.accountId) ?? '');
        const results = claim.lookups.map(({ lookupId }) => ({
          lookupId,
          source: 'upstream',
          answer: { kind: 'none', matchedBy: 'domain' } as const,
        }));
        await createOutcomeStore(db).commit(claim, results);
        await step();
      },
      connection,
      { concurrency: 1 },
    );
    worker.on('error', () => undefined);
    onTestFinished(() => worker.close(true));
    await vi.waitUntil(() => claimed.length >= chunks, { timeout: 60_000, interval: 20 });
    const closed = worker.close();
    room();
    await closed;
    return claimed;
  }
  return { addAccount, work, database };
}
