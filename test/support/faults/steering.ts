import { sql } from 'drizzle-orm';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { noBounds, type BatchBounds } from '../../../src/core/batches/batch.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { loadBatch } from '../../../src/producer/load/load-batch.ts';
import { streamOf } from '../csv/company-files.ts';
import { openTestDatabase, type TestDatabase } from '../db/database.ts';
import { found } from '../db/fixture.ts';

/** Opens stores on a database with credits in the account, and helpers that work on a batch step by step. */
export async function openBatchControls({ credits = 1000n }: { readonly credits?: bigint } = {}) {
  return batchControlsOver(await openTestDatabase(), credits);
}

/** Opens the same on an existing database. */
export async function batchControlsOver(database: TestDatabase, credits = 1000n) {
  const db = database.app.sql;
  const accountId = await findAccount(db, 'default');
  const [batches, control, dispatch] = [
    createBatchStore(database.app),
    createBatchControl(db),
    createDispatchStore(db),
  ];
  const [work, outcomes, ledger] = [createWorkStore(db), createOutcomeStore(db), createLedger(db)];
  await ledger.grant(accountId, [{ key: null, amountMicro: credits * 1_000_000n, reason: 'test' }]);

  /** Loads a batch of this many companies, one per row. */
  async function load(companies: number, bounds: BatchBounds = noBounds, name = 'company') {
    const rows = Array.from({ length: companies }, (_, i) => `${name}-${i + 1}.com`).join('\n');
    return loadBatch(batches, {
      accountId,
      open: () => streamOf(`domain\n${rows}\n`, 1000),
      reading: { fileName: 'list.csv' },
      sources: async () => ['upstream'],
      search: anySearch,
      bounds,
      again: false,
      onProgress: () => undefined,
    });
  }

  /** Queues chunks of `size`. Returns all queued chunks. */
  async function cut(size: number, chunksMax = 100) {
    await dispatch.cutChunks({ chunksMax, sizeOf: () => size });
    const unqueued = await dispatch.listUnqueued(1000);
    await dispatch.markQueued(unqueued);
    return unqueued;
  }

  async function claim(chunk: { chunkId: number; generation: number }, leaseMs = 60_000): Promise<Claim> {
    const claimed = await work.claim(chunk.chunkId, chunk.generation, leaseMs);
    if (claimed === null) throw new Error(`Chunk ${chunk.chunkId} cannot be claimed.`);
    return claimed;
  }

  /** Answers this many lookups of a claim, every second one with an ad. */
  async function answer(claimed: Claim, count: number = claimed.lookups.length): Promise<void> {
    const results = claimed.lookups.slice(0, count).map(({ lookupId }, i) => ({
      lookupId,
      source: 'upstream',
      answer: i % 2 === 0 ? found([`cr-${lookupId}`]) : ({ kind: 'none', matchedBy: 'domain' } as const),
    }));
    await outcomes.commit(claimed, results);
  }

  async function fail(claimed: Claim, reason: string): Promise<void> {
    const results = claimed.lookups.map(({ lookupId }) => ({
      lookupId,
      source: 'upstream',
      answer: { kind: 'failed' as const, reason },
    }));
    await outcomes.commit(claimed, results);
  }

  /** Broken invariants, by `verify`. */
  async function findings(): Promise<readonly string[]> {
    const reports = await createVerifyStore(db).check({});
    return reports.flatMap(({ number, broken }) => broken.map((finding) => `${number}: ${finding}`));
  }

  /** Failed lookups, with the reason of each. */
  async function failures(): Promise<readonly string[]> {
    const { rows } = await db.execute<{ failure: string }>(
      sql`SELECT concat_ws(' ', company_domain, reason) AS failure FROM nightshift.all_lookups WHERE outcome = 'failed' ORDER BY id`,
    );
    return rows.map(({ failure }) => failure);
  }

  const owner = database.owner.sql;
  return {
    accountId,
    batches,
    control,
    dispatch,
    work,
    outcomes,
    ledger,
    load,
    cut,
    claim,
    answer,
    fail,
    findings,
    failures,
    summary: (publicId: string) => batches.readSummary(accountId, publicId),
    balance: () => ledger.readBalance(accountId),
    /** Expires a lease, as if its worker no longer responded. */
    lapse: (claimed: Claim) =>
      owner.execute(
        sql`UPDATE nightshift.chunks SET lease_until = now() - interval '1 second' WHERE id = ${claimed.chunkId}`,
      ),
    drainFully: async (batchId: number) => {
      let left = await control.drain(batchId);
      while (left.kind === 'more') left = await control.drain(batchId);
      return left;
    },
  };
}
