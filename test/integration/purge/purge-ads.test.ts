import { expect, onTestFinished, test } from 'vitest';
import { advisoryLocks } from '../../../db/locks/advisory-locks.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import type { PurgeKind } from '../../../src/core/purge/purge-kinds.ts';
import { countPurge, purge } from '../../../src/core/purge/purge.ts';
import { useRecord, type TestDatabase } from '../../support/db/database.ts';
import { buildPurgeFixture } from '../../support/db/purge-fixture.ts';
import { columnOf, dumpOf } from '../../support/db/record-dump.ts';
import { listFindings } from '../../support/db/findings.ts';
import { loadCreatives } from '../../support/sources/snapshots.ts';

const ageMs = 30 * 86_400_000;
const kindsWithAds = ['batches', 'searches', 'scans'] as const;
const ordersOfAds = { orders: kindsWithAds.map((kind) => ({ kind, ageMs })) };

/** Long enough for transactions in other databases of the shared server. */
const waitMs = 20_000;

const openRecord = useRecord(buildPurgeFixture);

/** Opens a data set that is 40 days old. */
async function open() {
  const { database, record } = await openRecord();
  return { database, record, store: createPurgeStore(database.app.sql, { sweepWaitMs: waitMs }) };
}

/** Opens the same with purged batches and searches, and with the unreferenced ads `cr-2`, `cr-3`, `cr-4` and `cr-5`. */
async function openUnswept() {
  const opened = await open();
  for (const kind of kindsWithAds) await purgeAll(opened.database, kind);
  expect(await creatives(opened.database)).toEqual(['cr-1', 'cr-2', 'cr-3', 'cr-4', 'cr-5', 'cr-6', 'cr-7']);
  return opened;
}

async function purgeAll({ app }: TestDatabase, kind: PurgeKind): Promise<void> {
  const store = createPurgeStore(app.sql);
  const scope = { kind, before: await store.momentAgo(ageMs), accountId: null };
  let next: string | null = null;
  do next = (await store.purgeSome(scope, next)).next;
  while (next !== null);
}

function creatives(database: TestDatabase): Promise<readonly (string | null)[]> {
  return columnOf(
    database,
    'SELECT a.creative_id FROM nightshift.ad_versions v JOIN nightshift.ads a ON a.id = v.ad_id ORDER BY 1',
  );
}

/** Opens a separate session until the test ends. */
async function session({ app }: TestDatabase) {
  const client = await app.pool.connect();
  onTestFinished(() => client.release(true));
  return client;
}

/** Statement of a worker for an ad that a source reported: finds or stores its version. */
const storeAd = `SELECT version_id FROM nightshift.store_ads('[{"ord": 1, "advertiser_id": "AR-1", "creative_id": "cr-5",
  "advertiser_name": "Acme Inc.", "format": "Image", "headline": "Buy", "variants": [{"content": "<p>cr-5</p>", "height": 250, "width": 300}]}]')`;

/** Resolves when a session waits in a statement that matches the query. */
async function untilWaiting(database: TestDatabase, query: string, event: string): Promise<void> {
  const found = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '%${query}%' AND wait_event = '${event}' AND pid <> pg_backend_pid()`;
  await expect.poll(() => columnOf(database, found)).toEqual(['1']);
}

test('purge deletes ads of purged lookups only with versions and variants, and keeps ads with other references', async () => {
  const { database, store } = await open();
  // cr-1 belongs to a running batch; cr-6 and cr-7 to a schedule whose lookups are purged in part.
  const { unseenAds } = await purge(store, ordersOfAds);
  expect(unseenAds).toEqual({ versions: 4, ads: 4 });
  expect(await creatives(database)).toEqual(['cr-1', 'cr-6', 'cr-7']);
  const lost = `SELECT 1 FROM nightshift.ad_variants v WHERE NOT EXISTS (SELECT FROM nightshift.ad_versions a WHERE a.id = v.version_id)
    UNION ALL SELECT 1 FROM nightshift.ads a WHERE NOT EXISTS (SELECT FROM nightshift.ad_versions v WHERE v.ad_id = a.id)
    UNION ALL SELECT 1 FROM nightshift.ad_details d WHERE NOT EXISTS (SELECT FROM nightshift.ads a WHERE a.id = d.ad_id)`;
  expect(await columnOf(database, lost)).toEqual([]);
  const kept =
    'SELECT DISTINCT a.creative_id FROM nightshift.ad_details d JOIN nightshift.ads a ON a.id = d.ad_id ORDER BY 1';
  expect(await columnOf(database, kept)).toEqual(['cr-1', 'cr-6', 'cr-7']);
  expect(await listFindings(database)).toEqual([]);
});

test('purge keeps the ads of a snapshot, and deletes those that a newer load replaced', async () => {
  const { database, store } = await open();
  await loadCreatives(database, [
    { advertiser: 1, creative: 1 },
    { advertiser: 1, creative: 2 },
  ]);
  await loadCreatives(database, [{ advertiser: 1, creative: 2, format: 'VIDEO', lastSeen: '2024-09-09' }]);
  const snapshot = ['snapshots', 'advertisers', 'advertiser_names', 'snapshot_ads'];
  const before = await dumpOf(database, snapshot);
  const would = await countPurge(store, ordersOfAds);
  const { unseenAds } = await purge(store, ordersOfAds);
  expect(unseenAds).toEqual({ versions: 5, ads: 4 });
  expect(would.unseenAds).toEqual(unseenAds);
  expect(await dumpOf(database, snapshot)).toEqual(before);
  const held = `SELECT v.format FROM nightshift.snapshot_ads s JOIN nightshift.ad_versions v ON v.id = s.version_id ORDER BY 1`;
  expect(await columnOf(database, held)).toEqual(['Text', 'Video']);
  expect(await listFindings(database)).toEqual([]);
});

/** Links a version to a new lookup. */
const linkVersion = `INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key, outcome, ads_count, ended_at, answer_id)
  SELECT 1, 1, 'req_late', 'ads_search', 'd:acme.com', 'found', ads, now(), answer_id
  FROM nightshift.store_answers('{1}', ARRAY[$1::bigint], '{NULL}', '{NULL}')`;

test('sweep waits for a worker that has found an ad, and keeps the ad', async () => {
  const { database, store } = await openUnswept();
  const worker = await session(database);
  await worker.query('BEGIN');
  const found = await worker.query<{ version_id: string }>(storeAd);
  const sweeping = store.sweepSome();
  await untilWaiting(database, 'sweep_versions', 'advisory');
  await worker.query(linkVersion, [found.rows[0]?.version_id]);
  await worker.query('COMMIT');
  expect(await sweeping).toEqual({ versions: 3, ads: 3 });
  expect(await creatives(database)).toEqual(['cr-1', 'cr-5', 'cr-6', 'cr-7']);
});

test('sweep waits for a worker that found an ad while the sweep waited to begin, and keeps the ad', async () => {
  const { database, store } = await openUnswept();
  const [earlier, worker] = [await session(database), await session(database)];
  await earlier.query('BEGIN');
  await earlier.query('SELECT pg_advisory_xact_lock_shared($1)', [advisoryLocks.adVersions]);
  const sweeping = store.sweepSome();
  await untilWaiting(database, 'sweep_versions', 'advisory');
  await worker.query('BEGIN');
  await worker.query('SELECT pg_current_xact_id()');
  const found = await worker.query<{ version_id: string }>(storeAd);
  await earlier.query('COMMIT');
  await untilWaiting(database, 'sweep_versions', 'PgSleep');
  await worker.query(linkVersion, [found.rows[0]?.version_id]);
  await worker.query('COMMIT');
  expect(await sweeping).toBeNull();
  expect(await creatives(database)).toHaveLength(7);
  expect(await store.sweepSome()).toEqual({ versions: 3, ads: 3 });
});

test('sweep gives up after its wait limit, deletes nothing and reports remaining ads', async () => {
  const { database } = await openUnswept();
  const worker = await session(database);
  await worker.query('BEGIN');
  await worker.query('SELECT pg_current_xact_id()');
  const hasty = createPurgeStore(database.app.sql, { sweepWaitMs: 50 });
  expect(await purge(hasty, ordersOfAds)).toMatchObject({
    unseenAds: { versions: 0, ads: 0 },
    adsLeft: true,
  });
  expect(await creatives(database)).toHaveLength(7);
  expect(await listFindings(database)).toEqual([]);
});

test('a worker stores an ad again if it is being swept', async () => {
  const { database, store } = await openUnswept();
  const [other, worker] = [await session(database), await session(database)];
  await other.query('BEGIN');
  await other.query('SELECT pg_current_xact_id()');
  const known = await columnOf(
    database,
    `SELECT v.id FROM nightshift.ad_versions v JOIN nightshift.ads a ON a.id = v.ad_id WHERE a.creative_id = 'cr-5'`,
  );
  const sweeping = store.sweepSome();
  await untilWaiting(database, 'sweep_versions', 'PgSleep');
  const storing = worker.query<{ version_id: string }>(storeAd);
  await untilWaiting(database, 'store_ads', 'transactionid');
  await other.query('COMMIT');
  expect(await sweeping).toEqual({ versions: 4, ads: 4 });
  const stored = (await storing).rows.map((row) => row.version_id);
  expect(known).not.toEqual(stored);
  const variants = `SELECT content FROM nightshift.ad_variants WHERE version_id = ${stored[0]}`;
  expect(await columnOf(database, variants)).toEqual(['<p>cr-5</p>']);
  expect(await listFindings(database)).toEqual([]);
});

test('a sweep and the load of a snapshot exclude each other', async () => {
  const { database, store } = await openUnswept();
  const loader = await session(database);
  await loader.query('BEGIN');
  await loader.query('SELECT pg_advisory_xact_lock_shared($1)', [advisoryLocks.adVersions]);
  expect(await createPurgeStore(database.app.sql, { sweepWaitMs: 50 }).sweepSome()).toBeNull();
  await loader.query('COMMIT');

  const other = await session(database);
  await other.query('BEGIN');
  await other.query('SELECT pg_current_xact_id()');
  const sweeping = store.sweepSome();
  await untilWaiting(database, 'sweep_versions', 'PgSleep');
  const loading = loadCreatives(database, [{ advertiser: 1, creative: 1 }]);
  await untilWaiting(database, 'lock_shared', 'advisory');
  await other.query('COMMIT');
  expect(await sweeping).toEqual({ versions: 4, ads: 4 });
  expect(await loading).toMatchObject({ adsNew: 1 });
  expect(await listFindings(database)).toEqual([]);
});
