import * as tables from '../../../db/schema/index.ts';
import { takeLookupIds } from '../../../db/stores/sql/lookup-ids.ts';
import { isFailed, momentOf, nights, oddNights, type Desk, type StoredScan } from './scan-runs.ts';

/** Stores the scan of every night, with its batch where it made one. */
export async function storeScans(desk: Desk): Promise<readonly StoredScan[]> {
  const scans: StoredScan[] = [];
  for (let night = 0; night < nights; night += 1) scans.push(await storeScan(desk, night));
  return scans;
}

async function storeScan(desk: Desk, night: number): Promise<StoredScan> {
  const { db, accountId, scheduleId, texts } = desk;
  const odd = oddNights.get(night);
  const batch = odd === undefined ? await storeBatch(desk, night) : null;
  const [scan] = await db
    .insert(tables.scans)
    .values({
      publicId: `scn_${String(night).padStart(32, '0')}`,
      accountId,
      scheduleId,
      dueAt: momentOf(night),
      cause: 'tick',
      state: odd?.state ?? 'finished',
      reason: odd === undefined ? null : texts('reason', odd.reason),
      createdAt: momentOf(night),
      batchId: batch?.id ?? null,
      ...(batch === null
        ? {}
        : { begunAt: momentOf(night), finishedAt: momentOf(night, 4), evaluatedAt: momentOf(night, 5) }),
    })
    .returning({ id: tables.scans.id });
  return { id: scan?.id ?? 0n, night, batch: batch?.publicId ?? null, lookups: batch?.lookups ?? [] };
}

async function storeBatch({ db, accountId, texts, companies }: Desk, night: number) {
  const publicId = `bat_${String(night).padStart(32, '0')}`;
  const [batch] = await db
    .insert(tables.batches)
    .values({
      publicId,
      accountId,
      fileName: texts('file', 'competitors.csv'),
      state: 'finished',
      identity: Buffer.from(`the scan of night ${night}`),
      contentSha256: Buffer.from('competitors'),
      isCurrent: false,
      operations: ['ads_search'],
      header: ['company', 'website'],
      columnMap: {},
      sources: ['transparency'],
      rowsTotal: companies.length,
      lookupsTotal: companies.length,
      createdAt: momentOf(night),
      loadedAt: momentOf(night),
      finishedAt: momentOf(night, 4),
    })
    .returning({ id: tables.batches.id });
  const batchId = batch?.id ?? 0;
  const lookups = await storeLookups({ db, accountId, texts, companies }, batchId, night);
  return { id: batchId, publicId, lookups };
}

async function storeLookups(
  { db, accountId, texts, companies }: Omit<Desk, 'scheduleId'>,
  batchId: number,
  night: number,
): Promise<readonly bigint[]> {
  const { first } = await takeLookupIds(db);
  const ids = companies.map((_, i) => first + BigInt(i));
  const failed = companies.filter((_, i) => isFailed(night, i)).length;
  const found = companies.length - failed;
  await db.insert(tables.lookups).values(
    companies.map(({ key, domain, name }, i) => ({
      id: first + BigInt(i),
      accountId,
      batchId,
      operation: 'ads_search',
      subjectKey: key,
      companyDomain: domain,
      companyName: name,
      source: 'transparency',
      matchedBy: 'domain',
      endedAt: momentOf(night, 3),
      ...(isFailed(night, i)
        ? { outcome: 'failed', reason: texts('failure', 'source_unreadable') }
        : { outcome: 'found', adsCount: 1, chargedMicro: 200_000n }),
    })),
  );
  const row = { batchId, cells: [], isFirst: true };
  await db
    .insert(tables.batchRows)
    .values(ids.map((id, i) => ({ ...row, rowNo: i + 1, lineNo: i + 2, adsLookupId: id })));
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
