import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccountLogins } from '../../../db/logins/account-logins.ts';
import { createAccountReader } from '../../../db/queries/account-reader.ts';
import { createBackendEnds } from '../../../db/queries/backend-ends.ts';
import { Misconfigured, NotFound, ValidationError } from '../../../src/core/errors.ts';
import type { AccountQueries } from '../../../src/core/sql/account-queries.ts';
import { openLoginAsker } from '../../support/api/account-client.ts';
import { accountReaderOf, createTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { asLogin, withClient } from '../../support/db/test-postgres.ts';
import { buildFixture } from '../../support/db/fixture.ts';

const by = { actor: 'test', address: null };
const account = 1;

let database: TestDatabase & { readonly close: () => Promise<void> };
let queries: AccountQueries;

beforeAll(async () => {
  database = await createTestDatabase();
  await buildFixture(database.app);
  queries = openQueries(accountReaderOf(database.url));
});

afterAll(() => database.close());

function openQueries(url: string | null, timeoutMs = 10_000): AccountQueries {
  return createAccountReader({ url, db: database.app.sql, timeoutMs });
}

function run(text: string, rowsMax = 100, signal = new AbortController().signal) {
  return queries.run(account, { text, rowsMax, signal });
}

describe('result of a query', () => {
  test('has its columns with types, and exact values in JSON', async () => {
    const answer = await run(
      `SELECT 1 AS one, 9007199254740993 AS big, 0.1 AS decimal, 'NaN'::float8 AS nan, 1.5::float8 AS float, true AS yes, NULL AS none,
        '{"a": [1]}'::jsonb AS json, ARRAY['a', 'b'] AS list, '2026-01-02 03:04:05.678901+02'::timestamptz AS at, '2026-01-02'::date AS day,
        interval '1 day 2 hours' AS span, 'x' AS one`,
    );
    expect(answer.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'one integer',
      'big bigint',
      'decimal numeric',
      'nan double precision',
      'float double precision',
      'yes boolean',
      'none text',
      'json jsonb',
      'list text[]',
      'at timestamp with time zone',
      'day date',
      'span interval',
      'one text',
    ]);
    const [row] = answer.rows;
    expect(row).toEqual([
      ...[1, '9007199254740993', '0.1', 'NaN', 1.5, true, null, { a: [1] }, '{a,b}'],
      ...['2026-01-02 01:04:05.678901+00', '2026-01-02', 'P1DT2H', 'x'],
    ]);
    expect(answer.isCutOff).toBe(false);
    expect(answer.elapsedMs).toBeGreaterThanOrEqual(0);
  });

  test('is truncated at the row limit, and marked so', async () => {
    const ask = async (rows: number, rowsMax: number) => {
      const { rows: found, isCutOff } = await run(`SELECT generate_series(1, ${rows})`, rowsMax);
      return [found.length, isCutOff];
    };
    expect(await ask(3, 3)).toEqual([3, false]);
    expect(await ask(4, 3)).toEqual([3, true]);
    // A million rows are not fetched and discarded: that would exceed the limit.
    expect(await ask(100_000_000, 3)).toEqual([3, true]);
    expect(await ask(0, 3)).toEqual([0, false]);
  });

  test.each(["SELECT repeat('x', 20000000)", "SELECT repeat('x', 1000000) FROM generate_series(1, 50)"])(
    'may have 16 MiB, and a larger one is rejected before it is in memory: %s',
    async (text) => {
      await expect(run(text)).rejects.toThrow(/larger than 16 MiB/);
      expect((await run('SELECT 1')).rows).toEqual([[1]]);
    },
  );
});

describe('query with an error', () => {
  test.each([
    ['SELEC 1', 'syntax error at or near "SELEC" (at character 1)'],
    ['SELECT nothing FROM ads', 'column "nothing" does not exist (at character 8)'],
    ['SELECT * FROM nowhere', 'relation "nowhere" does not exist'],
    ['SELECT * FROM reports.ads', 'Write their names alone'],
    ['SELECT 1 / 0', 'division by zero'],
    ['SELECT (SELECT generate_series(1, 2))', 'more than one row'],
    ["SELECT 'x'::integer", 'invalid input syntax'],
    ['SELECT 1; SELECT 2', 'one statement'],
    ['', 'one statement'],
    ['-- nothing', 'one statement'],
    ['SET ROLE nightshift_app', 'cannot open SET query as cursor'],
    ['DROP VIEW ads', 'cannot open DROP VIEW query as cursor'],
    ['BEGIN', 'cannot open BEGIN query as cursor'],
    ['WITH x AS (INSERT INTO batches DEFAULT VALUES RETURNING 1) SELECT * FROM x', 'This login only reads.'],
    ["SELECT lo_from_bytea(0, 'x')", 'lo_from_bytea'],
    ["SELECT set_config('statement_timeout', 'x', false)", 'invalid value'],
    ['SELECT repeat($$x$$, 2000000000)', 'requested length too large'],
  ])('fails with the message of Postgres: %s', async (text, words) => {
    const refused = await run(text).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ValidationError);
    expect(String(refused)).toContain(words);
  });

  test('does not change the session for the next query', async () => {
    await run(
      "SELECT set_config('search_path', 'pg_catalog', false), set_config('role', 'nightshift_account', false)",
    );
    await run("SELECT set_config('default_transaction_read_only', 'off', false)");
    expect(
      (
        await run(
          "SELECT current_user, current_setting('search_path'), current_setting('transaction_read_only')",
        )
      ).rows,
    ).toEqual([['nightshift_test_account_reader', 'account_reports', 'on']]);
    const { rows } = await database.owner.pool.query('SELECT FROM nightshift.reading_backends');
    expect(rows).toHaveLength(0);
  });
});

describe('long query', () => {
  test('ends at the timeout, even if it changes the timeout', async () => {
    const quick = openQueries(accountReaderOf(database.url), 300);
    const ask = (text: string) =>
      quick.run(account, { text, rowsMax: 1, signal: new AbortController().signal });
    await expect(ask('SELECT pg_sleep(60)')).rejects.toThrow(/statement timeout[^]*may take 0.3 seconds/);
    await expect(ask("SELECT set_config('statement_timeout', '0', false), pg_sleep(60)")).rejects.toThrow(
      ValidationError,
    );
  });

  test('is cancelled when its client disconnects, and its text is hidden from other sessions', async () => {
    const closing = new AbortController();
    const running = run("SELECT pg_sleep(15), 'a secret of ours'", 1, closing.signal).catch(
      (error: unknown) => error,
    );
    await expect.poll(sleeping).toBe(1);
    const seen = await queries.run(2, {
      text: 'SELECT query FROM pg_stat_activity WHERE usename = session_user AND datname = current_database()',
      rowsMax: 100,
      signal: new AbortController().signal,
    });
    expect(seen.rows).toHaveLength(2);
    expect(JSON.stringify(seen)).not.toContain('a secret of ours');
    closing.abort(new Error('gone'));
    expect(String(await running)).toBe('Error: gone');
    await expect.poll(sleeping).toBe(0);
  });

  test('is not ended for a query with the same process id on another server', async () => {
    const ends = createBackendEnds(database.app.sql);
    const running = run('SELECT pg_sleep(3)', 1);
    await expect.poll(sleeping).toBe(1);
    const { rows } = await database.owner.pool.query<{ pid: number; login: string }>(
      "SELECT pid, usename::text AS login FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    for (const { pid, login } of rows) await ends.awaitEnd({ pid, login, server: '2026-01-02 03:04:05+00' });
    expect(await sleeping()).toBe(1);
    await running;
    expect(ends.counts()).toEqual({ canceled: 0, terminated: 0, outliving: 0 });
  });

  async function sleeping(): Promise<number | null> {
    const { rowCount } = await database.owner.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    return rowCount;
  }
});

describe('reader login of queries', () => {
  test('is required, and the error names the setting', async () => {
    await expect(openQueries(null).check()).rejects.toThrow(/NIGHTSHIFT_ACCOUNT_READER_URL/);
    const asked = openQueries(null).run(account, {
      text: 'SELECT 1',
      rowsMax: 1,
      signal: new AbortController().signal,
    });
    await expect(asked).rejects.toThrow(Misconfigured);
    await expect(queries.check()).resolves.toBeUndefined();
  });

  test.each([
    ['a superuser', 'SUPERUSER', []],
    ['CREATEROLE', 'CREATEROLE', []],
    ['membership of another role', '', ['GRANT nightshift_reader TO']],
    ['membership of the application role', '', ['GRANT nightshift_app TO']],
    ['access to the tables', '', ['GRANT USAGE ON SCHEMA nightshift TO']],
    ['access to the views of all accounts', '', ['GRANT USAGE ON SCHEMA reports TO']],
  ])('is rejected with more privileges: %s', async (_who, attributes, grants) => {
    const { url, drop } = await makeRole(`LOGIN ${attributes} IN ROLE nightshift_account`, grants);
    await expect(openQueries(url).check()).rejects.toThrow(
      /has more privileges than reading one account, so it is not used/,
    );
    await drop();
  });

  test('must be a member of the role and able to connect', async () => {
    const { url, drop } = await makeRole('LOGIN', []);
    await expect(openQueries(url).check()).rejects.toThrow(/GRANT nightshift_account TO/);
    await expect(openQueries(asLogin(url, 'absent', 'x')).check()).rejects.toThrow(/is rejected/);
    await drop();
  });

  async function makeRole(attributes: string, grants: readonly string[]) {
    const name = `nightshift_test_${Math.trunc(performance.now() * 1000)}`;
    await withClient(database.url, async (client) => {
      await client.query(`CREATE ROLE ${name} PASSWORD 'secret' ${attributes}`);
      for (const grant of grants) await client.query(`${grant} ${name}`);
    });
    const drop = () =>
      withClient(database.url, (client) => client.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`));
    return { url: asLogin(database.url, name, 'secret'), drop };
  }
});

describe('login of an account', () => {
  const openLogins = (ownerUrl: string) => createAccountLogins({ db: database.app.sql, ownerUrl });

  test('reads the views by unqualified name, replaces its password, and reads nothing after its removal', async () => {
    const logins = openLogins(database.url);
    const created = await logins.create(account, by);
    expect(await logins.find(account)).toEqual({
      role: created.role,
      link: created.link,
      createdAt: created.createdAt,
    });
    expect(created.url).toContain(created.role);
    expect(created.link).not.toMatch(/:[0-9a-f]{48}@/);
    expect(created.role).toMatch(/^nightshift_account_[0-9a-f]{12}$/);
    const again = await logins.create(account, by);
    expect(again.role).toBe(created.role);
    await expect(openLoginAsker(created.url)).rejects.toThrow(/password/);
    const { ask, close } = await openLoginAsker(again.url);
    expect(await ask('SELECT count(*) AS n FROM batches')).toMatch(/"n":"[1-9]/);
    await logins.remove(account, by);
    await expect(ask('SELECT count(*) AS n FROM account_reports.batches')).rejects.toThrow(/not queryable/);
    await close();
    await expect(openLoginAsker(again.url)).rejects.toThrow(/authentication failed/);
    expect(await logins.find(account)).toBeNull();
    await expect(logins.remove(account, by)).rejects.toThrow(NotFound);
  });

  test('is in the audit log, without its password', async () => {
    const logins = openLogins(database.url);
    const { role, url } = await logins.create(account, by);
    await logins.remove(account, by);
    const { rows } = await database.owner.pool.query<{ event: string; line: string }>(
      "SELECT event, to_jsonb(a)::text AS line FROM nightshift.audit_log a WHERE event LIKE 'sql_login%' ORDER BY id DESC LIMIT 2",
    );
    expect(rows.map(({ event }) => event)).toEqual(['sql_login_removed', 'sql_login_created']);
    for (const { line } of rows) {
      expect(line).toContain(role);
      expect(line).not.toContain(new URL(url).password);
    }
  });

  test('sends its password in no statement', async () => {
    const { scramVerifier } = await import('../../../db/logins/scram.ts');
    expect(scramVerifier('secret')).toMatch(/^SCRAM-SHA-256\$4096:[^$]+\$[^:]+:[^:]+$/);
    expect(scramVerifier('secret')).not.toBe(scramVerifier('secret'));
  });

  test('requires the privilege to create roles: the error names it, and nothing is created', async () => {
    const name = 'nightshift_test_no_owner';
    await withClient(database.url, (client) =>
      client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' IN ROLE nightshift_app`),
    );
    try {
      const logins = openLogins(asLogin(database.url, name, 'secret'));
      await expect(logins.create(account, by)).rejects.toThrow(/permission denied[^]*CREATEROLE/);
      expect(await logins.find(account)).toBeNull();
    } finally {
      await withClient(database.url, (client) => client.query(`DROP ROLE ${name}`));
    }
  });
});
