import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BULLMQ_MAJOR_VERSION, LATEST_SCHEMA_VERSION } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { queueSchema, readQueueInfo } from '../../../db/info/queue-info.ts';
import { readConfig } from '../../../src/config/config.ts';
import { diagnose, type Diagnosis } from '../../../src/doctor/diagnose.ts';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { postgresConnection, prepareQueue } from '../../../src/queue/connection.ts';
import { accountReaderOf, createEmptyDatabase, openTestDatabase } from '../../support/db/database.ts';
import { openTestCli } from '../../support/cli/test-cli.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { loadCreatives } from '../../support/sources/snapshots.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { inDatabase, withClient } from '../../support/db/test-postgres.ts';
import { findRedisProgram, freePort, spawnRedis } from '../../support/queue/test-redis.ts';

const away = 'postgres://nobody:hidden@127.0.0.1:9/none';

/** Runs the doctor with these settings. */
function examineUnder(settings: Environment): Promise<Diagnosis> {
  return diagnose(readConfig(settings), { nodeVersion: '22.11.0', onProgress: () => undefined });
}

/**
 * Findings that need action. The servers of tests are tuned for speed, and keep no WAL, which are findings; the name servers of the machine
 * are out of scope.
 */
function remedies({ findings }: Diagnosis) {
  const expected = new Set(['durability', 'backups', 'name servers']);
  return findings.filter(({ name, status }) => status !== 'ok' && !expected.has(name));
}

/** The only finding with this name. */
function finding({ findings }: Diagnosis, name: string) {
  const found = findings.filter((each) => each.name === name);
  expect(found, `findings named ${name}`).toHaveLength(1);
  return found[0];
}

/** Opens a test CLI for one test, with commands in its process. */
function openCli(environment: Environment) {
  const api = openTestCli(environment, { inProcess: true });
  onTestFinished(() => api.close());
  return api;
}

describe('database check', () => {
  test('is ok with a source missing only', async () => {
    const { url } = await openTestDatabase();
    const diagnosis = await examineUnder({ DATABASE_URL: url });
    expect(remedies(diagnosis).map(({ name }) => name)).toEqual(['sources']);
    expect(diagnosis.isServerAway).toBe(false);
    expect(diagnosis.findings.length).toBeGreaterThan(15);
  });

  test('covers a database without migrations, and its remedy repairs it', async () => {
    const api = openCli({ DATABASE_URL: await createEmptyDatabase('') });
    const { checks } = (await api.ask(['doctor'], { exitCode: 1 })) as { checks: Diagnosis['findings'] };
    const [migrations] = checks.filter(({ name }) => name === 'migrations');
    expect(migrations).toMatchObject({ status: 'problem', remedy: 'Run `nightshift migrate`.' });
    expect(checks.find(({ name }) => name === 'encoding')).toMatchObject({ status: 'ok' });
    await api.ask(['migrate']);
    expect(remedies(await examineUnder(api.environment)).map(({ name }) => name)).toEqual(['sources']);
  });

  test('reports a database newer than the program', async () => {
    const { url, owner } = await openTestDatabase();
    await owner.pool.query(
      "INSERT INTO nightshift.migrations (hash, created_at) VALUES ('of a later version', 9999999999999)",
    );
    expect(finding(await examineUnder({ DATABASE_URL: url }), 'migrations')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('another version') as string,
    });
  });

  test('reports an encoding that cannot store all characters', async () => {
    const url = await createEmptyDatabase("TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'");
    expect(finding(await examineUnder({ DATABASE_URL: url }), 'encoding')).toMatchObject({
      status: 'problem',
    });
  });

  test('recommends REINDEX after a change of the collation version', async () => {
    const { url, owner } = await openTestDatabase();
    await owner.pool.query(
      "UPDATE pg_database SET datcollversion = 'long ago' WHERE datname = current_database()",
    );
    const [collation] = remedies(await examineUnder({ DATABASE_URL: url }));
    expect(collation).toMatchObject({ name: 'collation', status: 'warning' });
    expect(collation?.remedy).toContain('REINDEX');
  });

  test('reports a read-only database', async () => {
    const { url, owner } = await openTestDatabase();
    const name = new URL(url).pathname.slice(1);
    await owner.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(finding(await examineUnder({ DATABASE_URL: url }), 'writing')).toMatchObject({
      status: 'problem',
    });
  });

  test('reports a reader with privileges on tables and an unprotected ledger', async () => {
    const { url, owner } = await openTestDatabase();
    await owner.pool.query('GRANT SELECT ON nightshift.batches TO nightshift_reader');
    await owner.pool.query('GRANT UPDATE ON nightshift.ledger_blocks TO nightshift_app');
    await owner.pool.query('GRANT CREATE ON SCHEMA reports TO nightshift_reader');
    const { found } = finding(await examineUnder({ DATABASE_URL: url }), 'rights of the roles') ?? {};
    expect(found).toContain('nightshift_app may UPDATE ledger_blocks');
    expect(found).toContain('nightshift_reader may create things in schema reports');
    expect(found).toContain('nightshift_reader may read nightshift.batches');
  });

  test('warns of a reader whose login has more privileges than its role', async () => {
    const { url } = await openTestDatabase();
    const diagnosis = await examineUnder({ DATABASE_URL: url, NIGHTSHIFT_READER_URL: url });
    expect(finding(diagnosis, 'login of the reader')).toMatchObject({ status: 'warning' });
  });

  test('covers the login for SQL of accounts, and warns of functions it can call', async () => {
    const { url, owner } = await openTestDatabase();
    const examineAccounts = () =>
      examineUnder({ DATABASE_URL: url, NIGHTSHIFT_ACCOUNT_READER_URL: accountReaderOf(url) });
    const diagnosis = await examineAccounts();
    expect(finding(diagnosis, 'SQL of accounts')).toMatchObject({ status: 'ok' });
    expect(finding(diagnosis, 'reach of accounts')).toMatchObject({ status: 'ok' });
    await owner.pool.query('GRANT EXECUTE ON FUNCTION pg_notify(text, text), lo_close(integer) TO PUBLIC');
    expect(finding(await examineAccounts(), 'reach of accounts')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('lo_close and 1 more') as string,
      remedy: expect.stringContaining('nightshift migrate') as string,
    });
  });

  test('reports a login for SQL of accounts with more privileges than its role', async () => {
    const { url } = await openTestDatabase();
    const diagnosis = await examineUnder({ DATABASE_URL: url, NIGHTSHIFT_ACCOUNT_READER_URL: url });
    expect(finding(diagnosis, 'SQL of accounts')).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('IN ROLE nightshift_account') as string,
    });
  });

  test('reports a missing database with exit code 5 and the command to create it, and runs the checks without a database', async () => {
    const api = openCli({ DATABASE_URL: inDatabase(inject('postgresUrl'), 'not_there') });
    const { exitCode, stdout, stderr } = await api.run(['doctor']);
    expect([exitCode, stderr]).toEqual([5, '']);
    expect(stdout).toContain('createdb');
    expect(stdout).toContain('disk space: ');
  });
});

test('doctor reports a missing role of the server, and the role can be created again', async () => {
  const homes = createHomes();
  onTestFinished(() => homes.clear());
  const home = await homes.make();
  const server = await ensurePrivateServer({ home });
  const url = server.url('postgres');
  await withClient(url, async (client) => {
    await client.query('DROP OWNED BY nightshift_reader');
    await client.query('DROP ROLE nightshift_reader');
  });
  const diagnosis = await examineUnder({ DATABASE_URL: url });
  expect(finding(diagnosis, 'role nightshift_app')).toMatchObject({ status: 'ok' });
  expect(finding(diagnosis, 'role nightshift_reader')).toMatchObject({ status: 'problem' });
  await openCli({ DATABASE_URL: url }).ask(['migrate']);
  expect(remedies(await examineUnder({ DATABASE_URL: url })).map(({ name }) => name)).toEqual(['sources']);
});

test('doctor without configuration and data creates no database, and names the commands that do', async () => {
  const homes = createHomes();
  onTestFinished(() => homes.clear());
  const home = await homes.make();
  const { exitCode, stdout, stderr } = await openCli({ NIGHTSHIFT_HOME: home }).run(['doctor']);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.replace(/\s+/g, ' ')).toContain(`database: none in ${home} yet.`);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /→ `npx nightshift demo` creates one|→ `nightshift demo` creates one/,
  );
  expect(readdirSync(home)).toEqual([]);
});

test('doctor without configuration starts the private server and reports it as ok', async () => {
  const homes = createHomes();
  onTestFinished(() => homes.clear());
  const api = openCli({ NIGHTSHIFT_HOME: await homes.make() });
  await api.ask(['migrate']);
  await api.ask(['stop']);
  const first = await api.runApart(['doctor']);
  expect(first.exitCode, first.stdout).toBe(0);
  expect(first.stdout).toContain('the private server');
  expect(first.stdout).toMatch(/libraries of Postgres: (libxml2 2\.|those of the system)/);
  expect(first.stdout).toContain('memory of Postgres');
  const { healthy, checks } = (await api.ask(['doctor'])) as {
    healthy: boolean;
    checks: Diagnosis['findings'];
  };
  expect(healthy).toBe(true);
  for (const check of checks) expect(Object.keys(check)).toEqual(['name', 'status', 'found', 'remedy']);
  expect(checks.filter(({ status }) => status === 'problem')).toEqual([]);
  for (const name of ['durability', 'SQL of accounts', 'reach of accounts'])
    expect(checks.find((check) => check.name === name)).toMatchObject({ status: 'ok' });
});

test('doctor prints lines of at most a hundred columns', async () => {
  const api = openCli({ DATABASE_URL: (await openTestDatabase()).url, REDIS_URL: 'redis://127.0.0.1:9' });
  const { exitCode, stdout } = await api.run(['doctor']);
  expect(exitCode).toBe(5);
  const lines = stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(lines.at(-1)).toMatch(/^\d+ checks: \d+ problems?, \d+ warnings?\.$/);
});

describe('queue check on Postgres', () => {
  test('expects exactly the schema of a new queue', async () => {
    const { app } = await openTestDatabase();
    await prepareQueue(postgresConnection(app.pool));
    const { tables, version, clientVersion } = await readQueueInfo(app.pool);
    expect({ tables, version, clientVersion }).toEqual(queueSchema);
    expect([LATEST_SCHEMA_VERSION, BULLMQ_MAJOR_VERSION]).toEqual([
      queueSchema.version,
      queueSchema.clientVersion,
    ]);
  });

  test('reports tables that are missing despite the schema version, and its remedy repairs them', async () => {
    const { url, app, owner } = await openTestDatabase();
    await prepareQueue(postgresConnection(app.pool));
    await owner.pool.query('DROP TABLE bullmq.job CASCADE');
    const broken = finding(await examineUnder({ DATABASE_URL: url }), 'queue');
    expect(broken).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('`DROP SCHEMA bullmq CASCADE`') as string,
    });
    await owner.pool.query('DROP SCHEMA bullmq CASCADE');
    expect(finding(await examineUnder({ DATABASE_URL: url }), 'queue')).toMatchObject({ status: 'ok' });
    await prepareQueue(postgresConnection(app.pool));
    expect(finding(await examineUnder({ DATABASE_URL: url }), 'queue')).toMatchObject({ status: 'ok' });
  });
});

const program = findRedisProgram();
describe.skipIf(program === undefined)('queue check on Redis', () => {
  test('is ok for the documented settings, and reports each setting that could lose jobs', async () => {
    const { url } = await openTestDatabase();
    const redis = await spawnRedis(program ?? '');
    onTestFinished(redis.close);
    const settings = { DATABASE_URL: url, REDIS_URL: redis.url };
    const names = async () => remedies(await examineUnder(settings)).map(({ name }) => name);
    expect(await names()).toEqual(['sources']);
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await names()).toEqual(['Redis maxmemory-policy', 'sources']);
    await client.config('SET', 'appendonly', 'no');
    await client.config('SET', 'maxmemory', '100mb');
    expect(await names()).toEqual(['Redis maxmemory-policy', 'Redis append-only file', 'sources']);
    await client.config('SET', 'maxmemory', '1');
    expect(await names()).toContain('Redis memory');
    client.disconnect();
  });

  test('runs without a database', async () => {
    const redis = await spawnRedis(program ?? '');
    onTestFinished(redis.close);
    const diagnosis = await examineUnder({ DATABASE_URL: away, REDIS_URL: redis.url });
    expect(diagnosis.isServerAway).toBe(true);
    expect(finding(diagnosis, 'database')?.remedy).toContain('Check that Postgres is running');
    expect(finding(diagnosis, 'Redis maxmemory-policy')).toMatchObject({ status: 'ok' });
    expect(JSON.stringify(diagnosis)).not.toContain('hidden');
  });
});

test('doctor reports an unreachable Redis, and checks the database', async () => {
  const { url } = await openTestDatabase();
  const diagnosis = await examineUnder({
    DATABASE_URL: url,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  });
  expect(diagnosis.isServerAway).toBe(true);
  expect(remedies(diagnosis).map(({ name }) => name)).toEqual(['queue', 'sources']);
});

describe('source checks', () => {
  test('connect to an upstream without a request', async () => {
    const { url } = await openTestDatabase();
    const standIn = await openSourceStandIn();
    onTestFinished(() => standIn.close());
    const diagnosis = await examineUnder({
      DATABASE_URL: url,
      NIGHTSHIFT_UPSTREAM_URL: standIn.url,
      NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
    });
    expect(remedies(diagnosis)).toEqual([]);
    expect(finding(diagnosis, 'sources')).toMatchObject({ found: 'upstream' });
    expect([standIn.connections(), standIn.log]).toEqual([1, []]);
  });

  test('report an unreachable upstream, and a selected source without data', async () => {
    const { url } = await openTestDatabase();
    const diagnosis = await examineUnder({
      DATABASE_URL: url,
      NIGHTSHIFT_SOURCES: 'snapshot,upstream',
      NIGHTSHIFT_UPSTREAM_URL: `https://127.0.0.1:${await freePort()}`,
      NIGHTSHIFT_UPSTREAM_KEY: 'hidden',
    });
    expect(remedies(diagnosis).map(({ name }) => name)).toEqual(['source snapshot', 'reaching upstream']);
    expect(JSON.stringify(diagnosis)).not.toContain('hidden');
  });

  test('connect to every configured source without a billable request, and show terms and price', async () => {
    const { url } = await openTestDatabase();
    const standIn = await openSourceStandIn();
    onTestFinished(() => standIn.close());
    const folder = mkdtempSync(join(tmpdir(), 'nightshift-doctor-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const map = readFileSync(join(packageRoot, 'examples/sources/searchapi.json'), 'utf8');
    const file = join(folder, 'map.json');
    writeFileSync(file, map.replace('https://www.searchapi.io', standIn.url));
    const diagnosis = await examineUnder({
      DATABASE_URL: url,
      NIGHTSHIFT_SOURCES: 'serpapi',
      NIGHTSHIFT_SERPAPI_KEY: 'hidden',
      NIGHTSHIFT_SERPAPI_URL: standIn.url,
      NIGHTSHIFT_DATAFORSEO_LOGIN: 'hidden',
      NIGHTSHIFT_DATAFORSEO_PASSWORD: 'hidden',
      NIGHTSHIFT_DATAFORSEO_URL: standIn.url,
      NIGHTSHIFT_ADYNTEL_KEY: 'hidden',
      NIGHTSHIFT_ADYNTEL_EMAIL: 'hidden@acme.example',
      NIGHTSHIFT_ADYNTEL_URL: standIn.url,
      NIGHTSHIFT_BIGQUERY_PROJECT: 'acme',
      NIGHTSHIFT_BIGQUERY_KEY_FILE: join(folder, 'not-there.json'),
      NIGHTSHIFT_BIGQUERY_URL: standIn.url,
      NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS: 'true',
      NIGHTSHIFT_TRANSPARENCY_CONTACT: 'https://acme.example',
      NIGHTSHIFT_TRANSPARENCY_URL: `http://127.0.0.1:${await freePort()}`,
      NIGHTSHIFT_MAPPED_FILE: file,
      NIGHTSHIFT_MAPPED_KEY: 'hidden',
    });
    expect(remedies(diagnosis)).toMatchObject([
      { name: 'source bigquery', status: 'problem', found: expect.stringContaining('not-there') as string },
      {
        name: 'prices of the sources',
        status: 'warning',
        found: expect.stringContaining('not set for mapped:') as string,
      },
      // The stand-in is the server of another vendor: its 404 says nothing about a key.
      { name: 'account at serpapi', status: 'warning' },
      { name: 'account at dataforseo', status: 'warning' },
      { name: 'reaching transparency', status: 'problem' },
      { name: 'terms of transparency', status: 'warning' },
    ]);
    for (const name of ['serpapi', 'dataforseo', 'adyntel', 'bigquery', 'mapped'])
      expect(finding(diagnosis, `reaching ${name}`)).toMatchObject({ status: 'ok' });
    expect([standIn.connections(), standIn.log.length]).toEqual([7, 2]);
    expect(JSON.stringify(diagnosis)).not.toContain('hidden');
  });

  test('report an invalid map file, also without a database', async () => {
    const settings = { NIGHTSHIFT_MAPPED_FILE: '/not/there.json', NIGHTSHIFT_SOURCES: 'mapped' };
    const diagnosis = await examineUnder({ DATABASE_URL: away, ...settings });
    expect(finding(diagnosis, 'reaching mapped')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('/not/there.json') as string,
    });
  });

  test('take the age of a snapshot from its newest day', async () => {
    const database = await openTestDatabase();
    await loadCreatives(database, [
      { advertiser: 1, creative: 1, lastSeen: '2024-02-03' },
      { advertiser: 2, creative: 2, lastSeen: '2024-05-06' },
    ]);
    const diagnosis = await examineUnder({ DATABASE_URL: database.url });
    expect(remedies(diagnosis)).toMatchObject([{ name: 'age of the snapshot', status: 'warning' }]);
    expect(finding(diagnosis, 'age of the snapshot')?.found).toContain('2024-05-06');
  });
});
