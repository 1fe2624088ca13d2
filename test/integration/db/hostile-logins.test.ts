import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccountLogins } from '../../../db/logins/account-logins.ts';
import { openDatabase, type Database, type DatabaseOptions } from '../../../db/connection/client.ts';
import { openLeaderLock } from '../../../db/locks/leader-lock.ts';
import { findForeignLockHolder } from '../../../db/locks/lock-holder.ts';
import { advisoryLocks } from '../../../db/locks/advisory-locks.ts';
import { migrate } from '../../../db/migrate.ts';
import { createHousekeeping } from '../../../db/stores/purge/housekeeping.ts';
import { notifyWorkers } from '../../../db/connection/notifier.ts';
import type { AccountLogins, CreatedLogin } from '../../../src/core/sql/account-logins.ts';
import { ensurePrivateServer, type PrivateServer } from '../../../src/postgres-server/index.ts';
import { createQueue, postgresConnection, prepareQueue } from '../../../src/queue/connection.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { forbiddenStatements } from '../../support/db/hostile-statements.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { keptFor } from '../../support/db/retention.ts';
import { schemaFolder } from '../../support/db/test-postgres.ts';

const by = { actor: 'test', address: null };
const account = 1;
const never = new AbortController().signal;

let database: TestDatabase & { readonly close: () => Promise<void> };
let logins: AccountLogins;

beforeAll(async () => {
  database = await createTestDatabase();
  logins = createAccountLogins({ db: database.app.sql, ownerUrl: database.url });
});

afterEach(async () => {
  await logins.remove(account, by).catch(() => undefined);
});

afterAll(() => database.close());

/** A session with the account's own login, which may be ended from outside. */
async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

const pidOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;

async function isThere(pid: number): Promise<boolean> {
  const { rowCount } = await database.owner.pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
  return rowCount === 1;
}

const endLingering = async (idleMs: number, statementMs: number) => {
  const { rows } = await database.app.pool.query<{ ended: number }>(
    'SELECT nightshift.end_lingering_sessions($1, $2) AS ended',
    [idleMs, statementMs],
  );
  return rows[0]?.ended;
};

describe('removal of an account login', () => {
  test.each([
    ['changed default privileges', 'ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC'],
    [
      'changed default privileges of functions',
      'ALTER DEFAULT PRIVILEGES REVOKE ALL ON FUNCTIONS FROM PUBLIC',
    ],
    ['has its own settings', 'ALTER ROLE CURRENT_USER SET work_mem = 64'],
    ['is in a transaction', 'BEGIN; SELECT count(*) FROM account_reports.batches'],
    ['holds locks on views', 'BEGIN; LOCK TABLE account_reports.batches IN ACCESS SHARE MODE'],
    ['listens on a channel', 'LISTEN nightshift_work; BEGIN; SELECT 1'],
    ['has an open cursor', 'DECLARE c CURSOR WITH HOLD FOR SELECT * FROM account_reports.batches'],
  ])('succeeds for a session that %s', async (_what, script) => {
    const { role, url } = await logins.create(account, by);
    const session = await openSession(url);
    const pid = await pidOf(session);
    await session.query('SET default_transaction_read_only = off');
    for (const statement of script.split('; ')) await session.query(statement);
    await logins.remove(account, by);
    expect(await isThere(pid)).toBe(false);
    const { rowCount } = await database.owner.pool.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    expect(rowCount).toBe(0);
    await expect(openSession(url)).rejects.toThrow(/authentication failed/);
  });

  test('revokes the login and its rows first, even if the role cannot be dropped', async () => {
    const { role, url } = await logins.create(account, by);
    await database.owner.pool.query(`CREATE DATABASE ${role} OWNER ${role}`);
    onTestFinished(async () => {
      await database.owner.pool.query(`DROP DATABASE ${role}`);
      await database.owner.pool.query(`DROP ROLE ${role}`);
    });
    await logins.remove(account, by);
    await expect(openSession(url)).rejects.toThrow(/not permitted to log in|authentication failed/);
    expect(await logins.find(account)).toBeNull();
    expect((await logins.create(account, by)).role).not.toBe(role);
  });
});

describe('session of an account login', () => {
  test('that is idle in a transaction is terminated; others continue', async () => {
    const { url } = await logins.create(account, by);
    const [idle, resting] = [await openSession(url), await openSession(url)];
    await idle.query('SET idle_in_transaction_session_timeout = 0; LISTEN nightshift_work; BEGIN; SELECT 1');
    const pids = [await pidOf(idle), await pidOf(resting)];
    expect(await endLingering(60_000, 60_000)).toBe(0);
    await expect.poll(() => endLingering(0, 60_000)).toBe(1);
    await expect.poll(() => Promise.all(pids.map(isThere))).toEqual([false, true]);
  });

  test('with a long statement is terminated, whatever its own timeout', async () => {
    const { url } = await logins.create(account, by);
    const busy = await openSession(url);
    const pid = await pidOf(busy);
    await busy.query('SET statement_timeout = 0');
    const ended = busy.query('SELECT pg_sleep(300)').catch((error: unknown) => String(error));
    await expect.poll(() => endLingering(60_000, 50)).toBe(1);
    expect(await ended).toMatch(/terminating connection/);
    await expect.poll(() => isThere(pid)).toBe(false);
  });

  test('can be terminated by the application role only', async () => {
    const { url } = await logins.create(account, by);
    const session = await openSession(url);
    for (const call of ['end_lingering_sessions(0, 0)', 'end_lock_holders()', 'end_account_backend(1, true)'])
      await expect(session.query(`SELECT nightshift.${call}`)).rejects.toThrow('permission denied');
    const { rows } = await database.app.pool.query<{ ended: boolean }>(
      'SELECT nightshift.end_account_backend(pg_backend_pid(), true) AS ended',
    );
    expect(rows).toEqual([{ ended: false }]);
  });
});

describe('leader lock', () => {
  test('cannot be taken by accounts; a foreign holder is detected, and terminated by the dispatcher', async () => {
    const { role, url } = await logins.create(account, by);
    const session = await openSession(url);
    const take = `SELECT pg_advisory_lock(${advisoryLocks.dispatcher})`;
    await expect(session.query(take)).rejects.toThrow('permission denied');
    // As on a server whose administrator has not migrated.
    await database.owner.pool.query('GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC');
    await session.query(take);
    expect(await findForeignLockHolder(database.app.sql)).toBe(role);
    const leaderLock = openLeaderLock({ url: database.url, role: 'nightshift_app', leaseMs: 10_000 });
    await leaderLock.take(never);
    onTestFinished(() => leaderLock.leave());
    expect(await findForeignLockHolder(database.app.sql)).toBeNull();
  });

  test('is not visible to accounts', async () => {
    const session = await openSession((await logins.create(account, by)).url);
    await expect(session.query('SELECT * FROM pg_locks')).rejects.toThrow('permission denied');
    await expect(session.query("SELECT pg_catalog.xpath('//a', '<a/>')")).rejects.toThrow(
      'permission denied',
    );
  });
});

describe('account login on the private server', () => {
  const homes = createHomes();
  let server: PrivateServer;
  let app: Database;
  let login: CreatedLogin;

  beforeAll(async () => {
    // The smallest possible queue of notifications, 512 KiB, which fills quickly.
    server = await ensurePrivateServer({
      home: await homes.make(),
      settings: { max_notify_queue_pages: '64' },
    });
    const ownerUrl = server.url('nightshift_owner');
    await migrate(ownerUrl, schemaFolder);
    app = openPool();
    login = await createAccountLogins({ db: app.sql, ownerUrl }).create(account, by);
  });
  afterAll(async () => {
    await app.close();
    await homes.clear();
  });

  function openPool(changes: Partial<DatabaseOptions> = {}): Database {
    const url = server.url('nightshift_app');
    const onIdleError = () => undefined;
    return openDatabase({
      url,
      role: 'nightshift_app',
      connectionsMax: 3,
      name: 'nightshift test',
      onIdleError,
      ...changes,
    });
  }

  test.each(forbiddenStatements)('cannot run: $statement', async ({ statement, refusal }) => {
    const session = await openSession(login.url);
    await session.query('SET default_transaction_read_only = off');
    await expect(session.query(statement)).rejects.toThrow(refusal);
  });

  test('sees no sequence values, no statements of other sessions and no statistics', async () => {
    const session = await openSession(login.url);
    const count = async (from: string) => (await session.query(`SELECT FROM ${from}`)).rowCount;
    expect(
      await count("pg_sequences WHERE schemaname IN ('nightshift', 'bullmq') AND last_value IS NOT NULL"),
    ).toBe(0);
    expect(
      await count(
        'pg_stat_activity WHERE usename <> session_user AND (xact_start, backend_start) IS NOT NULL',
      ),
    ).toBe(0);
    expect(await count("pg_stats WHERE schemaname IN ('nightshift', 'bullmq')")).toBe(0);
    expect(await count("information_schema.columns WHERE table_schema = 'nightshift'")).toBe(0);
  });

  test('has limits of connections and temporary files', async () => {
    const sessions = await Promise.all([1, 2, 3, 4, 5].map(() => openSession(login.url)));
    await expect(openSession(login.url)).rejects.toThrow('too many connections for role');
    const [first] = sessions;
    expect((await first?.query('SHOW temp_file_limit'))?.rows).toEqual([{ temp_file_limit: '1GB' }]);
    expect((await first?.query('SHOW max_parallel_workers_per_gather'))?.rows).toEqual([
      { max_parallel_workers_per_gather: '0' },
    ]);
  });

  test('gets the memory limit of queries from housekeeping', async () => {
    const session = await openSession(login.url);
    const limitMemory = vi.fn(() => Promise.resolve(true));
    await createHousekeeping(app.sql, keptFor({}), limitMemory).tidy();
    expect(limitMemory.mock.calls).toEqual([[await pidOf(session)]]);
  });

  test('receives notifications of work without payload', async () => {
    const session = await openSession(login.url);
    const heard = new Promise<pg.Notification>((resolve) => session.once('notification', resolve));
    await session.query('LISTEN nightshift_work');
    await notifyWorkers(app.sql);
    expect(await heard).toMatchObject({ channel: 'nightshift_work', payload: '' });
  });

  test('that fills the notification queue fails no commit and no job, and is terminated', async () => {
    const queuePool = openPool({ searchPath: 'bullmq' });
    onTestFinished(() => queuePool.close());
    const connection = postgresConnection(queuePool.pool);
    await prepareQueue(connection);
    await prepareQueue(connection);
    const [listener, crier] = [await openSession(login.url), await openSession(login.url)];
    for (const statement of [
      'SET idle_in_transaction_session_timeout = 0',
      'LISTEN mine',
      'BEGIN',
      'SELECT 1',
    ])
      await listener.query(statement);
    const fill = async () => {
      for (;;) await crier.query(`NOTIFY mine, '${'x'.repeat(7000)}${Math.random()}'`);
    };
    await expect(fill()).rejects.toThrow('too many notifications');
    await expect(app.pool.query("SELECT pg_notify('any', '')")).rejects.toThrow('too many notifications');

    await app.sql.transaction((transaction) => notifyWorkers(transaction));
    const queue = createQueue('test', connection);
    onTestFinished(() => queue.close());
    await queue.add('job', {});
    expect(await queue.getWaitingCount()).toBe(1);

    const { rows } = await app.pool.query('SELECT nightshift.end_lingering_sessions(60000, 300000) AS ended');
    expect(rows).toEqual([{ ended: 1 }]);
    // Postgres cleans the queue when a session reads its usage, which every notification does.
    const notify = async () => {
      await notifyWorkers(app.sql);
      await app.pool.query("SELECT pg_notify('any', '')");
      return 'sent';
    };
    await expect.poll(() => notify().catch(String)).toBe('sent');
  });
});
