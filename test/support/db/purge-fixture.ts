import { createAccountStore } from '../../../db/stores/accounts/accounts.ts';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createScanEvaluator } from '../../../db/stores/changes/evaluate-scans.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { keepReplies, pack } from '../../../db/stores/sources/raw-responses.ts';
import type { OpenedBatch } from '../../../src/core/batches/batch-store.ts';
import { noDetails } from '../../../src/core/ads/ad-details.ts';
import type { AdsAnswer } from '../../../src/core/ads/ads-answer.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import { evaluateScans } from '../../../src/core/changes/scan-evaluator.ts';
import { ageRecord } from './age-record.ts';
import type { TestDatabase } from './database.ts';
import { buildEmailFixture, type EmailFixture } from '../dns-smtp/email-fixture.ts';
import {
  answerAll,
  buildFixture,
  found,
  loadFixtureBatch,
  takeChunk,
  fixtureFile,
  type Fixture,
  type FixtureBatch,
} from './fixture.ts';

/** Records of every kind, of two accounts, all of them 40 days old. */
export interface PurgeFixture {
  readonly fixture: Fixture;
  readonly emails: EmailFixture;
  /** Finished batch of another account; its companies saw the ads `cr-1` and `cr-5`. */
  readonly others: FixtureBatch & { readonly accountId: number };
  /** Batches of an active schedule: the older of two scans, and the last one. */
  readonly scans: { readonly scheduleId: number; readonly older: FixtureBatch; readonly last: FixtureBatch };
}

export async function buildPurgeFixture(database: TestDatabase): Promise<PurgeFixture> {
  const { app } = database;
  const emails = await buildEmailFixture(app);
  await createLedger(app.sql).grant(1, [{ key: null, amountMicro: 20_000_000n, reason: 'test' }]);
  const fixture = await buildFixture(app);
  await retryFinished(database, fixture);
  const accountId = await createAccountStore(app.sql).create('others');
  await createLedger(app.sql).grant(accountId, [{ key: null, amountMicro: 1_000_000n, reason: 'test' }]);
  const others = await finishList(database, accountId, 'others.csv', ['cr-1', 'cr-5']);
  const scans = await buildScans(database, fixture.accountId);
  for (const batch of [
    { accountId: fixture.accountId, batchId: fixture.finished.batchId },
    { accountId, batchId: others.batchId },
  ])
    await insertCandidate(database, batch);
  await keepReplies(app.sql, [await pack('a reply'), await pack('another')]);
  await insertEvents(database);
  for (const owner of [fixture.accountId, accountId]) await insertInbox(database, owner);
  await insertLanding(database, fixture.accountId, fixture.finished.batchId);
  await insertLanding(database, accountId, others.batchId);
  await insertRemovedAd(database);
  await ageRecord(database, 40);
  // Evaluated now, because changes cannot be backdated.
  await evaluateScans(createScanEvaluator(app.sql), new AbortController().signal);
  return { fixture, emails, others: { ...others, accountId }, scans };
}

/** The failed company of the finished batch fails again: two generations of one lookup. */
async function retryFinished({ app }: TestDatabase, { accountId, finished }: Fixture): Promise<void> {
  await createBatchControl(app.sql).retry(accountId, finished.publicId, 'certain');
  await answerOpen(app, { kind: 'failed', reason: 'source_unreadable' }, finished.batchId);
}

/** Loads a batch of three companies; the first sees the ads, the others none. */
export async function finishList(
  { app }: TestDatabase,
  accountId: number,
  fileName: string,
  creativeIds: readonly string[],
  companies = [1, 2, 3].map((n) => `${fileName.replace('.csv', '')}-${n}.com`),
): Promise<FixtureBatch> {
  const batch = await loadFixtureBatch(app, accountId, { fileName, companies, withOddRows: false });
  const [first] = batch.lookupIds;
  await answerOpen(app, { kind: 'none', matchedBy: 'domain' }, batch.batchId, (lookupId) =>
    lookupId === first ? withDetails(found(creativeIds)) : undefined,
  );
  return batch;
}

/** The ads with details, as a source reports them. */
function withDetails(answer: AdsAnswer): AdsAnswer {
  if (answer.kind !== 'found') return answer;
  const region = {
    region: 'DE',
    firstShown: null,
    lastShown: null,
    timesShownFrom: null,
    timesShownTo: null,
  };
  const timesShown = { lower: 1000, upper: 2000, availableOn: null };
  const regions = [{ ...region, timesShown, surfaces: [{ surface: 'SEARCH', timesShown }] }];
  return {
    ...answer,
    ads: answer.ads.map((ad) => ({ ...ad, details: { ...noDetails, payer: 'Payer', regions } })),
  };
}

/** A removed ad of the advertiser of all ads. */
async function insertRemovedAd({ owner }: TestDatabase): Promise<void> {
  await owner.pool.query(
    `INSERT INTO nightshift.removed_ads (recorded_at, as_of, advertiser_id, creative_id, source, content_hash, disapprovals)
      SELECT now(), now(), advertiser_id, 'removed', 'snapshot', '', '[["POLICY"]]' FROM nightshift.ads ORDER BY id LIMIT 1`,
  );
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

/** A schedule with two scans; the second is the last conclusive one. It saw only `cr-6`, the older one also `cr-7`. */
async function buildScans(database: TestDatabase, accountId: number): Promise<PurgeFixture['scans']> {
  const companies = ['rival-1.com', 'rival-2.com', 'rival-3.com'];
  const older = await finishList(database, accountId, 'scan-older.csv', ['cr-6', 'cr-7'], companies);
  const last = await finishList(database, accountId, 'scan-last.csv', ['cr-6'], companies);
  const { pool } = database.owner;
  const schedule = await pool.query<{ id: string }>(
    `INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources, next_at)
      VALUES ('sch_1', $1, 'rivals', '0 2 * * *', 'UTC', 'rivals.csv', 'website', '{}', 3, '{upstream}', now() + interval '90 days')
      RETURNING id`,
    [accountId],
  );
  const scheduleId = Number(schedule.rows[0]?.id);
  for (const [index, { batchId }] of [older, last].entries()) {
    await pool.query(
      `INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, batch_id, begun_at, finished_at)
        VALUES ('scn_' || $1::integer, $2, $3, now() + $1::integer * interval '1 minute', 'tick', 'finished', $4, now(), now())`,
      [index, accountId, scheduleId, batchId],
    );
  }
  return { scheduleId, older, last };
}

/** An uncertain advertiser of the first company of a batch. */
async function insertCandidate(
  { owner }: TestDatabase,
  { accountId, batchId }: { readonly accountId: number; readonly batchId: number },
): Promise<void> {
  await owner.pool.query(
    `INSERT INTO nightshift.advertiser_candidates (account_id, company_key, advertiser_id, name, confidence_percent, reasons, source, lookup_id)
      SELECT l.account_id, l.subject_key, 'AR-' || $1::integer, 'jane-' || $1::integer || '@sole-trader.com', 50, '{name_within}', 'snapshot', l.id
      FROM nightshift.lookups l WHERE l.account_id = $1 AND l.batch_id = $2 AND l.operation = 'ads_search' ORDER BY l.id LIMIT 1`,
    [accountId, batchId],
  );
}

/** An inbox with a failed file. */
async function insertInbox({ owner }: TestDatabase, accountId: number): Promise<void> {
  await owner.pool.query(
    `WITH inbox AS (
        INSERT INTO nightshift.inboxes (public_id, account_id, name, location, cron, time_zone, settle_ms, file_options, sources, next_at)
        VALUES ('inb_' || $1::integer, $1, 'lists', '{"kind": "folder", "path": "/lists"}', '0 2 * * *', 'UTC', 0, '{}', '{upstream}',
          now() + interval '90 days') RETURNING id)
      INSERT INTO nightshift.inbox_files (public_id, account_id, inbox_id, path, place, version, bytes, state, reason, settled_at)
      SELECT 'inf_' || $1::integer, $1, id, 'list-of-' || $1::integer || '.csv', 'failed/list.csv', '1', 5, 'failed', 'It is empty.', now()
      FROM inbox`,
    [accountId],
  );
}

/** A removed destination in which a batch landed. */
async function insertLanding({ owner }: TestDatabase, accountId: number, batchId: number): Promise<void> {
  await owner.pool.query(
    `WITH destination AS (
        INSERT INTO nightshift.destinations (public_id, account_id, name, batch_id, location, is_of_account, format, shapes, options, state)
        VALUES ('dst_' || $1::integer, $1, 'lake', $2, '{"kind": "folder", "path": "/lake"}', true, 'csv', '{rows}', '{"layout": "flat"}',
          'removed') RETURNING id),
      landing AS (
        INSERT INTO nightshift.landings (destination_id, batch_id, shape, content_key, day, state, attempts, landed_at, rows, bytes, parts)
        SELECT id, $2, 'rows', 'batch-of-' || $1::integer, current_date, 'landed', 1, now(), 3, 100, 1 FROM destination RETURNING id)
      INSERT INTO nightshift.landing_parts (landing_id, part, path, rows, bytes, sha256, written_at)
      SELECT id, part, 'list-of-' || $1::integer || ending, part * 3, 100, repeat('0', 64), now()
      FROM landing, (VALUES (0, '.manifest.json'), (1, '.csv')) AS parts(part, ending)`,
    [accountId, batchId],
  );
}

/** One delivered event, one abandoned, one pending. */
async function insertEvents({ owner }: TestDatabase): Promise<void> {
  const webhook = `INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events)
    VALUES ('whk_1', 1, 'desk', 'slack', 'https://desk.example/', '{batch.completed}') RETURNING id`;
  const { rows } = await owner.pool.query<{ id: string }>(webhook);
  for (const state of ['delivered', 'dead', 'pending']) {
    await owner.pool.query(
      `WITH event AS (
          INSERT INTO nightshift.events (public_id, account_id, event, subject, payload)
          VALUES ('evt_' || $1::text, 1, 'batch.completed', $1::text, '{"file_name": "secret.csv"}') RETURNING id
        )
        INSERT INTO nightshift.webhook_deliveries (event_id, webhook_id, state, delivered_at)
        SELECT id, $2::bigint, $1::text, CASE $1::text WHEN 'delivered' THEN now() END FROM event`,
      [state, rows[0]?.id],
    );
  }
}

/** Uploads the file of a fixture again. */
export function loadAgain({ app }: TestDatabase, fileName: string): Promise<OpenedBatch> {
  return createBatchStore(app).withBatch(fixtureFile(1, fileName), { again: false }, (opened) =>
    Promise.resolve(opened),
  );
}
