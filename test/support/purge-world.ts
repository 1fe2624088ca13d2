import { createHash } from 'node:crypto';
import { createAccountStore } from '../../db/stores/accounts.ts';
import { createBatchControl } from '../../db/stores/batch-control.ts';
import { createBatchStore } from '../../db/stores/batches.ts';
import { createDispatchStore } from '../../db/stores/dispatch.ts';
import { createLedger } from '../../db/stores/ledger.ts';
import { keepReplies, pack } from '../../db/stores/raw-replies.ts';
import { createVerifyStore } from '../../db/verify/verify-store.ts';
import { anySearch } from '../../src/core/ads/ad-source.ts';
import type { OpenedBatch } from '../../src/core/batch/batch-store.ts';
import type { LookupResult } from '../../src/core/outcomes.ts';
import { ageRecord } from './age-record.ts';
import type { TestDatabase } from './database.ts';
import { buildEmailWorld, type EmailWorld } from './email-world.ts';
import {
  answerAll,
  buildWorld,
  found,
  loadWorldBatch,
  takeChunk,
  type World,
  type WorldBatch,
} from './world.ts';

/** A record with some of every kind, of two accounts, all of it 40 days old. */
export interface PurgeWorld {
  readonly world: World;
  readonly emails: EmailWorld;
  /** Finished, of another account; its companies saw the ads `cr-1` and `cr-5`. */
  readonly others: WorldBatch & { readonly accountId: number };
  /** Of a schedule that lives: the older of two scans, and the last. */
  readonly scans: { readonly scheduleId: number; readonly older: WorldBatch; readonly last: WorldBatch };
}

export async function buildPurgeWorld(database: TestDatabase): Promise<PurgeWorld> {
  const { app } = database;
  const emails = await buildEmailWorld(app);
  await createLedger(app.sql).grant(1, [{ key: null, amountMicro: 20_000_000n, reason: 'test' }]);
  const world = await buildWorld(app);
  await retryFinished(database, world);
  const accountId = await createAccountStore(app.sql).create('others');
  await createLedger(app.sql).grant(accountId, [{ key: null, amountMicro: 1_000_000n, reason: 'test' }]);
  const others = await finishList(database, accountId, 'others.csv', ['cr-1', 'cr-5']);
  const scans = await buildScans(database, world.accountId);
  await keepReplies(app.sql, [await pack('a reply'), await pack('another')]);
  await insertNotices(database);
  await ageRecord(database, 40);
  return { world, emails, others: { ...others, accountId }, scans };
}

/** The failed company of the finished batch fails once more: two generations of one lookup. */
async function retryFinished({ app }: TestDatabase, { accountId, finished }: World): Promise<void> {
  await createBatchControl(app.sql).retry(accountId, finished.publicId, 'certain');
  await answerOpen(app, { kind: 'failed', reason: 'source_unreadable' }, finished.batchId);
}

/** Loads a list of three companies; the first sees the ads, the others none. */
export async function finishList(
  { app }: TestDatabase,
  accountId: number,
  fileName: string,
  creativeIds: readonly string[],
): Promise<WorldBatch> {
  const stem = fileName.replace('.csv', '');
  const companies = [`${stem}-1.com`, `${stem}-2.com`, `${stem}-3.com`];
  const batch = await loadWorldBatch(app, accountId, { fileName, companies, withOddRows: false });
  const [first] = batch.lookupIds;
  await answerOpen(app, { kind: 'none', matchedBy: 'domain' }, batch.batchId, (lookupId) =>
    lookupId === first ? found(creativeIds) : undefined,
  );
  return batch;
}

async function answerOpen(
  app: TestDatabase['app'],
  answer: LookupResult['answer'],
  batchId: number,
  answerOf: (lookupId: bigint) => LookupResult['answer'] | undefined = () => undefined,
): Promise<void> {
  const dispatch = createDispatchStore(app.sql);
  await dispatch.cutChunks({ chunksMax: 50, sizeOf: () => 2 });
  for (const { chunkId, generation } of await dispatch.listUnqueued(50)) {
    const own = await app.pool.query<{ batch_id: string }>(
      'SELECT batch_id FROM nightshift.chunks WHERE id = $1',
      [chunkId],
    );
    if (Number(own.rows[0]?.batch_id) !== batchId) continue;
    const claim = await takeChunk(app, chunkId, generation);
    await answerAll(app, claim, (lookupId) => answerOf(lookupId) ?? answer);
  }
  await dispatch.finishBatches();
}

/** A schedule with two evaluated scans, as the dispatcher leaves them; the second is the last that said something. */
async function buildScans(database: TestDatabase, accountId: number): Promise<PurgeWorld['scans']> {
  const older = await finishList(database, accountId, 'scan-older.csv', ['cr-6', 'cr-7']);
  const last = await finishList(database, accountId, 'scan-last.csv', ['cr-6']);
  const { pool } = database.owner;
  const schedule = await pool.query<{ id: string }>(
    `INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, list, reading, companies, sources, next_at)
      VALUES ('sch_1', $1, 'rivals', '0 2 * * *', 'UTC', 'rivals.csv', 'website', '{}', 1, '{upstream}', now() + interval '90 days')
      RETURNING id`,
    [accountId],
  );
  const scheduleId = Number(schedule.rows[0]?.id);
  const ids: string[] = [];
  for (const [index, { batchId }] of [older, last].entries()) {
    const scan = await pool.query<{ id: string }>(
      `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, batch_id, begun_at, finished_at, evaluated_at)
        VALUES ('scn_' || $1::integer, $2, $3, now() + $1::integer * interval '1 minute', 'tick', 'finished', $4, now(), now(), now()) RETURNING id`,
      [index, accountId, scheduleId, batchId],
    );
    ids.push(scan.rows[0]?.id ?? '');
  }
  await insertHistory(database, {
    accountId,
    scheduleId,
    scanIds: ids,
    lookupIds: [older, last].map(firstOf),
  });
  return { scheduleId, older, last };
}

function firstOf({ lookupIds }: WorldBatch): bigint {
  return lookupIds[0] ?? 0n;
}

/** One company: the older scan saw `cr-6` and `cr-7`, the last one only `cr-6`, so that `cr-7` has ended. */
async function insertHistory(
  { owner }: TestDatabase,
  history: {
    readonly accountId: number;
    readonly scheduleId: number;
    readonly scanIds: readonly string[];
    readonly lookupIds: readonly bigint[];
  },
): Promise<void> {
  const { accountId, scheduleId, scanIds, lookupIds } = history;
  const [older, last] = scanIds;
  for (const [index, scanId] of scanIds.entries()) {
    await owner.pool.query(
      `INSERT INTO nightshift.scan_companies (scan_id, company_key, schedule_id, lookup_id, completeness, is_baseline, observed_at, ads_active)
        VALUES ($1, 'd:rival.com', $2, $3, 'complete', $4, now(), 1)`,
      [scanId, scheduleId, lookupIds[index], index === 0],
    );
  }
  const seen = `SELECT la.version_id, v.ad_id FROM nightshift.lookup_ads la JOIN nightshift.ad_versions v ON v.id = la.version_id
    JOIN nightshift.ads a ON a.id = v.ad_id WHERE la.lookup_id = ${lookupIds[0]}`;
  await owner.pool.query(
    `INSERT INTO nightshift.tracked_companies (schedule_id, company_key, baseline_scan_id, last_scan_id, last_observed_at, last_completeness)
      VALUES (${scheduleId}, 'd:rival.com', ${older}, ${last}, now(), 'complete');
    INSERT INTO nightshift.tracked_ads (schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id, look)
      SELECT ${scheduleId}, 'd:rival.com', s.ad_id, true, ${older}, ${last}, s.version_id, '' FROM (${seen}) s;
    INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, version_id, is_active, rests_on, observed_at)
      SELECT ${older}, 'd:rival.com', s.ad_id, ${accountId}, ${scheduleId}, 'baseline', s.version_id, true, ARRAY[${older}], now() FROM (${seen}) s`,
  );
}

/** One that was delivered, one that was given up, and one that is on its way. */
async function insertNotices({ owner }: TestDatabase): Promise<void> {
  for (const state of ['delivered', 'dead', 'pending']) {
    await owner.pool.query(
      `WITH notice AS (
          INSERT INTO nightshift.notices (public_id, account_id, event, subject, about)
          VALUES ('evt_' || $1::text, 1, 'batch.completed', $1::text, '{"file_name": "secret.csv"}') RETURNING id
        )
        INSERT INTO nightshift.webhook_deliveries (notice_id, webhook_id, state) SELECT id, 1, $1::text FROM notice`,
      [state],
    );
  }
}

/** What is broken in the record. */
export async function findingsIn({ app }: TestDatabase): Promise<readonly string[]> {
  const reports = await createVerifyStore(app.sql).check();
  return reports.flatMap(({ broken }) => broken);
}

/** Hands the file of a world's list in once more. */
export function loadAgain({ app }: TestDatabase, fileName: string): Promise<OpenedBatch> {
  const sha256 = createHash('sha256').update(fileName).digest();
  const batch = {
    accountId: 1,
    fileName,
    contentSha256: sha256,
    identity: sha256,
    operations: ['ads_search'] as const,
    header: ['company', 'domain'],
    columnMap: { company_name: 0, company_domain: 1 },
    sources: ['upstream'],
    search: anySearch,
  };
  return createBatchStore(app).withBatch(batch, { again: false }, (opened) => Promise.resolve(opened));
}
