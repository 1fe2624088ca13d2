import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { failpoints } from '../../../src/core/failpoint.ts';
import { formatLocation } from '../../../src/core/storage/location.ts';
import { readNightshift, startNightshift, type Environment } from '../../support/cli/nightshift-process.ts';
import { useCrashingNightshift } from '../../support/crash/crashing-nightshift.ts';
import { createEmptyDatabase, useRecord, type TestDatabase } from '../../support/db/database.ts';
import { listFindings } from '../../support/db/findings.ts';
import { checkFiles, checkLanded } from '../../support/destinations/landed-files.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { loadSample } from '../../support/sources/snapshots.ts';
import { lossyKinds, type LossyPlace } from '../../support/storage/lossy-places.ts';

const companies = ['nike.com', 'spotify.com', 'adidas.de', 'airbnb.com', 'nobody.example'];

/** Time that a process needs for its landings, including a login. */
const landingMs = 600;

const crashing = useCrashingNightshift();
const openFinished = useRecord(enrichTwoLists);

test.each(failpoints.landing)(
  'a process killed at %s leaves every file of a landing once, after the next one',
  async (point) => {
    const { database, environment, folder, lake } = await openLanded();
    await readNightshift(['destination', 'add', 'lake', lake, '--shape', 'rows,ads,variants'], environment);
    await replay(database);
    await landAll(database, environment);
    const before = checkLanded(lake);
    expect(before).toHaveLength(6);
    // The second landing of the same batches removes manifests and writes every file again.
    await replay(database);
    const crashed = await crashing.run(['work'], { environment, folder, point });
    expect(crashed.signal, crashed.stderr).toBe('SIGKILL');
    await lapse(database);
    await landAll(database, environment);
    expect(checkLanded(lake)).toEqual(before);
    expect(await listFindings(database)).toEqual([]);
  },
);

test.each(['landing:claimed', ...failpoints.table, 'landing:ended'] as const)(
  'a process killed at %s leaves every row of a table once, after the next one',
  async (point) => {
    const { database, environment, folder } = await openLanded();
    const table = await openTable();
    await addTable(environment, table);
    await replay(database);
    const crashed = await crashing.run(['work'], { environment, folder, point });
    expect(crashed.signal, crashed.stderr).toBe('SIGKILL');
    await lapse(database);
    await landAll(database, environment);
    expect(await table.readCounts()).toEqual([companies.length, companies.length]);
    expect(await listFindings(database)).toEqual([]);
  },
);

test('processes killed at any time leave every file and every row once', async () => {
  const { database, environment, lake } = await openLanded();
  const table = await openTable();
  await readNightshift(['destination', 'add', 'lake', lake, '--shape', 'rows,ads,variants'], environment);
  await addTable(environment, table);
  await replay(database);
  await landAll(database, environment);
  const before = checkLanded(lake);
  await killWorkers(database, environment, randomRuns(100));
  await landAll(database, environment);
  expect(checkLanded(lake)).toEqual(before);
  expect(await table.readCounts()).toEqual([companies.length, companies.length]);
  expect(await listFindings(database)).toEqual([]);
});

for (const { kind, unavailableReason, open } of lossyKinds) {
  const notRun = unavailableReason === null ? '' : ` (not run: ${unavailableReason})`;
  test.skipIf(unavailableReason !== null)(
    `processes killed at any time leave every file of a ${kind} once${notRun}`,
    async () => {
      const { database, environment, folder } = await openLanded();
      const place = await open();
      await addPlace(environment, folder, place);
      await replay(database);
      await landAll(database, environment);
      const before = checkFiles(place.files());
      expect(before).toHaveLength(6);
      await killWorkers(database, environment, randomRuns(25));
      await landAll(database, environment);
      expect(checkFiles(place.files())).toEqual(before);
      expect(await listFindings(database)).toEqual([]);
    },
  );
}

/** A copy of the database with two finished batches, and a folder for their results. */
async function openLanded() {
  const { database } = await openFinished();
  // The table is on a server of this machine.
  const environment = { DATABASE_URL: database.url, NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1,localhost' };
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-crash-'));
  const lake = mkdtempSync(join(tmpdir(), 'nightshift-lake-'));
  onTestFinished(() => {
    for (const each of [folder, lake]) rmSync(each, { recursive: true, force: true });
  });
  return { database, environment, folder, lake };
}

async function enrichTwoLists({ url, app }: TestDatabase): Promise<void> {
  await loadSample(createSnapshotStore(app));
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-lists-'));
  for (const name of ['one', 'two']) {
    const list = ['company_domain,list', ...companies.map((domain) => `${domain},${name}`)].join('\n');
    writeFileSync(join(folder, `${name}.csv`), list);
    await readNightshift(['enrich', `${name}.csv`, '--source', 'sample'], { DATABASE_URL: url }, { folder });
  }
  rmSync(folder, { recursive: true, force: true });
}

interface Table {
  readonly location: string;
  readonly password: string;
  /** Number of rows of each batch. */
  readonly readCounts: () => Promise<readonly number[]>;
}

async function openTable(): Promise<Table> {
  const url = await createEmptyDatabase();
  const { username, password, host, pathname } = new URL(url);
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return {
    location: `postgres://${username}@${host}${pathname}?sslmode=disable`,
    password: decodeURIComponent(password),
    readCounts: async () => {
      const { rows } = await client.query<{ n: number }>(
        'SELECT count(*)::integer AS n FROM sales.companies GROUP BY nightshift_batch',
      );
      return rows.map(({ n }) => n);
    },
  };
}

async function addTable(environment: Environment, { location, password }: Table): Promise<void> {
  const add = ['destination', 'add', 'crm', location, '--table', 'sales.companies'];
  await readNightshift(add, { ...environment, PGPASSWORD: password });
}

async function addPlace(
  environment: Environment,
  folder: string,
  { location, credentials }: LossyPlace,
): Promise<void> {
  const { accessKeyId, secretAccessKey, privateKey } = credentials;
  const secrets = { access_key_id: accessKeyId, secret_access_key: secretAccessKey, private_key: privateKey };
  writeFileSync(join(folder, 'place.json'), JSON.stringify(secrets));
  const add = ['destination', 'add', 'place', formatLocation(location), '--shape', 'rows,ads,variants'];
  if (location.kind === 's3') add.push('--endpoint', location.endpoint, '--s3-region', location.region);
  if (location.kind === 'sftp') add.push('--host-key', location.hostKey ?? '');
  await readNightshift([...add, '--credentials', 'place.json'], environment, { folder });
}

/** Kills a process again and again, each time at a random moment after it has claimed a landing. */
async function killWorkers(database: TestDatabase, environment: Environment, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    await replay(database);
    const worker = startNightshift(['work'], environment);
    await expect.poll(() => hasBegun(database), { interval: 5 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * landingMs));
    await worker.kill();
    await lapse(database);
  }
}

/** Lands every finished batch in every destination, also again. */
async function replay({ owner }: TestDatabase): Promise<void> {
  await owner.pool.query(
    `SELECT nightshift.open_landings(b) FROM nightshift.batches b WHERE b.state = 'finished'`,
  );
  await owner.pool.query('UPDATE nightshift.landing_parts SET written_at = NULL');
}

/** Runs a worker until everything has landed. */
async function landAll(database: TestDatabase, environment: Environment): Promise<void> {
  const worker = startNightshift(['work'], environment);
  await expect.poll(() => statesOf(database)).toEqual(['landed']);
  await worker.stop();
}

async function statesOf({ owner }: TestDatabase): Promise<readonly string[]> {
  const { rows } = await owner.pool.query<{ state: string }>(
    'SELECT DISTINCT state FROM nightshift.landings',
  );
  return rows.map(({ state }) => state);
}

/** True once a process has claimed a landing. */
async function hasBegun({ owner }: TestDatabase): Promise<boolean> {
  const { rows } = await owner.pool.query(
    `SELECT FROM nightshift.landings WHERE lease_until > now() OR state = 'landed' LIMIT 1`,
  );
  return rows.length > 0;
}

/** Ends the leases of the dead process, and the delays, without waiting. */
async function lapse({ owner }: TestDatabase): Promise<void> {
  await owner.pool.query(
    `UPDATE nightshift.landings SET next_at = now(),
       lease_until = CASE WHEN lease_until IS NOT NULL THEN now() - interval '1 s' END`,
  );
}
