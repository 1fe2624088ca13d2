import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccountReader } from '../../../db/queries/account-reader.ts';
import { ValidationError } from '../../../src/core/errors.ts';
import type { AccountQueries } from '../../../src/core/sql/account-queries.ts';
import { accountReaderOf, createTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { limitAccountMemory } from '../../../src/postgres-server/index.ts';
import { greedyQueries, harmlessQueries, refusedQueries } from '../../support/db/hostile-statements.ts';
import { buildFixture } from '../../support/db/fixture.ts';

const account = 1;
const never = new AbortController().signal;

let database: TestDatabase & { readonly close: () => Promise<void> };
let queries: AccountQueries;
let dataFolder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await buildFixture(database.app);
  const { rows } = await database.owner.pool.query<{ folder: string }>(
    "SELECT current_setting('data_directory') AS folder",
  );
  dataFolder = String(rows[0]?.folder);
  queries = openQueries(10_000);
});

afterAll(() => database.close());

function openQueries(timeoutMs: number): AccountQueries {
  const url = accountReaderOf(database.url);
  const limitMemory = (pid: number) => limitAccountMemory(pid, dataFolder);
  return createAccountReader({ url, db: database.app.sql, timeoutMs, limitMemory });
}

function run(text: string) {
  return queries.run(account, { text, rowsMax: 100, signal: never });
}

async function refusalOf(text: string): Promise<unknown> {
  return run(text).then(
    () => null,
    (error: unknown) => error,
  );
}

describe('API for SQL queries', () => {
  test.each(refusedQueries)('rejects without execution: $statement', async ({ statement, refusal }) => {
    const refused = await refusalOf(statement);
    expect(refused).toBeInstanceOf(ValidationError);
    expect(String(refused)).toMatch(refusal);
  });

  test('rejects XML in a domain, a composite type or a table', async () => {
    const { pool } = database.owner;
    await pool.query(`CREATE DOMAIN account_reports.paper AS xml; CREATE TYPE account_reports.sheet AS (page account_reports.paper[]);
      CREATE TABLE account_reports.shelf (a integer, b account_reports.sheet)`);
    try {
      for (const text of [
        "SELECT '<a/>'::paper",
        "SELECT '{<a/>}'::_paper",
        "SELECT '(x)'::sheet",
        'SELECT a FROM shelf',
      ])
        expect(String(await refusalOf(text)), text).toContain('cannot use XML');
    } finally {
      await pool.query(
        'DROP TABLE account_reports.shelf; DROP TYPE account_reports.sheet; DROP DOMAIN account_reports.paper',
      );
    }
  });

  test.each(harmlessQueries)('accepts: %s', async (text) => {
    expect((await run(text)).columns.length).toBeGreaterThan(0);
  });
});

/** Only Linux limits the allocation of a process, and only the private server starts with a limit. */
const isLimited = process.platform === 'linux' && process.env['NIGHTSHIFT_TEST_DATABASE_URL'] === undefined;

describe.runIf(isLimited)('query that exceeds a resource limit', () => {
  let quick: AccountQueries;
  let patient: AccountQueries;
  let bystander: pg.PoolClient;

  beforeAll(async () => {
    quick = openQueries(3000);
    patient = openQueries(100_000);
    bystander = await database.app.pool.connect();
  });
  afterAll(() => bystander.release());

  test.each(greedyQueries)(
    'is a validation error with the name of the limit: $statement',
    async ({ statement, refusal }) => {
      const reader = refusal.test('A query may take 3 seconds.') ? quick : patient;
      const refused = await reader.run(account, { text: statement, rowsMax: 100, signal: never }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(ValidationError);
      expect(String(refused)).toMatch(refusal);
      // Postgres ends every connection when one of its processes dies.
      expect((await bystander.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    },
  );
});

describe('concurrency slot of a query', () => {
  test('is in use until its server process has ended, even after timeout, disconnect and termination', async () => {
    const leaving = new AbortController();
    let gone: Promise<void> | undefined;
    let isGone = false;
    const running = queries.run(account, {
      text: 'SELECT pg_sleep(300)',
      rowsMax: 1,
      signal: leaving.signal,
      onBackend: (until) => {
        gone = until.then(() => void (isGone = true));
      },
    });
    running.catch(() => undefined);
    await expect.poll(sleepingPid).not.toBeUndefined();
    const pid = await sleepingPid();
    if (pid === undefined) throw new Error('The query does not run.');
    // Simulates code without checks for interrupts: it ignores cancellation.
    process.kill(pid, 'SIGSTOP');
    try {
      leaving.abort(new Error('gone'));
      await expect(running).rejects.toThrow('gone');
      await expect
        .poll(() => queries.countBackends())
        .toEqual({
          canceled: 1,
          terminated: 1,
          outliving: 1,
        });
      expect(isGone).toBe(false);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await gone;
    expect(queries.countBackends()).toMatchObject({ outliving: 0 });
    expect(await sleepingPid()).toBeUndefined();
  });

  async function sleepingPid(): Promise<number | undefined> {
    const { rows } = await database.owner.pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    return rows[0]?.pid;
  }
});
