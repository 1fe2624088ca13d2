import { expect, test } from 'vitest';
import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import { loadBatch } from '../../../src/producer/load/load-batch.ts';
import { streamOf } from '../../support/csv/company-files.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { openAccount } from '../../support/faults/shared-accounts.ts';

test('accounts and batches share the chunks that may wait for a source, and addresses do not count', async () => {
  const { load, cutAndDelay, delayed } = await openDelays();
  const [heavy, light, beside, addresses] = [
    await load('heavy'),
    await load('light'),
    await load('light'),
    await load('light', 'email'),
  ];
  for (let round = 0; round < 20; round += 1) await cutAndDelay({ searchChunksMax: () => 40 });
  // 40 chunks: 30 for the weight of 3, and a third of 10 for each batch of the other account.
  expect(await delayed([heavy, light, beside])).toEqual([30, 3, 3]);
  expect(await delayed([addresses])).toEqual([100]);
});

test('every batch has two chunks, however little its source allows', async () => {
  const { load, cutAndDelay, delayed } = await openDelays();
  const batches = [await load('heavy'), await load('light'), await load('light')];
  for (let round = 0; round < 5; round += 1) await cutAndDelay({ searchChunksMax: () => 1 });
  expect(await delayed(batches)).toEqual([2, 2, 2]);
  await cutAndDelay({});
  expect((await delayed(batches)).every((chunks) => chunks > 2)).toBe(true);
});

/** Two accounts with the weights 3 and 1, whose chunks have one lookup each and come back after an hour. */
async function openDelays() {
  const database = await openTestDatabase();
  const { app, owner } = database;
  const [batches, dispatch] = [createBatchStore(app), createDispatchStore(app.sql)];
  const accounts = new Map<string, number>();
  for (const name of ['heavy', 'light']) accounts.set(name, await openAccount(database, name));
  await createAccountService(app.sql).setLimits('heavy', { weight: 3 }, { actor: 'test', address: null });
  let loaded = 0;

  return {
    load: async (account: string, column: 'domain' | 'email' = 'domain'): Promise<number> => {
      const name = `list-${++loaded}`;
      const rows = Array.from({ length: 100 }, (_, n) =>
        column === 'domain' ? `${name}-${n}.com` : `someone@${name}-${n}.com`,
      );
      const { publicId } = await loadBatch(batches, {
        accountId: accounts.get(account) ?? 0,
        open: () => streamOf(`${column}\n${rows.join('\n')}\n`, 1000),
        reading: { fileName: `${name}.csv` },
        sources: async () => ['upstream'],
        search: anySearch,
        bounds: noBounds,
        again: false,
        onProgress: () => undefined,
      });
      const { rows: found } = await app.pool.query<{ id: string }>(
        'SELECT id FROM nightshift.batches WHERE public_id = $1',
        [publicId],
      );
      return Number(found[0]?.id);
    },
    cutAndDelay: async (bounds: { readonly searchChunksMax?: () => number }): Promise<void> => {
      await dispatch.cutChunks({ chunksMax: 24, sizeOf: () => 1, ...bounds });
      await owner.pool.query("UPDATE nightshift.chunks SET due_at = now() + interval '1 hour'");
    },
    /** Number of delayed chunks of each batch. */
    delayed: async (ids: readonly number[]): Promise<readonly number[]> => {
      const { rows } = await app.pool.query<{ chunks: number }>(
        `SELECT (SELECT count(*)::integer FROM nightshift.chunks c WHERE c.batch_id = b.id) AS chunks
          FROM unnest($1::bigint[]) WITH ORDINALITY AS b(id, n) ORDER BY n`,
        [ids],
      );
      return rows.map(({ chunks }) => chunks);
    },
  };
}
