import type { Database } from '../../../db/connection/client.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { loadFixtureBatch, takeChunk, type FixtureBatch } from '../db/fixture.ts';

/** A batch of these domains whose chunks are claimed, each by its own worker. */
export interface ClaimedWork {
  readonly accountId: number;
  readonly batch: FixtureBatch;
  readonly claims: readonly Claim[];
}

/** Loads a batch, cuts it and claims its chunks; `chunkSize` lookups in each. Default: all in one chunk. */
export async function claimWork(
  database: Database,
  companies: readonly string[],
  { chunkSize = companies.length, leaseMs = 86_400_000, fileName = 'list.csv' } = {},
): Promise<ClaimedWork> {
  const accountId = await findAccount(database.sql, 'default');
  await createLedger(database.sql).grant(accountId, [
    { key: 'opening', amountMicro: 100_000_000n, reason: 'opening grant' },
  ]);
  const batch = await loadFixtureBatch(database, accountId, { fileName, companies, withOddRows: false });
  const dispatch = createDispatchStore(database.sql);
  await dispatch.cutChunks({ chunksMax: 100, sizeOf: () => chunkSize });
  const claims: Claim[] = [];
  for (const { chunkId, generation } of await dispatch.listUnqueued(100)) {
    claims.push(await takeChunk(database, chunkId, generation, leaseMs));
  }
  return { accountId, batch, claims };
}
