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
  const both = await load('other', 'domain,email');
  for (let round = 0; round < 20; round += 1) await cutAndDelay({ searchChunksMax: () => 40 });
  // A fifth of 40 for each weight, shared by the batches with companies. The 100 addresses of a batch have chunks of their own.
  expect(await delayed([heavy, light, beside, both])).toEqual([24, 4, 4, 108]);
  expect(await delayed([addresses])).toEqual([100]);
});

test('batches at other sources, and chunks that have lost their turns, leave the bound as it is', async () => {
  const { load, cutAndDelay, delayed, loseTurns } = await openDelays();
  const batch = await load('light');
  await load('heavy', 'domain', 'dataforseo');
  for (let round = 0; round < 4; round += 1) {
    await cutAndDelay({ searchChunksMax: () => 4 });
    await loseTurns();
  }
  expect(await delayed([batch])).toEqual([4]);
});

test('every batch has two chunks, however little its source allows', async () => {
  const { load, cutAndDelay, delayed } = await openDelays();
  const batches = [await load('heavy'), await load('light'), await load('light')];
  for (let round = 0; round < 5; round += 1) await cutAndDelay({ searchChunksMax: () => 1 });
  expect(await delayed(batches)).toEqual([2, 2, 2]);
  await cutAndDelay({});
  expect((await delayed(batches)).every((chunks) => chunks > 2)).toBe(true);
});

/** An account with the weight 3 and two others, whose chunks have one lookup each and come back after an hour. */
async function openDelays() {
  const database = await openTestDatabase();
  const { app, owner } = database;
  const [batches, dispatch] = [createBatchStore(app), createDispatchStore(app.sql)];
  const accounts = new Map<string, number>();
  for (const name of ['heavy', 'light', 'other']) accounts.set(name, await openAccount(database, name));
  await createAccountService(app.sql).setLimits('heavy', { weight: 3 }, { actor: 'test', address: null });
  let loaded = 0;

  return {
    load: async (
      account: string,
      columns: 'domain' | 'email' | 'domain,email' = 'domain',
      source = 'upstream',
    ): Promise<number> => {
      const name = `list-${++loaded}`;
      const rows = Array.from({ length: 100 }, (_, n) =>
        columns
          .split(',')
          .map((column) => (column === 'domain' ? `${name}-${n}.com` : `someone@${name}-${n}.com`))
          .join(','),
      );
      const { publicId } = await loadBatch(batches, {
        accountId: accounts.get(account) ?? 0,
        open: () => streamOf(`${columns}\n${rows.join('\n')}\n`, 1000),
        reading: { fileName: `${name}.csv` },
        sources: async () => [source],
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
    loseTurns: async (): Promise<void> => {
      await owner.pool.query('UPDATE nightshift.chunks SET position = -1');
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
