import { describe, expect, test } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createErasure } from '../../../db/stores/purge/erase-address.ts';
import { createLedgerList } from '../../../db/stores/credits/ledger-list.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import type { LedgerLine } from '../../../src/core/credits/ledger-list.ts';
import { parseAddress } from '../../../src/core/emails/syntax/address.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { buildEmailFixture } from '../../support/dns-smtp/email-fixture.ts';
import {
  answerAll,
  found,
  loadFixtureBatch,
  takeChunk,
  type FixtureBatch,
} from '../../support/db/fixture.ts';

const answers: Readonly<Record<string, LookupResult['answer']>> = {
  'acme.com': found(['a']),
  'globex.com': { kind: 'none', matchedBy: 'domain' },
  'initech.com': { kind: 'no_match' },
  'hooli.com': { kind: 'failed', reason: 'source_unavailable' },
};

describe('ledger entry', () => {
  test('that ends a lookup has the company, and the outcome for which it was free', async () => {
    const database = await openDatabase();
    const batch = await load(database);
    await answer(database);
    const lines = await list(database);
    const ends = lines.filter(({ outcome }) => outcome !== null);
    expect(ends.map(({ kind, companyDomain, outcome }) => [kind, companyDomain, outcome]).sort()).toEqual([
      ['release', 'globex.com', 'none'],
      ['release', 'hooli.com', 'failed'],
      ['release', 'initech.com', 'no_match'],
      ['settle', 'acme.com', 'found'],
    ]);
    for (const line of lines.filter(({ kind }) => kind !== 'grant')) {
      expect(line).toMatchObject({ operation: 'ads_search', batch: batch.publicId, email: null });
    }
    expect(lines.filter(({ kind }) => kind === 'reserve' || kind === 'grant').every(isOpen)).toBe(true);
  });

  test('that releases a hold for a pause has no later outcome', async () => {
    const database = await openDatabase();
    const batch = await load(database);
    const control = createBatchControl(database.app.sql);
    await createDispatchStore(database.app.sql).cutChunks({ chunksMax: 5, sizeOf: () => 10 });
    await control.pause(1, batch.publicId);
    while ((await control.drain(batch.batchId)).kind === 'more');
    expect((await list(database)).every(isOpen)).toBe(true);
    await control.resume(1, batch.publicId, {});
    await answer(database);
    const ofAcme = (await list(database)).filter(({ companyDomain }) => companyDomain === 'acme.com');
    expect(ofAcme.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['settle', 'found'],
      ['reserve', null],
      ['release', null],
      ['reserve', null],
    ]);
  });

  test('that releases a hold for a cancelled batch has the outcome cancelled', async () => {
    const database = await openDatabase();
    const batch = await load(database);
    const control = createBatchControl(database.app.sql);
    await createDispatchStore(database.app.sql).cutChunks({ chunksMax: 5, sizeOf: () => 10 });
    await control.cancel(1, batch.publicId);
    while ((await control.drain(batch.batchId)).kind === 'more');
    const [newest] = await list(database);
    expect(newest).toMatchObject({ kind: 'release', outcome: 'cancelled' });
  });

  test('of a validation has the verdict, and the address until its erasure', async () => {
    const database = await openTestDatabase();
    await buildEmailFixture(database.app);
    const verdicts = async () =>
      (await list(database))
        .filter(({ outcome }) => outcome !== null)
        .map(({ kind, email, emailStatus }) => [kind, email, emailStatus])
        .sort();
    expect(await verdicts()).toEqual([
      ['release', 'jane@acme.com', 'unknown'],
      ['settle', 'not an address', 'invalid'],
    ]);
    const parsed = parseAddress('jane@acme.com');
    if (parsed.kind !== 'address') throw new Error('It is an address.');
    await createErasure(database.app.sql).erase(parsed.address);
    expect(await verdicts()).toEqual([
      ['release', null, 'unknown'],
      ['settle', 'not an address', 'invalid'],
    ]);
  });

  test('of a purged lookup keeps its batch, and its outcome if it was charged', async () => {
    const database = await openDatabase();
    await load(database);
    await answer(database);
    const before = await list(database);
    await ageRecord(database, 40);
    const orders = [{ kind: 'batches', ageMs: 30 * 86_400_000 }] as const;
    await purge(createPurgeStore(database.app.sql), { orders });
    expect(await list(database)).toEqual(
      before.map((line) => ({
        ...line,
        companyDomain: null,
        companyName: null,
        outcome: line.kind === 'settle' ? line.outcome : null,
      })),
    );
  });
});

function isOpen({ outcome, emailStatus }: LedgerLine): boolean {
  return outcome === null && emailStatus === null;
}

async function openDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  const grant = { key: null, amountMicro: 10_000_000n, reason: 'test' };
  await createLedger(database.app.sql).grant(1, [grant]);
  return database;
}

function load({ app }: TestDatabase): Promise<FixtureBatch> {
  return loadFixtureBatch(app, 1, {
    fileName: 'list.csv',
    companies: Object.keys(answers),
    withOddRows: false,
  });
}

async function answer({ app }: TestDatabase): Promise<void> {
  const dispatch = createDispatchStore(app.sql);
  await dispatch.cutChunks({ chunksMax: 10, sizeOf: () => 10 });
  for (const { chunkId, generation } of await dispatch.listUnqueued(10)) {
    const claim = await takeChunk(app, chunkId, generation);
    const domainOf = new Map(claim.lookups.map(({ lookupId, company }) => [lookupId, company.domain ?? '']));
    await answerAll(app, claim, (lookupId) => answers[domainOf.get(lookupId) ?? '']);
  }
  await dispatch.finishBatches();
}

function list({ app }: TestDatabase): Promise<readonly LedgerLine[]> {
  return createLedgerList(app.sql).list(1, { limit: 100, before: null });
}
