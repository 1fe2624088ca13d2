import * as tables from '../../../db/schema/index.ts';
import { rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';
import { takeLookupIds } from '../../../db/stores/sql/lookup-ids.ts';
import {
  isFailed,
  momentOf,
  runs,
  runsWithoutScan,
  type HistoryTarget,
  type StoredScan,
} from './scan-runs.ts';

/** Stores the scan of every run, with its batch if there is one. */
export async function storeScans(service: HistoryTarget): Promise<readonly StoredScan[]> {
  const scans: StoredScan[] = [];
  for (let run = 0; run < runs; run += 1) scans.push(await storeScan(service, run));
  return scans;
}

async function storeScan(service: HistoryTarget, run: number): Promise<StoredScan> {
  const { db, accountId, scheduleId, texts } = service;
  const odd = runsWithoutScan.get(run);
  const batch = odd === undefined ? await storeBatch(service, run) : null;
  const [scan] = await db
    .insert(tables.scans)
    .values({
      publicId: `scn_${String(run).padStart(32, '0')}`,
      accountId,
      scheduleId,
      dueAt: momentOf(run),
      cause: 'tick',
      state: odd?.state ?? 'finished',
      reason: odd === undefined ? null : texts('reason', odd.reason),
      createdAt: momentOf(run),
      batchId: batch?.id ?? null,
      ...(batch === null
        ? {}
        : { begunAt: momentOf(run), finishedAt: momentOf(run, 4), evaluatedAt: momentOf(run, 5) }),
    })
    .returning({ id: tables.scans.id });
  return { id: scan?.id ?? 0n, run, batch: batch?.publicId ?? null, lookups: batch?.lookups ?? [] };
}

async function storeBatch({ db, accountId, texts, companies }: HistoryTarget, run: number) {
  const publicId = `bat_${String(run).padStart(32, '0')}`;
  const [batch] = await db
    .insert(tables.batches)
    .values({
      publicId,
      accountId,
      fileName: texts('file', 'competitors.csv'),
      state: 'finished',
      identity: Buffer.from(`the scan of night ${run}`),
      contentSha256: Buffer.from('competitors'),
      isCurrent: false,
      operations: ['ads_search'],
      header: ['company', 'website'],
      columnMap: {},
      sources: ['transparency'],
      rowsTotal: companies.length,
      lookupsTotal: companies.length,
      createdAt: momentOf(run),
      loadedAt: momentOf(run),
      finishedAt: momentOf(run, 4),
    })
    .returning({ id: tables.batches.id });
  const batchId = batch?.id ?? 0;
  const lookups = await storeLookups({ db, accountId, texts, companies }, batchId, run);
  return { id: batchId, publicId, lookups };
}

async function storeLookups(
  { db, accountId, texts, companies }: Omit<HistoryTarget, 'scheduleId'>,
  batchId: number,
  run: number,
): Promise<readonly bigint[]> {
  const { first } = await takeLookupIds(db);
  const ids = companies.map((_, i) => first + BigInt(i));
  const failed = companies.filter((_, i) => isFailed(run, i)).length;
  const found = companies.length - failed;
  await db.insert(tables.lookups).values(
    companies.map(({ key, domain, name }, i): typeof tables.lookups.$inferInsert => ({
      id: first + BigInt(i),
      accountId,
      batchId,
      operation: 'ads_search',
      subjectKey: key,
      companyDomain: domain,
      companyName: name,
      source: 'transparency',
      matchedBy: 'domain',
      endedAt: momentOf(run, 3),
      ...(isFailed(run, i)
        ? { outcome: 'failed', reason: texts('failure', 'source_unreadable') }
        : { outcome: 'found', adsCount: 1, chargedMicro: 200_000n }),
    })),
  );
  await db.insert(tables.rowBlocks).values(
    Array.from({ length: Math.ceil(ids.length / rowsPerBlock) }, (_, blockNo) => {
      const adsLookups = ids.slice(blockNo * rowsPerBlock, (blockNo + 1) * rowsPerBlock);
      const rows = adsLookups.length;
      const arrayCells = adsLookups.map(() => '{}');
      return { batchId, blockNo, rows, lines: [blockNo * rowsPerBlock + 2], arrayCells, adsLookups };
    }),
  );
  await db.insert(tables.chunks).values({
    accountId,
    batchId,
    firstLookupId: first,
    lastLookupId: first + BigInt(companies.length - 1),
    state: 'done',
    priceMicro: 200_000n,
    lookups: companies.length,
    found,
    failed,
    chargedMicro: 200_000n * BigInt(found),
  });
  return ids;
}
