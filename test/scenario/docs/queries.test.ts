import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/db/database.ts';
import { codeIn } from '../../support/cli/error-code.ts';
import { openTestCli, useTestCli } from '../../support/cli/test-cli.ts';
import { inDatabase, withClient } from '../../support/db/test-postgres.ts';

describe('search', () => {
  const cli = useTestCli({ inProcess: true });

  test.each([
    { by: 'domain', args: ['--domain', 'nike.com'], name: 'Nike, Inc.' },
    { by: 'name', args: ['--name', 'Nike'], name: 'Nike' },
  ])('by $by: --json prints the response body of the contract', async ({ args, name }) => {
    const body = (await cli().ask(['search', ...args, '--source', 'sample'])) as {
      ads: readonly Record<string, unknown>[];
      ads_count: number;
    };
    expect(body).toMatchObject({ message: 'Ads found.', credits_consumed: 0.2, company_name: name });
    expect(body.ads_count).toBe(body.ads.length);
    expect(body.ads[0]).toMatchObject({
      advertiser_id: expect.stringMatching(/^AR/) as unknown,
      creative_id: expect.stringMatching(/^CR/) as unknown,
      original_url: expect.stringMatching(/^https:/) as unknown,
      variants: [
        {
          content: expect.stringMatching(/^<img src="\/sample-creatives\/CR\d{20}-\d+\.svg" /) as unknown,
          height: expect.any(Number) as unknown,
          width: expect.any(Number) as unknown,
        },
      ],
      headline: expect.stringContaining('Nike') as unknown,
      start: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
      last_seen: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
      advertiser_name: expect.stringContaining('Nike') as unknown,
      format: expect.any(String) as unknown,
    });
  });

  test('unknown company: empty answer, free of charge, no failure', async () => {
    expect(await cli().ask(['search', '--name', 'Nobody We Know', '--source', 'sample'])).toMatchObject({
      company_name: 'Nobody We Know',
      ads: [],
      ads_count: 0,
      credits_consumed: 0,
      message: 'No ads found for this company.',
      match: 'no_match',
    });
  });

  test('text output has the count, the cost and a note on generated ads', async () => {
    const { stdout, stderr } = await cli().run(['search', '--domain', 'nike.com', '--source', 'sample']);
    expect(stdout).toMatch(/^Ads found\. Nike, Inc\.: \d+ ads, 0\.2 credits charged, matched by /);
    expect(stderr).toContain('generated data');
  });
});

describe('sql', () => {
  const cli = useTestCli({ inProcess: true });
  const outcomes = 'select outcome, count(*) from reports.lookups group by 1 order by 1';

  beforeAll(async () => {
    cli().write('list.csv', 'company\nNike\n"=1+1"\n');
    await cli().ask(['enrich', 'list.csv', '--source', 'sample', '-o', 'out.csv']);
  });

  test('prints a table, CSV or JSON', async () => {
    const table = await cli().run(['sql', outcomes]);
    expect(table.stdout).toContain('│ found    │ 1     │');
    expect(table.stdout).toContain('2 rows');
    expect((await cli().run(['sql', outcomes, '--format', 'csv'])).stdout).toBe(
      'outcome,count\nfound,1\nno_match,1\n',
    );
    const json = [
      { outcome: 'found', count: 1 },
      { outcome: 'no_match', count: 1 },
    ];
    expect(JSON.parse((await cli().run(['sql', outcomes, '--format', 'json'])).stdout)).toEqual(json);
    expect(await cli().ask(['sql', outcomes])).toEqual(json);
  });

  test('CSV escapes formulas, and JSON keeps columns of the same name', async () => {
    const { stdout } = await cli().run(['sql', "select '=1+1' as a, null as b", '--format', 'csv']);
    expect(stdout).toBe("a,b\n'=1+1,\n");
    expect(await cli().ask(['sql', 'select 1 as a, 2 as a'])).toEqual([{ a: 1, a_2: 2 }]);
  });

  test.each([
    {
      what: 'a syntax error',
      query: 'select from where',
      says: /syntax error .*\(at character \d+\)/,
    },
    { what: 'two statements', query: 'select 1; select 2', says: /multiple commands/ },
    { what: 'an unknown view', query: 'select * from reports.nothing', says: /sql --views/ },
    {
      what: 'the tables behind the views',
      query: 'select * from nightshift.lookups',
      says: /permission denied/,
    },
    { what: 'a write', query: "insert into nightshift.prices values ('a')", says: /permission denied/ },
    { what: 'a write to a view', query: 'delete from reports.ad_variants', says: /permission denied/ },
    {
      what: 'a write to a view that joins',
      query: 'delete from reports.ads',
      says: /This login only reads\./,
    },
    { what: 'a table of its own', query: 'create table t (a int)', says: /read-only/ },
    {
      what: 'the end of the transaction',
      query: 'rollback; delete from reports.batches',
      says: /multiple/,
    },
    { what: 'reading files', query: "select pg_read_file('/etc/passwd')", says: /permission denied/ },
    { what: 'no query', query: ' ', says: /--url/ },
  ])('$what is rejected with a clear message', async ({ query, says }) => {
    const { exitCode, stdout, stderr } = await cli().run(['sql', query, '--json']);
    expect([exitCode, codeIn(stdout)]).toEqual([2, 'validation_error']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('..');
    // The hint of Postgres for a write to a view recommends a trigger.
    expect(stderr).not.toContain('trigger');
    expect(stderr).not.toMatch(/\n +at /);
  });

  test('the role rejects writes in psql, even with the read-only setting off', async () => {
    await withClient(cli().environment['DATABASE_URL'] ?? '', async (client) => {
      await client.query('SET ROLE nightshift_reader');
      await client.query('SET default_transaction_read_only = off');
      await client.query('SET transaction_read_only = off');
      expect((await client.query('select * from reports.lookups')).rowCount).toBe(2);
      for (const statement of [
        'delete from nightshift.batches',
        'delete from reports.ad_variants',
        'insert into nightshift.ledger_entries (account_id) values (1)',
        'create table reports.t (a int)',
        'select key_sha256 from nightshift.api_keys',
      ])
        await expect(client.query(statement), statement).rejects.toThrow(/permission denied/);
    });
  });
});

describe('config', () => {
  const cli = useTestCli({ sample: false, inProcess: true });
  const secrets = {
    NIGHTSHIFT_UPSTREAM_URL: 'http://127.0.0.1:1',
    NIGHTSHIFT_UPSTREAM_KEY: 'the-upstream-key',
    REDIS_URL: 'redis://:the-redis-password@127.0.0.1:1',
  };

  test('shows every setting with its origin, and no secret', async () => {
    for (const more of [[], ['--json']]) {
      const { exitCode, stdout, stderr } = await cli().run(['config', ...more], { environment: secrets });
      expect(exitCode).toBe(0);
      expect(stdout).toContain('NIGHTSHIFT_CONCURRENCY');
      expect(stdout).toContain('http://127.0.0.1:1');
      expect(stdout + stderr).not.toMatch(/the-upstream-key|the-redis-password|postgres:\/\//);
    }
  });

  test('an invalid configuration prints the list and then the error', async () => {
    const environment = { NIGHTSHIFT_SOURSES: 'sample' };
    const { exitCode, stdout, stderr } = await cli().run(['config'], { environment });
    expect(exitCode).toBe(2);
    expect(stdout).toContain('NIGHTSHIFT_SOURCES');
    expect(stderr).toContain('NIGHTSHIFT_SOURSES: unknown setting');
    const json = await cli().run(['config', '--json'], { environment });
    expect(JSON.parse(json.stdout)).toMatchObject({ errors: [{ status: 500, code: 'not_configured' }] });
  });
});

describe('migrate', () => {
  test('creates the schema of a given database once, also from two processes; earlier commands ask for it', async () => {
    const database = await createTestDatabase();
    const url = inDatabase(database.url, 'postgres');
    const name = `bare_${process.pid}_${Date.now()}`;
    await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
    // As while another process creates it: the schema exists, but the role has no access yet.
    await withClient(inDatabase(url, name), (client) => client.query('CREATE SCHEMA nightshift'));
    const cli = openTestCli({ DATABASE_URL: inDatabase(url, name) });
    try {
      const early = await cli.run(['credits', '--json']);
      expect([early.exitCode, codeIn(early.stdout)]).toEqual([2, 'not_configured']);
      expect(early.stderr).toContain('nightshift migrate');
      const both = (await Promise.all([cli.ask(['migrate']), cli.ask(['migrate'])])) as readonly {
        applied: readonly string[];
        total: number;
      }[];
      const [{ total } = { total: 0 }] = both;
      expect(total).toBeGreaterThanOrEqual(1);
      expect(both.map(({ applied }) => applied.length).sort()).toEqual([0, total]);
      expect(await cli.ask(['migrate'])).toEqual({ applied: [], total, redefined: false });
      expect(await cli.ask(['credits'])).toMatchObject({ balance: 10_000 });
    } finally {
      await cli.close();
      await withClient(url, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
      await database.close();
    }
  });
});
