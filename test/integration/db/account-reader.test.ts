import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { createSourcePrices } from '../../../db/stores/sources/source-prices.ts';
import { createAccountLogins } from '../../../db/logins/account-logins.ts';
import { createAccountReader } from '../../../db/queries/account-reader.ts';
import { eventTypes } from '../../../src/core/events/event.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import type { AccountLogins } from '../../../src/core/sql/account-logins.ts';
import type { AccountQueries } from '../../../src/core/sql/account-queries.ts';
import { nastyScripts, nastyStatements, openLoginAsker, type Ask } from '../../support/api/account-client.ts';
import { accountReaderOf, createTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { buildPurgeFixture } from '../../support/db/purge-fixture.ts';

const by = { actor: 'test', address: null };
const never = new AbortController().signal;

let database: TestDatabase & { readonly close: () => Promise<void> };
let queries: AccountQueries;
let logins: AccountLogins;
/** The account `default`, with some data of every kind. */
const rich = 1;
/** An account with a finished batch. */
let others: number;
let views: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase();
  others = (await buildPurgeFixture(database)).others.accountId;
  const db = database.app.sql;
  await purge(createPurgeStore(db), { orders: [{ kind: 'searches', ageMs: 30 * 86_400_000 }] });
  queries = createAccountReader({ url: accountReaderOf(database.url), db, timeoutMs: 10_000 });
  logins = createAccountLogins({ db, ownerUrl: database.url });
  views = await column("SELECT viewname FROM pg_views WHERE schemaname = 'reports' ORDER BY 1");
  // Gives the planner statistics, which it could reveal.
  await database.owner.pool.query('ANALYZE');
});

afterAll(async () => {
  for (const accountId of [rich, others]) await logins.remove(accountId, by).catch(() => undefined);
  await database.close();
});

describe('views of accounts', () => {
  test('have the names, columns, types, comments and functions of the views of reports', async () => {
    const described = async (schema: string) =>
      (await column(describedIn(schema))).map((line) => line.replaceAll(/\b(account_)?reports\./g, ''));
    const wanted = await described('reports');
    expect(await described('account_reports')).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(250);
    expect((await queries.listViews()).map(({ name }) => name)).toEqual([...views, 'ads_as_of'].sort());
  });

  test('show every row of reports to its own account only', async () => {
    // Data visible to everyone, and data shown to several accounts: a version of an ad that both have seen.
    const shared = ['prices', 'ad_variants', 'removed_ads'];
    const masked = ['source_calls', 'source_charges', 'source_prices'];
    for (const view of views.filter((name) => ![...shared, ...masked].includes(name))) {
      const all = await column(`SELECT to_jsonb(v)::text FROM reports.${view} v`);
      const seen = await Promise.all([rich, others].map((accountId) => read(accountId, view)));
      expect(seen[0]?.length, view).toBeGreaterThan(0);
      expect(seen.flat().sort(), view).toEqual(all.toSorted());
      expect(
        seen[0]?.filter((row) => seen[1]?.includes(row)),
        view,
      ).toEqual([]);
    }
  });

  test('show variants of ads that the account observed, and the price book to all accounts', async () => {
    for (const accountId of [rich, others]) {
      const seen = await column(
        `SELECT DISTINCT to_jsonb(v)::text FROM reports.ad_variants v JOIN nightshift.lookup_ads s USING (version_id)
          JOIN nightshift.all_lookups l ON l.id = s.lookup_id WHERE l.account_id = ${accountId}`,
      );
      expect((await read(accountId, 'ad_variants')).toSorted()).toEqual(seen.toSorted());
      expect(seen.length).toBeGreaterThan(0);
      expect(await read(accountId, 'prices')).toHaveLength(
        (await column('SELECT FROM reports.prices')).length,
      );
    }
  });

  test('show charges of sources to the account of the operator only', async () => {
    await createSourcePrices(database.app.sql).set({
      source: 'upstream',
      amount: '0.5',
      currency: 'credits',
      unit: 'search',
      note: null,
    });
    await database.owner.pool.query(
      `INSERT INTO nightshift.source_calls (lookup_id, source, request_key, units, source_charge, answered_at, answer)
        SELECT min(id), 'upstream', 'paid ' || account_id, 1, 0.5, now(), 'found' FROM nightshift.all_lookups GROUP BY account_id`,
    );
    const charged =
      'SELECT (SELECT count(*) FROM source_prices) > 0, (SELECT max(charged) FROM source_charges), (SELECT max(source_charge) FROM source_calls)';
    expect(await rowsOf(rich, charged)).toEqual([[true, '0.5', '0.5']]);
    expect(await rowsOf(others, charged)).toEqual([[false, null, null]]);
    expect(await rowsOf(others, 'SELECT count(*) > 0 FROM source_calls')).toEqual([[true]]);
  });

  test('are created for a new view of reports, which must have the column account', async () => {
    const { pool } = database.owner;
    const make = 'SELECT nightshift.make_account_views()';
    try {
      await pool.query("CREATE VIEW reports.owned AS SELECT 'others'::text AS account, 7 AS n");
      await pool.query(make);
      expect([
        await rowsOf(others, 'SELECT n FROM owned'),
        await rowsOf(rich, 'SELECT n FROM owned'),
      ]).toEqual([[[7]], []]);
      await pool.query('CREATE VIEW reports.unowned AS SELECT 1 AS n');
      await expect(pool.query(make)).rejects.toThrow('reports.unowned');
    } finally {
      await pool.query('DROP VIEW IF EXISTS reports.owned, reports.unowned CASCADE');
    }
    expect(
      await column("SELECT viewname FROM pg_views WHERE schemaname = 'account_reports' ORDER BY 1"),
    ).toEqual(views);
  });

  test('are empty in an unbound session, and in one with the id of a bound session', async () => {
    const { ask, close } = await openLoginAsker(accountReaderOf(database.url));
    const counts = 'SELECT (SELECT count(*)::text FROM batches) || (SELECT count(*) FROM ads) AS seen';
    expect(await ask(`SET search_path = account_reports; ${counts}`)).toContain('"seen":"00"');
    await database.owner.pool.query(
      `INSERT INTO nightshift.reading_backends SELECT pid, backend_start - interval '1 second', ${rich}
        FROM pg_stat_get_activity(NULL) WHERE usesysid = 'nightshift_test_account_reader'::regrole`,
    );
    expect(await ask(`SET search_path = account_reports; ${counts}`)).toContain('"seen":"00"');
    await close();
    await database.app.pool.query('DELETE FROM nightshift.reading_backends');
  });
});

describe.each(['through the API', 'with its own login'])('queries of an account %s', (way) => {
  let ask: Ask;
  let close = async (): Promise<void> => undefined;
  /** Texts that occur only in rows of the other account. */
  let traces: readonly string[];

  beforeAll(async () => {
    const [mine, theirs] = await Promise.all([textsSeenBy(others), textsSeenBy(rich)]);
    traces = [...theirs].filter((text) => !mine.has(text));
    if (way === 'through the API') {
      ask = (text) =>
        queries.run(others, { text, rowsMax: 10_000, signal: never }).then(
          (answer) => JSON.stringify(answer),
          (error: unknown) => String(error),
        );
      return;
    }
    ({ ask, close } = await openLoginAsker((await logins.create(others, by)).url));
  });
  afterAll(() => close());

  test('are tested against enough data of another account', () => {
    expect(traces.length).toBeGreaterThan(50);
    expect(traces).toEqual(expect.arrayContaining(['rivals.csv', 'rival-1.com', 'jane@acme.com']));
  });

  test('return its own rows', async () => {
    expect(await ask('SELECT file_name FROM batches')).toContain('others.csv');
    expect(await ask('SELECT session_user')).not.toContain('others');
  });

  test.each(nastyStatements)('return nothing of another account: %s', async (statement) => {
    expectNoTrace(await ask(statement), statement);
  });

  test('return nothing of another account from any view or column', async () => {
    for (const view of views) {
      expectNoTrace(await ask(`SELECT * FROM ${view}`), view);
      expectNoTrace(await ask(`SELECT v::text::integer FROM ${view} v`), view);
    }
  });

  test('change nothing, and grant no privilege', async () => {
    expect(await column("SELECT count(*) FROM nightshift.accounts WHERE name = 'mine'")).toEqual(['0']);
    expect(await ask('SELECT count(*) AS n FROM batches')).toMatch(/"n":"?1|\[\[1\]\]/);
  });

  test.runIf(way === 'with its own login').each(nastyScripts)(
    'return nothing of another account in several statements: %s',
    async (script) => {
      expectNoTrace(await ask(script), script);
    },
  );

  test.runIf(way === 'with its own login')(
    'do not reveal values of other accounts in query plans',
    async () => {
      const plan = async (view: string, condition: string) =>
        (
          await ask(
            `EXPLAIN (ANALYZE, COSTS, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT * FROM ${view} WHERE ${condition}`,
          )
        )
          // Texts of the condition itself, and the amount of memory.
          .replaceAll(/"QUERY PLAN":"(?:[^"\\]|\\.)*(?:Filter|Cond): \((?:[^"\\]|\\.)*"/g, '')
          .replaceAll(/Memory: \d+kB/g, '');
      let compared = 0;
      for (const { name: view, columns, parameters } of await queries.listViews()) {
        if (parameters !== null) continue;
        for (const { name, type } of columns.filter((each) => each.type !== 'boolean')) {
          const own = new Set(
            (await rowsOf(others, `SELECT DISTINCT ${name}::text FROM ${view}`)).map(([value]) => value),
          );
          const values = await column(
            `SELECT ${name}::text FROM reports.${view} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`,
          );
          const value = values.find((text) => !own.has(text) && !text.includes("'"));
          if (value === undefined) continue;
          const [theirs, unused] = [value, unusedValue(type)].map((text) =>
            plan(view, `${name} = '${text}'::${type}`),
          );
          expect(await theirs, `${view}.${name}`).toBe(await unused);
          expect(await theirs, `${view}.${name}`).toContain('QUERY PLAN');
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThan(100);
    },
    // Several hundred plans, sequentially.
    120_000,
  );

  function expectNoTrace(reported: string, statement: string): void {
    expect(
      traces.filter((trace) => reported.includes(trace) && !statement.includes(trace)),
      statement,
    ).toEqual([]);
  }
});

function unusedValue(type: string): string {
  if (type.endsWith('[]')) return '{nobody}';
  if (/^(timestamp|date)/.test(type)) return '1900-01-01';
  if (/int|numeric|double/.test(type)) return '-9876';
  return type === 'jsonb' ? '{"nobody": 1}' : 'what nobody has';
}

/** Texts of the product, such as the names of events, dates and times belong to no account. */
function isOwn(text: string): boolean {
  if (eventTypes.some((type) => type === text)) return false;
  return text.length > 5 && /[@.\d]/.test(text) && !/^\d{4}-\d\d-\d\d/.test(text);
}

/** All texts that an account can read. */
async function textsSeenBy(accountId: number): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && isOwn(value)) texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const view of views) for (const row of await read(accountId, view)) collect(JSON.parse(row));
  return texts;
}

async function read(accountId: number, view: string): Promise<readonly string[]> {
  return (await rowsOf(accountId, `SELECT to_jsonb(v)::text FROM ${view} v`)).flatMap(([row]) =>
    typeof row === 'string' ? row : [],
  );
}

async function rowsOf(accountId: number, text: string) {
  return (await queries.run(accountId, { text, rowsMax: 10_000, signal: never })).rows;
}

async function column(text: string): Promise<readonly string[]> {
  const { rows } = await database.owner.pool.query<unknown[]>({ text, rowMode: 'array' });
  return rows.map(([value]) => String(value));
}

/** Names, columns, types and comments, in order, one line each. */
function describedIn(schema: string): string {
  return `SELECT concat_ws(' | ', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), col_description(c.oid, a.attnum)) AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relnamespace = '${schema}'::regnamespace
    UNION ALL
    SELECT concat_ws(' | ', c.relname, obj_description(c.oid, 'pg_class')) FROM pg_class c WHERE c.relnamespace = '${schema}'::regnamespace
    UNION ALL
    SELECT concat_ws(' | ', p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), obj_description(p.oid, 'pg_proc'))
    FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace AND p.proretset
    ORDER BY line`;
}
