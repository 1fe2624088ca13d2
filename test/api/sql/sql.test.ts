import { describe, expect, test } from 'vitest';
import { defaultScopes } from '../../../src/core/accounts/api-key.ts';
import { codesOf, openTestApi, useTestApi, type Call, type ProblemBody } from '../../support/api/test-api.ts';

const path = '/v1/sql';
const api = useTestApi();

interface AnswerBody {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly cut_off: boolean;
  readonly limit: number;
  readonly elapsed_ms: number;
}

async function ask(json: object, call: Call = {}) {
  const key = call.key ?? (await api().createKey());
  return api().call('POST', path, { key, json, ...call });
}

function titlesOf(answer: { readonly json: () => unknown }): readonly string[] {
  return (answer.json() as ProblemBody).errors.map(({ title }) => title);
}

describe('POST /v1/sql', () => {
  test('returns columns and rows of the account, with unqualified view names', async () => {
    await api().createAccount('asker', 7n);
    const key = await api().createKey({ account: 'asker' });
    const answer = await ask({ query: 'select account, balance, held from credit_balances' }, { key });
    expect(answer.status).toBe(200);
    const body = answer.json() as AnswerBody;
    expect(Object.keys(body)).toEqual(['columns', 'rows', 'cut_off', 'limit', 'elapsed_ms']);
    expect(body).toMatchObject({
      columns: [
        { name: 'account', type: 'text' },
        { name: 'balance', type: 'numeric' },
        { name: 'held', type: 'numeric' },
      ],
      rows: [['asker', '7', '0']],
      cut_off: false,
      limit: 1000,
    });
  });

  test('is truncated at the limit, and marked so', async () => {
    const body = (await ask({ query: 'select generate_series(1, 9)', limit: 2 })).json() as AnswerBody;
    expect([body.rows, body.cut_off, body.limit]).toEqual([[[1], [2]], true, 2]);
  });

  test('returns CSV as a download, with escaped formulas', async () => {
    const query = `select '=1+1' as "a,b", 2 as n, null as none, '{"k": [1]}'::jsonb as json union all select 'x', 3, 'y', '1'`;
    const answer = await ask({ query, format: 'csv', limit: 1 });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="query.csv"');
    expect(answer.headers.get('nightshift-cut-off')).toBe('true');
    expect(answer.text).toBe(`"a,b",n,none,json\n'=1+1,2,,"{""k"":[1]}"\n`);
  });

  test.each([
    ['selec 1', 'syntax error at or near "selec" (at character 1)'],
    ['select nothing from ads', 'column "nothing" does not exist (at character 8)'],
    ['select * from reports.ads', 'permission denied for schema reports'],
    ['select 1; select 2', 'one statement'],
    ['delete from batches', 'This login only reads.'],
    ['update credit_balances set balance = 1', 'This login only reads.'],
    ['vacuum', 'cannot open VACUUM query as cursor'],
  ])('returns the error of Postgres with its position: %s', async (query, words) => {
    const answer = await ask({ query });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toContain(words);
  });

  test('returns 400 with the name of the resource limit that a query exceeds', async () => {
    // Postgres allocates 24 times the length of the template before it processes any of it.
    const answer = await ask({ query: "select to_char(date '2026-01-01', repeat('Y', 50000000))" });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toContain('A query has a limit of memory.');
  });

  test.each<[string, object]>([
    ['no query', {}],
    ['an empty query', { query: '' }],
    ['a query that is a number', { query: 7 }],
    ['a limit of 0', { query: 'select 1', limit: 0 }],
    ['a limit of more than 10,000', { query: 'select 1', limit: 10_001 }],
    ['a limit that is not a whole number', { query: 'select 1', limit: 1.5 }],
    ['an unknown format', { query: 'select 1', format: 'xml' }],
    ['an unknown field', { query: 'select 1', account: 'other' }],
    ['a query with a NUL character', { query: 'select \u0000' }],
    ['a query that is too long', { query: `select ${'1'.repeat(60_000)}` }],
  ])('rejects %s', async (_, json) => {
    const answer = await ask(json);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('rejects a body that is too large, and one that is not JSON', async () => {
    const key = await api().createKey();
    const large = await ask({ query: 'x'.repeat(70_000) });
    expect([large.status, codesOf(large)]).toEqual([413, ['payload_too_large']]);
    const text = await api().call('POST', path, { key, body: 'select 1' });
    expect([text.status, codesOf(text)]).toEqual([415, ['unsupported_media_type']]);
  });

  test('runs two queries of an account at a time, does not block other accounts, and cancels a query when its client disconnects', async () => {
    const key = await api().createKey();
    await api().createAccount('quick');
    const gone = new AbortController();
    const sleep = () => ask({ query: 'select pg_sleep(9)' }, { key, signal: gone.signal }).catch(() => null);
    const running = [sleep(), sleep()];
    await expect.poll(sleeping).toBe(2);
    const third = await ask({ query: 'select 1' }, { key });
    expect([third.status, codesOf(third)]).toEqual([429, ['rate_limit_exceeded']]);
    const other = await ask({ query: 'select 1' }, { key: await api().createKey({ account: 'quick' }) });
    expect(other.status).toBe(200);
    gone.abort();
    expect(await Promise.all(running)).toEqual([null, null]);
    await expect.poll(sleeping).toBe(0);
    await expect.poll(async () => (await ask({ query: 'select 1' }, { key })).status).toBe(200);
  });

  async function sleeping(): Promise<number | null> {
    const { rowCount } = await api().database.owner.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    return rowCount;
  }
});

describe('GET /v1/sql/views', () => {
  test('returns the views with their descriptions', async () => {
    const answer = await api().call('GET', `${path}/views`, { key: await api().createKey() });
    expect(answer.status).toBe(200);
    const { views } = answer.json() as { views: Record<string, unknown>[] };
    expect(views.length).toBeGreaterThan(20);
    expect(views.map(({ name }) => name)).toEqual(expect.arrayContaining(['ads', 'ads_as_of', 'rows']));
    for (const { comment } of views) expect(comment).toMatch(/\w/);
    expect(views.find(({ name }) => name === 'credit_balances')).toEqual({
      name: 'credit_balances',
      parameters: null,
      comment: 'Available credits, and credits held for open lookups.',
      columns: ['account', 'balance', 'held'].map((name) => ({
        name,
        type: name === 'account' ? 'text' : 'numeric',
        comment: null,
      })),
    });
    expect(views.find(({ name }) => name === 'ads_as_of')).toMatchObject({
      parameters: 'day date, known_at timestamp with time zone DEFAULT now()',
      columns: expect.arrayContaining([{ name: 'company_key', type: 'text', comment: null }]) as unknown,
    });
  });
});

describe('GET /v1/sql/connection', () => {
  const read = async (account: string) =>
    (await api().call('GET', `${path}/connection`, { key: await api().createKey({ account }) })).json();

  test('returns the login of the account, without any password or login of another', async () => {
    await api().createAccount('with-login');
    await api().createAccount('without');
    const accountId = await api().app.accounts.store.find('with-login');
    const by = { actor: 'test', address: null };
    const created = await api().app.sql.logins.create(accountId, by);
    try {
      expect(await read('with-login')).toEqual({
        ready: true,
        problem: null,
        login: { role: created.role, url: created.link, created_at: created.createdAt.toISOString() },
        is_local: false,
        hint: expect.stringContaining('nightshift accounts login "with-login"') as string,
        operator_hint: null,
      });
      expect(created.link).not.toContain(new URL(created.url).password);
      expect(await read('without')).toMatchObject({ ready: true, login: null });
    } finally {
      await api().app.sql.logins.remove(accountId, by);
    }
  });
});

describe('access to SQL', () => {
  test.each([
    ['GET', `${path}/views`],
    ['GET', `${path}/connection`],
    ['POST', path],
  ])('%s %s requires the scope sql:read', async (method, at) => {
    const call = { ...(method === 'POST' ? { json: { query: 'select 1' } } : {}) };
    const scopes = [...defaultScopes.filter((scope) => scope !== 'sql:read'), 'admin' as const];
    const refused = await api().call(method, at, { ...call, key: await api().createKey({ scopes }) });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    expect((await api().call(method, at, call)).status).toBe(401);
    const allowed = await api().call(method, at, {
      ...call,
      key: await api().createKey({ scopes: ['sql:read'] }),
    });
    expect(allowed.status).toBe(200);
  });
});

test.each([
  ['without a reader login', ''],
  ['with a reader login that has too many privileges', 'of the owner'],
])('on an external database %s returns 503 with the setting to configure', async (_how, which) => {
  const other = await openTestApi({
    settings: { NIGHTSHIFT_ACCOUNT_READER_URL: which === '' ? '' : api().database.url },
  });
  try {
    const key = await other.createKey();
    const answer = await other.call('POST', path, { key, json: { query: 'select 1' } });
    expect([answer.status, codesOf(answer)]).toEqual([503, ['service_unavailable']]);
    expect(titlesOf(answer)[0]).toContain('NIGHTSHIFT_ACCOUNT_READER_URL');
    expect((await other.call('GET', `${path}/connection`, { key })).json()).toMatchObject({
      ready: false,
      problem: expect.stringContaining('NIGHTSHIFT_ACCOUNT_READER_URL') as string,
    });
    expect((await other.call('GET', `${path}/views`, { key })).status).toBe(200);
  } finally {
    await other.close();
  }
});
