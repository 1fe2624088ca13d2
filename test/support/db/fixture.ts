import { createHash } from 'node:crypto';
import { anySearch, type AdsAnswer } from '../../../src/core/ads/ads-answer.ts';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { NewLookup, NewRow } from '../../../src/core/batches/batch-store.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { AdsClaim, Claim } from '../../../src/core/work/claim.ts';
import type { QueuedChunk } from '../../../src/core/work/work-store.ts';
import type { Database } from '../../../db/connection/client.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { createRequestStore } from '../../../db/stores/work/requests.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import { begunId, callEnd, calledSource, newCall, openSourceCallLog } from '../stand-in/call-logs.ts';

/** A batch of the fixture, with its lookups in row order. */
export interface FixtureBatch {
  readonly batchId: number;
  readonly publicId: string;
  readonly lookupIds: readonly bigint[];
}

/** A small data set with every kind of record, written by the real stores. */
export interface Fixture {
  readonly accountId: number;
  /**
   * Finished: seven rows; one is rejected and one is a duplicate of the first. Its five lookups ended as found with two ads,
   * found with one, none, no_match and failed, in chunks of two.
   */
  readonly finished: FixtureBatch;
  /**
   * Running: six rows, six lookups. The first chunk of three was found in part (its first lookup) and split; lookup 2 is claimed,
   * 3 queued. The second chunk, 4 and 5, is queued. Lookup 6 is not dispatched.
   */
  readonly running: FixtureBatch;
  /** A single search that found one ad. */
  readonly request: { readonly lookupId: bigint };
}

/** No lease expires while tests use the fixture. */
const leaseMs = 86_400_000;
/** Lease that has already expired, for work of a dead worker. */
const lapsed = -1000;

/** Builds the fixture on a fresh database, with about fifty statements. */
export async function buildFixture(database: Database): Promise<Fixture> {
  const db = database.sql;
  const accountId = await findAccount(db, 'default');
  await createLedger(db).grant(accountId, [
    { key: 'opening', amountMicro: 10_000_000n, reason: 'opening grant' },
    { key: null, amountMicro: 500_000n, reason: 'a present' },
  ]);
  const finished = await buildFinishedBatch(database, accountId);
  const running = await buildRunningBatch(database, accountId);
  const request = await buildRequest(database, accountId);
  return { accountId, finished, running, request };
}

async function buildFinishedBatch(database: Database, accountId: number): Promise<FixtureBatch> {
  const companies = ['acme.com', 'globex.com', 'initech.com', 'hooli.com', 'umbrella.com'];
  const batch = await loadFixtureBatch(database, accountId, {
    fileName: 'finished.csv',
    companies,
    withOddRows: true,
  });
  const answers = [
    found(['cr-1', 'cr-2']),
    found(['cr-3']),
    { kind: 'none', matchedBy: 'domain' },
    { kind: 'no_match' },
    { kind: 'failed', reason: 'source_unreadable' },
  ] satisfies readonly LookupResult['answer'][];
  const answerOf = new Map(batch.lookupIds.map((lookupId, i) => [lookupId, answers[i] ?? found(['cr-9'])]));
  const dispatch = createDispatchStore(database.sql);
  await dispatch.cutChunks({ chunksMax: 10, sizeOf: () => 2 });
  for (const { chunkId, generation } of await dispatch.listUnqueued(10)) {
    const claim = await takeChunk(database, chunkId, generation);
    await answerAll(database, claim, (lookupId) => answerOf.get(lookupId));
  }
  await dispatch.finishBatches();
  return batch;
}

async function buildRunningBatch(database: Database, accountId: number): Promise<FixtureBatch> {
  const companies = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com'];
  const batch = await loadFixtureBatch(database, accountId, {
    fileName: 'running.csv',
    companies,
    withOddRows: false,
  });
  const dispatch = createDispatchStore(database.sql);
  await dispatch.cutChunks({ chunksMax: 1, sizeOf: () => 3 });
  await dispatch.cutChunks({ chunksMax: 1, sizeOf: () => 2 });
  const [first, second] = await dispatch.listUnqueued(10);
  if (first === undefined || second === undefined) throw new Error('The running batch was not cut.');
  const claim = await takeChunk(database, first.chunkId, first.generation, lapsed);
  await answerAll(database, claim, (lookupId) =>
    lookupId === batch.lookupIds[0] ? found(['cr-1']) : undefined,
  );
  for (const chunk of await dispatch.listLapsed(10)) await dispatch.split(chunk);
  const alone = (await dispatch.listUnqueued(10)).find(({ chunkId }) => chunkId > second.chunkId);
  if (alone === undefined) throw new Error('The lapsed chunk was not split.');
  await takeChunk(database, alone.chunkId, alone.generation);
  return batch;
}

async function buildRequest(database: Database, accountId: number) {
  const company = { key: 'd:single.com', domain: 'single.com', name: 'Single' };
  const asked = { accountId, company, sources: ['upstream'], search: anySearch };
  const request = { ...asked, via: [], requestId: 'req_1' };
  const claim = await createRequestStore(database.sql).open(request, leaseMs);
  await answerAll(database, claim, () => found(['cr-4']));
  const [lookup] = claim.lookups;
  if (lookup === undefined) throw new Error('The request has no lookup.');
  return { lookupId: lookup.lookupId };
}

export interface FixtureList {
  readonly fileName: string;
  /** Domains, with one row and one lookup each. */
  readonly companies: readonly string[];
  /** Adds a duplicate of the first row and a rejected row with one cell too many. */
  readonly withOddRows: boolean;
}

/** Upload of the fixture's file: the same file again, under the same name. */
export function fixtureFile(accountId: number, fileName: string) {
  const sha256 = createHash('sha256').update(fileName).digest();
  return {
    accountId,
    fileName,
    sheet: null,
    contentSha256: sha256,
    identity: sha256,
    operations: ['ads_search'] as const,
    header: ['company', 'domain'],
    columnMap: { company_name: 0, company_domain: 1 },
    sources: ['upstream'],
    search: anySearch,
  };
}

/** Loads a batch like the producer, and leaves it running. */
export async function loadFixtureBatch(
  database: Database,
  accountId: number,
  { fileName, companies, withOddRows }: FixtureList,
): Promise<FixtureBatch> {
  const batches = createBatchStore(database);
  const batch = fixtureFile(accountId, fileName);
  return batches.withBatch(batch, { again: false }, async (opened) => {
    const { first } = await batches.takeLookupIds();
    const lookups = companies.map((domain, i): NewLookup => ({
      lookupId: first + BigInt(i),
      operation: 'ads_search',
      company: { key: `d:${domain}`, domain, name: null },
    }));
    const rows = companies.map((domain, i): NewRow => rowOf(i + 1, first + BigInt(i), domain, true));
    if (withOddRows)
      rows.push(rowOf(rows.length + 1, first, companies[0] ?? '', false), rejectedRow(rows.length + 2));
    await batches.appendRows(opened, {
      lookups,
      rows: [batches.packRows(opened, rows)],
      after: Promise.resolve(),
    });
    await batches.finishLoading(opened, {
      rowsTotal: rows.length,
      rowsRejected: withOddRows ? 1 : 0,
      extraCells: withOddRows ? 1 : 0,
      staysJoinable: true,
      lookupsTotal: lookups.length,
      emailLookupsTotal: 0,
      lastLookupId: lookups.at(-1)?.lookupId ?? 0n,
    });
    const { batchId, publicId } = opened;
    return { batchId, publicId, lookupIds: lookups.map(({ lookupId }) => lookupId) };
  });
}

function rowOf(rowNo: number, lookupId: bigint, domain: string, isFirst: boolean): NewRow {
  const cells = [`Company ${rowNo}`, domain];
  const ads = { lookupId: Number(lookupId), isFirst };
  return { rowNo, lineNo: rowNo + 1, cells, ads, email: null, rejectReason: null, warning: null };
}

function rejectedRow(rowNo: number): NewRow {
  const rejectReason = 'too many fields: 3 fields instead of 2';
  const cells = ['Odd', 'odd.com', 'more'];
  return { rowNo, lineNo: rowNo + 1, cells, ads: null, email: null, rejectReason, warning: null };
}

/** Loads a batch of two companies, and cuts its lookups into a chunk. */
export async function cutOneChunk(database: Database): Promise<readonly QueuedChunk[]> {
  const accountId = await findAccount(database.sql, 'default');
  await createLedger(database.sql).grant(accountId, [
    { key: null, amountMicro: 1_000_000n, reason: 'a test' },
  ]);
  const companies = ['a.com', 'b.com'];
  await loadFixtureBatch(database, accountId, { fileName: 'list.csv', companies, withOddRows: false });
  const dispatch = createDispatchStore(database.sql);
  await dispatch.cutChunks({ chunksMax: 1, sizeOf: () => 2 });
  return dispatch.listUnqueued(10);
}

/** An answer with one ad per creative id; the first ad has two variants. */
export function found(creativeIds: readonly string[]): AdsAnswer {
  return { kind: 'found', ads: creativeIds.map(adOf), matchedBy: 'domain' };
}

function adOf(creativeId: string): Ad {
  const variants = [
    { content: `<p>${creativeId}</p>`, height: 250, width: 300 },
    { content: '<img>', height: null, width: null },
  ];
  return {
    advertiserId: 'google:AR-1',
    creativeId: `google:${creativeId}`,
    advertiserName: 'Acme Inc.',
    format: 'Image',
    originalUrl: null,
    variants: variants.slice(0, creativeId === 'cr-1' ? 2 : 1),
    start: '2026-01-01',
    lastSeen: '2026-11-01',
    text: { headline: 'Buy', description: null, displayUrl: null, finalUrl: null, adType: null },
  };
}

/** Claims a chunk of companies like a worker. */
export async function takeChunk(
  database: Database,
  chunkId: number,
  generation: number,
  ms = leaseMs,
): Promise<AdsClaim> {
  return adsClaim(await createWorkStore(database.sql).claim(chunkId, generation, ms));
}

/** Asserts that the claim is one of companies. */
function adsClaim(claim: Claim | null): AdsClaim {
  if (claim?.operation !== 'ads_search') throw new Error('No chunk of companies was claimed.');
  return claim;
}

/** Records a call for each lookup with an answer, and commits the answers. The other lookups stay open. */
export async function answerAll(
  database: Database,
  claim: AdsClaim,
  answerOf: (lookupId: bigint) => LookupResult['answer'] | undefined,
): Promise<void> {
  const calls = openSourceCallLog({ app: database });
  const source = calledSource('upstream');
  const results: LookupResult[] = [];
  for (const { lookupId, requestKey } of claim.lookups) {
    const answer = answerOf(lookupId);
    if (answer === undefined) continue;
    const callId = begunId(await calls.begin(source, newCall(lookupId, { requestKey })));
    const reported = answer.kind === 'failed' ? answer.reason : answer.kind;
    await calls.end(source, callId, callEnd({ answer: reported, health: null }));
    results.push({ lookupId, source: 'upstream', answer });
  }
  await createOutcomeStore(database.sql).commit(claim, results);
}
