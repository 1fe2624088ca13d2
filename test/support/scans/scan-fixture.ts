import { Readable } from 'node:stream';
import type { Database } from '../../../db/connection/client.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createScanStore } from '../../../db/stores/schedules/scans.ts';
import { createScheduleStore } from '../../../db/stores/schedules/schedules.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import type { ScanToBegin } from '../../../src/core/schedules/schedule-store.ts';
import { loadBatch } from '../../../src/producer/load/load-batch.ts';
import { plainTerms } from './test-scans.ts';
import { answerAll, found, takeChunk } from '../db/fixture.ts';

/** A schedule from the real stores, with a finished and a running manual scan. */
export interface ScanFixture {
  readonly schedule: string;
  readonly finished: string;
  readonly running: string;
  readonly finishedBatch: string;
  readonly runningBatch: string;
}

const content = Buffer.from('domain\nacme.com\nglobex.com\n');

/** Builds the fixture on a fresh database. */
export async function buildScanFixture(database: Database): Promise<ScanFixture> {
  const db = database.sql;
  const accountId = await findAccount(db, 'default');
  await createLedger(db).grant(accountId, [{ key: 'opening', amountMicro: 9_000_000n, reason: 'opening' }]);
  const file = { fileName: 'rivals.csv', content, options: {}, companies: 2 };
  const { publicId: schedule } = await createScheduleStore(db).add(accountId, plainTerms, file);
  const finished = await beginByHand(database, accountId, schedule);
  await answerRunning(database);
  const running = await beginByHand(database, accountId, schedule);
  return {
    schedule,
    finished: finished.scan,
    running: running.scan,
    finishedBatch: finished.batch,
    runningBatch: running.batch,
  };
}

async function beginByHand(database: Database, accountId: number, schedule: string) {
  const scans = createScanStore(database.sql);
  await createScheduleStore(database.sql).run(accountId, schedule);
  const scan = await scans.prepare((await scans.takeWaiting(schedule, 60_000)) ?? 0n);
  if (scan === null) throw new Error('The scan is not to begin.');
  return { scan: scan.publicId, batch: await loadScan(database, scan) };
}

async function loadScan(database: Database, scan: ScanToBegin): Promise<string> {
  const { publicId } = await loadBatch(createBatchStore(database), {
    accountId: scan.accountId,
    open: () => Readable.from([scan.content]),
    reading: { ...scan.fileOptions, fileName: scan.fileName },
    sources: () => Promise.resolve(scan.sources),
    search: scan.search,
    bounds: noBounds,
    joinedBy: scan.publicId,
    scanId: scan.scanId,
    again: false,
    onProgress: () => undefined,
  });
  return publicId;
}

async function answerRunning(database: Database): Promise<void> {
  const dispatch = createDispatchStore(database.sql);
  await dispatch.cutChunks({ chunksMax: 10, sizeOf: () => 10 });
  for (const { chunkId, generation } of await dispatch.listUnqueued(10)) {
    const claim = await takeChunk(database, chunkId, generation);
    await answerAll(database, claim, (lookupId) => found([`cr-${lookupId}`]));
  }
  await dispatch.finishBatches();
  await createScanStore(database.sql).settle();
}
