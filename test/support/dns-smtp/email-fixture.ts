import { createHash } from 'node:crypto';
import type { Database } from '../../../db/connection/client.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import type { NewLookup, NewRow } from '../../../src/core/batches/batch-store.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { parseEmailQuery } from '../../../src/core/emails/syntax/email-query.ts';
import { createEmailValidator } from '../../../src/core/validation/validate-email.ts';
import { shippedLists } from './shipped-lists.ts';

/** A finished batch of addresses: one is malformed and charged, one is unknown and free. */
export interface EmailFixture {
  readonly publicId: string;
  readonly charged: bigint;
  readonly free: bigint;
}

const addresses = ['not an address', 'jane@acme.com'];

/** Builds the fixture on a fresh database with the real stores. */
export async function buildEmailFixture(database: Database): Promise<EmailFixture> {
  const db = database.sql;
  const accountId = await findAccount(db, 'default');
  await createLedger(db).grant(accountId, [
    { key: 'opening', amountMicro: 1_000_000n, reason: 'opening grant' },
  ]);
  await database.pool.query(
    `INSERT INTO nightshift.prices (operation, amount_micro, note) VALUES ('email_validation', 10000, 'test')`,
  );
  const { publicId, lookupIds } = await loadAddresses(database, accountId);
  const dispatch = createDispatchStore(db);
  await dispatch.cutChunks({ chunksMax: 10, sizeOf: () => 10 });
  for (const { chunkId, generation } of await dispatch.listUnqueued(10))
    await validateChunk(database, chunkId, generation);
  await dispatch.finishBatches();
  const [charged = 0n, free = 0n] = lookupIds;
  return { publicId, charged, free };
}

async function loadAddresses(database: Database, accountId: number) {
  const batches = createBatchStore(database);
  const sha256 = createHash('sha256').update('addresses').digest();
  const batch = {
    accountId,
    fileName: 'addresses.csv',
    sheet: null,
    contentSha256: sha256,
    identity: sha256,
    operations: ['email_validation'] as const,
    header: ['email'],
    columnMap: { email: 0 },
    sources: [],
    search: anySearch,
  };
  return batches.withBatch(batch, { again: false }, async (opened) => {
    const { first } = await batches.takeLookupIds();
    const lookupIds = addresses.map((_, i) => first + BigInt(i));
    const lookups = addresses.map((email, i): NewLookup => ({
      lookupId: first + BigInt(i),
      operation: 'email_validation',
      address: parseEmailQuery(email),
    }));
    const rows = addresses.map((email, i): NewRow => ({
      rowNo: i + 1,
      lineNo: i + 2,
      cells: [email],
      ads: null,
      email: { lookupId: Number(first) + i, isFirst: true },
      rejectReason: null,
      warning: null,
    }));
    await batches.appendRows(opened, {
      lookups,
      rows: [batches.packRows(opened, rows)],
      after: Promise.resolve(),
    });
    await batches.finishLoading(opened, {
      rowsTotal: rows.length,
      rowsRejected: 0,
      extraCells: 0,
      staysJoinable: true,
      lookupsTotal: lookups.length,
      emailLookupsTotal: lookups.length,
      lastLookupId: lookupIds.at(-1) ?? 0n,
    });
    return { publicId: opened.publicId, lookupIds };
  });
}

async function validateChunk(database: Database, chunkId: number, generation: number): Promise<void> {
  const claim = await createWorkStore(database.sql).claim(chunkId, generation, 86_400_000);
  if (claim?.operation !== 'email_validation') throw new Error('No chunk of addresses was claimed.');
  const unavailable = () => Promise.reject(new Error('network lookup not available for a syntax check'));
  const validator = createEmailValidator({
    optOuts: { has: unavailable },
    lists: shippedLists,
    domains: { find: unavailable },
    mailboxes: null,
    now: () => new Date(),
  });
  await createOutcomeStore(database.sql).commit(
    claim,
    claim.lookups.map(({ lookupId, email }) => ({
      lookupId,
      source: null,
      answer: { kind: 'completed', verdict: validator.evaluateText(email ?? '') },
    })),
  );
}
