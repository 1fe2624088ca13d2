import { randomBytes } from 'node:crypto';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createAccountReader } from '../../../db/queries/account-reader.ts';
import { openLeaderLock } from '../../../db/locks/leader-lock.ts';
import { createRequestLimits } from '../../../src/api/http/request-limits.ts';
import { openApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { diagnose } from '../../../src/doctor/diagnose.ts';
import { createLog } from '../../../src/log.ts';
import { openTestCli } from '../../support/cli/test-cli.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { openPgBouncer, pgBouncerUnavailableReason, type PgBouncer } from '../../support/db/pgbouncer.ts';
import { asLogin, withClient } from '../../support/db/test-postgres.ts';
import { expectInvariants } from '../../support/faults/batch-audit.ts';
import { eachBackend, type Backend } from '../../support/queue/backends.ts';

const reason = pgBouncerUnavailableReason();

describe.skipIf(reason !== null && process.env['CI'] !== 'true')(
  `through PgBouncer${reason === null ? '' : ` (not run: ${reason})`}`,
  () => {
    test('doctor and commands find that the address of the server itself is missing', async () => {
      const { pooler, login } = await openPooled();
      const environment = { DATABASE_URL: pooler.url(login) };
      expect(await poolerFinding(environment)).toMatchObject({
        status: 'problem',
        found: expect.stringContaining('a pooler answers at DATABASE_URL') as string,
        remedy: expect.stringContaining('NIGHTSHIFT_DIRECT_URL') as string,
      });
      const cli = openCli(environment);
      const { exitCode, stderr } = await cli.start(['status']).ended;
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('into NIGHTSHIFT_DIRECT_URL')]);
    });

    test('migrate does not leave its lock in a session of the pooler', async () => {
      const { database, pooler } = await openPooled();
      const cli = openCli({ DATABASE_URL: pooler.url(new URL(database.url).username) });
      const { exitCode, stderr } = await cli.run(['migrate']);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('into NIGHTSHIFT_DIRECT_URL')]);
      const { rows } = await database.owner.pool.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      );
      expect(rows).toEqual([]);
    });

    test('a load takes no lock in a session of a pooler that NIGHTSHIFT_DIRECT_URL leads to', async () => {
      const { pooler, login, environment } = await openPooled({ ignored: 'options' });
      await openCli(environment).ask(['migrate', '--logins']);
      const cli = openCli({ ...environment, NIGHTSHIFT_DIRECT_URL: pooler.url(login) });
      cli.write('list.csv', 'company_domain\nnike.com\n');
      const { exitCode, stderr } = await cli.run(['load', 'list.csv', '--source', 'sample']);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('into NIGHTSHIFT_DIRECT_URL')]);
    });

    test('the leader lock is not taken in a session of the pooler', async () => {
      const { pooler, login } = await openPooled({ ignored: 'options' });
      const lock = openLeaderLock({ url: pooler.url(login), role: 'nightshift_app', leaseMs: 5000 });
      onTestFinished(() => lock.leave());
      await expect(lock.take(new AbortController().signal)).rejects.toThrow('NIGHTSHIFT_DIRECT_URL');
    });

    test.each(['', 'options'])(
      'the query of an account is not run in a session of the pooler, and doctor reports it; ignored parameters: %j',
      async (ignored) => {
        const { database, pooler, login } = await openPooled({ ignored });
        await database.owner.pool.query(`GRANT nightshift_account TO ${login}`);
        const url = pooler.url(login);
        const queries = createAccountReader({ url, db: database.app.sql, timeoutMs: 10_000 });
        const request = { text: 'SELECT 1', rowsMax: 1, signal: new AbortController().signal };
        await expect(queries.run(1, request)).rejects.toThrow(
          /A pooler answers at NIGHTSHIFT_ACCOUNT_READER_URL/,
        );
        const environment = { DATABASE_URL: database.url, NIGHTSHIFT_ACCOUNT_READER_URL: url };
        expect(await findingOf(environment, ['SQL of accounts'])).toMatchObject({
          status: 'problem',
          remedy: expect.stringContaining('address of the server itself') as string,
        });
      },
    );

    test('migrate makes the login and limits its idle transactions, and doctor checks each part', async () => {
      const { database, pooler, login, environment } = await openPooled();
      const cli = openCli(environment);
      expect(await poolerFinding(environment)).toMatchObject({
        status: 'problem',
        found: expect.stringContaining('rights') as string,
      });
      await cli.ask(['migrate', '--logins']);
      const { rows } = await database.owner.pool.query<{ settings: string }>(
        'SELECT setconfig::text AS settings FROM pg_db_role_setting WHERE setrole = $1::regrole',
        [login],
      );
      expect(rows).toEqual([{ settings: '{idle_in_transaction_session_timeout=30000}' }]);
      await reconnect(login, database);
      expect(await poolerFinding(environment)).toMatchObject({ status: 'ok' });

      const twice = { ...environment, NIGHTSHIFT_DIRECT_URL: pooler.url(login) };
      expect(await poolerFinding(twice)).toMatchObject({
        status: 'problem',
        found: expect.stringContaining('NIGHTSHIFT_DIRECT_URL') as string,
      });
      const elsewhere = await createTestDatabase();
      onTestFinished(elsewhere.close);
      const { username, password } = new URL(environment.NIGHTSHIFT_DIRECT_URL);
      const other = { ...environment, NIGHTSHIFT_DIRECT_URL: asLogin(elsewhere.url, username, password) };
      expect(await poolerFinding(other)).toMatchObject({
        found: expect.stringContaining('different databases') as string,
      });
    });

    test('a login that may do more than the application is rejected', async () => {
      const { database, pooler } = await openPooled();
      const { username } = new URL(database.url);
      const cli = openCli({ DATABASE_URL: pooler.url(username), NIGHTSHIFT_DIRECT_URL: database.url });
      const { exitCode, stderr } = await cli.start(['status']).ended;
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('may change the schema or the ledger')]);
    });

    test('the rate limits of a queue on Postgres are shared by all processes', async () => {
      const { environment } = await openPooled();
      await openCli(environment).ask(['migrate', '--logins']);
      const app = await openApp(readConfig(environment), {
        log: createLog('silent'),
        onProgress: () => undefined,
      });
      onTestFinished(() => app.close());
      const onError = vi.fn();
      const openLimits = () =>
        createRequestLimits(app.work.limits, {
          queuePrefix: 'pooled',
          rates: { perKey: 10, perAccount: 10, failuresPerAddress: 10 },
          onError,
        });
      const taken = [openLimits(), openLimits()].flatMap((limits) =>
        Array.from({ length: 20 }, (_, n) => limits.takeFailure(`198.51.100.${n % 10}`)),
      );
      const remaining = (await Promise.all(taken)).map((each) => each.remaining);
      expect(onError.mock.calls).toEqual([]);
      expect(remaining.toSorted((a, b) => a - b)).toEqual(
        [6, 7, 8, 9].flatMap((each) => Array<number>(10).fill(each)),
      );
    });

    eachBackend(({ open }) => {
      test('the demo runs, its results are exported and verified', { timeout: 300_000 }, async () => {
        const { pooler, environment } = await openPooled({}, open);
        const cli = openCli(environment);
        await cli.ask(['migrate', '--logins']);
        const demo = await cli.start(['demo']).ended;
        expect(demo.exitCode, demo.stderr).toBe(0);
        expect(demo.stdout).toMatch(
          /Companies +55: \d+ found, \d+ without ads, \d+ not identified, 0 failed/,
        );
        await expectInvariants(environment);
        const query = await cli.start(['sql', 'select count(*) from batches']).ended;
        expect(query.exitCode, query.stderr).toBe(0);
        expect(await pooler.countTransactions()).toBeGreaterThan(100);
      });
    });
  },
);

interface Pooled {
  readonly database: TestDatabase;
  readonly pooler: PgBouncer;
  /** Name of a login that `migrate --logins` makes. */
  readonly login: string;
  readonly environment: Environment & { readonly NIGHTSHIFT_DIRECT_URL: string };
}

/** Opens a database, and a PgBouncer before it that has three connections for all clients. */
async function openPooled(
  options: { readonly ignored?: string } = {},
  open?: Backend['open'],
): Promise<Pooled> {
  const { database, environment } = open === undefined ? await openAlone() : await open();
  const { username, password } = new URL(database.url);
  const login = `pooled_${randomBytes(6).toString('hex')}`;
  const secret = randomBytes(12).toString('hex');
  const pooler = await openPgBouncer({
    target: database.url,
    logins: { [username]: decodeURIComponent(password), [login]: secret },
    poolSize: 3,
    ...options,
  });
  onTestFinished(async () => {
    await pooler.close();
    await withClient(inject('postgresUrl'), async (client) => {
      await client.query(`DROP ROLE IF EXISTS ${login}`);
    });
  });
  if (options.ignored !== undefined || open === undefined)
    await database.owner.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD '${secret}'`);
  return {
    database,
    pooler,
    login,
    environment: {
      ...environment,
      DATABASE_URL: pooler.url(login),
      NIGHTSHIFT_DIRECT_URL: asLogin(database.url, login, secret),
      NIGHTSHIFT_OWNER_URL: database.url,
    },
  };
}

async function openAlone() {
  const database = await createTestDatabase();
  onTestFinished(database.close);
  return { database, environment: {} };
}

function openCli(environment: Environment) {
  const cli = openTestCli(environment, { inProcess: true });
  onTestFinished(() => cli.close());
  return cli;
}

function poolerFinding(environment: Environment) {
  return findingOf(environment, ['pooler', 'database']);
}

async function findingOf(environment: Environment, names: readonly string[]) {
  const options = { nodeVersion: '22.11.0', onProgress: () => undefined };
  const { findings } = await diagnose(readConfig(environment), options);
  return findings.findLast(({ name }) => names.includes(name));
}

/** Ends the connections of the pooler: new ones have the new defaults of the login. */
async function reconnect(login: string, { owner }: TestDatabase): Promise<void> {
  await owner.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
    login,
  ]);
}
