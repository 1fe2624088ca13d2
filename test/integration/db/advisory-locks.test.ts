import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { advisoryLocks } from '../../../db/locks/advisory-locks.ts';
import { openLeaderLock } from '../../../db/locks/leader-lock.ts';
import { migrate } from '../../../db/migrate.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { openTestDatabase, openTestPool, type TestDatabase } from '../../support/db/database.ts';
import { loadCreatives } from '../../support/sources/snapshots.ts';
import { schemaFolder } from '../../support/db/test-postgres.ts';
import { fixtureFile } from '../../support/db/fixture.ts';

/** The number of the private server's lock is defined in its own folder, because the code runs before a database exists. */
const setUpFile = 'src/postgres-server/provision.ts';

test('every advisory lock of SQL functions and sources has a registered number of its own', async () => {
  const numbers = Object.values(advisoryLocks).map(String);
  expect(new Set(numbers).size).toBe(numbers.length);

  const { owner } = await openTestDatabase();
  const { rows } = await owner.pool.query<{ name: string; source: string }>(
    `SELECT proname AS name, pg_get_functiondef(p.oid) AS source FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname !~ '^(pg_|information_schema|bullmq)' AND p.prokind IN ('f', 'p') AND p.prosrc ~ 'advisory' ORDER BY 1`,
  );
  const taken = rows
    .map(({ name, source }) => ({
      name,
      locks: [...source.matchAll(/advisory\w*\s*\(\s*([^,)]*)/g)].map(([, first]) => first),
    }))
    .filter(({ locks }) => locks.length > 0)
    .map(({ name, locks }) => [name, locks]);
  expect(taken).toEqual([
    ['drop_blocks', [String(advisoryLocks.resultBlocks)]],
    ['land_batch', [String(advisoryLocks.destinations)]],
    ['record_results', [String(advisoryLocks.batchSpending)]],
    ['store_ads', [String(advisoryLocks.adVersions)]],
    ['sweep_versions', [String(advisoryLocks.adVersions)]],
  ]);

  const calls = ['db', 'src', 'workers'].flatMap(listSources).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const literals = [...text.matchAll(/\b(?:7_?303_?1\d\d|6_412_\d{3}_\d{3})\b/g)].map(
      ([literal]) => literal,
    );
    const unnamed = [...text.matchAll(/pg_\w*advisory\w*lock\w*\((?!\$\{advisoryLocks\.\w+\})/g)];
    return [...literals, ...unnamed.map(([call]) => call)].map((found) => `${path}: ${found}`);
  });
  expect(calls.filter((call) => !call.startsWith('db/locks/advisory-locks.ts'))).toEqual([
    `${setUpFile}: 6_412_407_530`,
    `${setUpFile}: pg_advisory_lock(`,
    // On a server of the user's own, by the name of the table.
    'src/adapters/postgres/load-table.ts: pg_advisory_xact_lock(',
  ]);
});

test('the leader lock acts in its role, whatever other settings the URL has', async () => {
  const url = new URL((await openTestDatabase()).url);
  url.searchParams.set('options', '-c work_mem=1MB');
  const lock = openLeaderLock({ url: url.href, role: 'not_there', leaseMs: 5000 });
  onTestFinished(() => lock.leave());
  await expect(lock.take(new AbortController().signal)).rejects.toThrow(/not_there/);
});

const root = join(import.meta.dirname, '../../..');

function listSources(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
}

/** Takes the lock of the active dispatcher on a separate session, like `up`, `work` and `serve`. */
async function startDispatcher({ url }: TestDatabase): Promise<void> {
  const leaderLock = openLeaderLock({ url, role: 'nightshift_app', leaseMs: 30_000 });
  onTestFinished(() => leaderLock.leave());
  await leaderLock.take(new AbortController().signal);
}

test('snapshot load and purge finish beside an active dispatcher', async () => {
  const database = await openTestDatabase();
  await startDispatcher(database);
  const waits: string[] = [];
  const rows = async function* () {
    yield await Promise.resolve([
      { ...noNames, advertiserId: `AR${'1'.padStart(20, '0')}`, creativeId: `CR${'1'.padStart(20, '0')}` },
    ]);
  };
  const store = createSnapshotStore(database.app);
  expect(await store.load('snapshot', rows(), { onWait: (reason) => waits.push(reason) })).toMatchObject({
    adsNew: 1,
  });
  expect(waits).toEqual([]);
  await loadCreatives(database, [{ advertiser: 1, creative: 1, format: 'VIDEO', lastSeen: '2099-01-01' }]);
  expect(await createPurgeStore(database.app.sql, { sweepWaitMs: 10_000 }).sweepSome()).toEqual({
    versions: 1,
    ads: 0,
  });
});

test('a load that waits for another process reports the reason, and continues when it has ended', async () => {
  const database = await openTestDatabase();
  const other = await openTestPool(database.url).pool.connect();
  onTestFinished(() => other.release(true));
  const hold = (keys: string) => other.query(`SELECT pg_advisory_lock(${keys})`);
  const waits: string[] = [];
  const onWait = (reason: string): void => {
    waits.push(reason);
    void other.query('SELECT pg_advisory_unlock_all()');
  };
  const batch = fixtureFile(1, 'waiting.csv');

  await hold(String(advisoryLocks.migration));
  await migrate(database.url, schemaFolder, onWait);
  await hold(`${advisoryLocks.batchLoad}, ${batch.identity.readInt32BE(0)}`);
  const load = (): Promise<void> => Promise.resolve();
  await createBatchStore(database.app).withBatch(batch, { again: false, onWait }, load);
  const rows = async function* () {
    yield await Promise.resolve([]);
  };
  await hold(`${advisoryLocks.snapshotLoad}, 1`);
  await createSnapshotStore(database.app).load('sample', rows(), { onWait });
  await hold(String(advisoryLocks.adVersions));
  await createSnapshotStore(database.app).load('sample', rows(), { onWait });
  expect(waits).toEqual([
    'another process is migrating the database',
    'another process is loading the same file',
    'another load of the sample is being stored',
    'a purge is deleting unused ads',
  ]);
});

test('an open transaction of an account login does not block a purge of unused ads', async () => {
  const database = await openTestDatabase();
  await loadCreatives(database, [{ advertiser: 1, creative: 1, format: 'TEXT', lastSeen: '2024-01-01' }]);
  await loadCreatives(database, [{ advertiser: 1, creative: 1, format: 'VIDEO', lastSeen: '2024-01-02' }]);
  const lingering = await database.owner.pool.connect();
  onTestFinished(() => lingering.release(true));
  const { rows } = await lingering.query<{ login: string }>('SELECT session_user AS login');
  await lingering.query('INSERT INTO nightshift.account_logins (account_id, role_name) VALUES (1, $1)', [
    rows[0]?.login,
  ]);
  await lingering.query('BEGIN; SELECT pg_current_xact_id()');
  const store = createPurgeStore(database.app.sql, { sweepWaitMs: 0 });
  expect(await store.sweepSome()).toEqual({ versions: 1, ads: 0 });
});

const noNames = {
  advertiserName: 'One',
  disclosedName: 'One',
  legalName: null,
  location: null,
  format: 'Text',
  start: '2024-01-01',
  lastSeen: '2024-01-01',
  details: null,
  disapprovals: null,
};
