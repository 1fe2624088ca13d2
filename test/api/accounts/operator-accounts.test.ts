import { beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import { digestStored } from '../../support/openapi/stored-state.ts';
import { signInAs, type SessionCall } from '../../support/api/session-calls.ts';

const path = '/v1/operator/accounts';
const api = useTestApi();
let operator: SessionCall;

beforeAll(async () => {
  operator = await signInAs(api(), 'operator');
});

interface Account {
  readonly name: string;
  readonly balance: number;
  readonly limits: Readonly<Record<string, number | null>>;
}

async function read(name: string): Promise<Account> {
  return (await operator('GET', `${path}/${encodeURIComponent(name)}`)).json() as Account;
}

async function auditOf(account: string) {
  const { rows } = await api().database.owner.pool.query<{ event: string; actor: string; details: object }>(
    `SELECT event, actor, details FROM nightshift.audit_log l JOIN nightshift.accounts a ON a.id = l.account_id
      WHERE a.name = $1 AND event IN ('account_created', 'credits_granted', 'limits_changed') ORDER BY l.id`,
    [account],
  );
  return rows;
}

describe('GET /v1/operator/accounts', () => {
  test('lists all accounts with balance and limits by name, in pages', async () => {
    for (const name of ['m', 'Ä b/c', 'z']) await api().createAccount(name, 3n);
    const key = await api().createKey({ account: 'm' });
    await api().call('POST', '/v1/batches', {
      key,
      headers: { 'Content-Type': 'text/csv' },
      body: 'website\na.com\nb.com\n',
    });
    const all: Account[] = [];
    for (let after = ''; ;) {
      const page = (await operator('GET', `${path}?limit=1${after}`)).json() as {
        accounts: Account[];
        next: string | null;
      };
      all.push(...page.accounts);
      if (page.next === null) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    const names = (await api().app.accounts.store.list()).map(({ name }) => name);
    expect(all.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(all.find(({ name }) => name === 'm')).toEqual({
      name: 'm',
      balance: 3,
      held: 0,
      keys: 1,
      users: 0,
      open_lookups: 2,
      limits: { requests_per_minute: null, open_lookups: null, rows_per_batch: null, weight: null },
      source_limits: [],
      default_limits: {
        requests_per_minute: 1_000_000,
        open_lookups: 5_000_000,
        rows_per_batch: 1_000_000,
        weight: 1,
      },
      has_sql_login: false,
      created_at: expect.stringMatching(/Z$/) as string,
    });
    expect(await read('Ä b/c')).toMatchObject({ name: 'Ä b/c', balance: 3 });
    const unknown = await operator('GET', `${path}/nobody`);
    expect([unknown.status, codesOf(unknown)]).toEqual([404, ['not_found']]);
  });

  test.each(['limit=0', 'limit=101', 'name=m'])('?%s is 400', async (query) => {
    expect((await operator('GET', `${path}?${query}`)).status).toBe(400);
  });
});

describe('POST /v1/operator/accounts', () => {
  test('creates an account without credits, once per name, with an entry in the audit log', async () => {
    const made = await operator('POST', path, { json: { name: 'made' } });
    expect([made.status, made.json()]).toMatchObject([201, { name: 'made', balance: 0, keys: 0, users: 0 }]);
    const again = await operator('POST', path, { json: { name: 'made' } });
    expect([again.status, codesOf(again)]).toEqual([409, ['conflict']]);
    expect(await auditOf('made')).toEqual([
      {
        event: 'account_created',
        actor: expect.stringMatching(/^usr_/) as string,
        details: { name: 'made' },
      },
    ]);
  });

  test.each([{}, { name: '' }, { name: ' x' }, { name: 'x'.repeat(201) }, { name: 'x', credits: 1 }])(
    'rejects %j',
    async (json) => {
      expect((await operator('POST', path, { json })).status).toBe(400);
    },
  );
});

describe('POST /v1/operator/accounts/{name}/grants', () => {
  test('adds credits to the ledger exactly once per Idempotency-Key, also for concurrent requests', async () => {
    await api().createAccount('granted');
    const call = {
      json: { credits: 12.5, reason: 'trial for sales' },
      headers: { 'Idempotency-Key': 'grant-1' },
    };
    const at = `${path}/granted/grants`;
    const atOnce = await Promise.all([1, 2, 3].map(() => operator('POST', at, call)));
    expect(atOnce.map(({ status }) => status).every((status) => [201, 409].includes(status))).toBe(true);
    const repeated = await operator('POST', at, call);
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(repeated.json()).toMatchObject({ name: 'granted', balance: 12.5 });
    expect(await read('granted')).toMatchObject({ balance: 12.5 });
    const key = await api().createKey({ account: 'granted' });
    const { entries } = (await api().call('GET', '/v1/ledger', { key })).json() as { entries: object[] };
    expect(entries).toMatchObject([{ kind: 'grant', credits: 12.5, reason: 'trial for sales' }]);
    expect(await auditOf('granted')).toMatchObject([
      { event: 'credits_granted', details: { credits_micro: '12500000', reason: 'trial for sales' } },
    ]);
    await operator('POST', at, { json: { credits: 1, reason: 'more' } });
    expect(await read('granted')).toMatchObject({ balance: 13.5 });
  });

  test.each([
    {},
    { credits: 5 },
    { reason: 'x' },
    { credits: 0, reason: 'x' },
    { credits: -5, reason: 'x' },
    { credits: 0.0000001, reason: 'x' },
    { credits: 5, reason: '  ' },
    { credits: '5', reason: 'x' },
    { credits: 5, reason: 'x', account: 'default' },
  ])('rejects %j, and grants nothing', async (json) => {
    const before = await read('default');
    expect((await operator('POST', `${path}/default/grants`, { json })).status).toBe(400);
    expect(await read('default')).toEqual(before);
  });

  test('returns 404 for an unknown account', async () => {
    const answer = await operator('POST', `${path}/nobody/grants`, { json: { credits: 1, reason: 'x' } });
    expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
  });
});

describe('PATCH /v1/operator/accounts/{name}/limits', () => {
  test('sets the given limits and keeps the others; null removes a limit', async () => {
    await api().createAccount('limited');
    const at = `${path}/limited/limits`;
    const set = (json: object) => operator('PATCH', at, { json });
    await set({ requests_per_minute: 100, rows_per_batch: 50 });
    await set({ open_lookups: 7, weight: 3 });
    const answer = await set({ rows_per_batch: null });
    expect(answer.status).toBe(200);
    const limits = { requests_per_minute: 100, open_lookups: 7, rows_per_batch: null, weight: 3 };
    expect(answer.json()).toMatchObject({ name: 'limited', limits });
    expect(await read('limited')).toMatchObject({ limits });
    expect((await auditOf('limited')).map(({ details }) => details)).toEqual([
      { requestsPerMinute: 100, rowsPerBatch: 50 },
      { openLookups: 7, weight: 3 },
      { rowsPerBatch: null },
    ]);
    expect((await operator('PATCH', `${path}/nobody/limits`, { json: {} })).status).toBe(404);
  });

  test('sets the limits at sources and keeps those of others', async () => {
    await api().createAccount('at-sources');
    const set = (sources: object) => operator('PATCH', `${path}/at-sources/limits`, { json: { sources } });
    await set([
      { source: 'upstream', concurrency: 2 },
      { source: 'serpapi', calls_per_day: 50 },
    ]);
    const answer = await set([{ source: 'upstream', calls_per_day: 9 }, { source: 'serpapi' }]);
    expect(answer.json()).toMatchObject({
      source_limits: [
        { source: 'serpapi', concurrency: null, calls_per_day: 50 },
        { source: 'upstream', concurrency: 2, calls_per_day: 9 },
      ],
    });
    expect((await auditOf('at-sources')).at(-1)?.details).toEqual({
      sources: { upstream: { callsPerDay: 9 }, serpapi: {} },
    });
    expect((await set([{ source: 'nowhere', concurrency: 1 }])).status).toBe(400);
    expect((await set([{ source: 'upstream', concurrency: 0 }])).status).toBe(400);
  });

  test.each([
    { requests_per_minute: 0 },
    { open_lookups: -1 },
    { rows_per_batch: 1_000_001 },
    { rows_per_batch: 1.5 },
    { weight: 0 },
    { weight: 101 },
    { rows_per_batch: '5' },
    { credits: 5 },
  ])('rejects %j', async (json) => {
    expect((await operator('PATCH', `${path}/default/limits`, { json })).status).toBe(400);
  });
});

describe('access to operator operations', () => {
  const calls: readonly (readonly [method: string, at: string, json: object | undefined])[] = [
    ['GET', path, undefined],
    ['GET', `${path}/default`, undefined],
    ['POST', path, { name: 'forbidden' }],
    ['POST', `${path}/default/grants`, { credits: 1000, reason: 'mine' }],
    ['PATCH', `${path}/default/limits`, { requests_per_minute: 1 }],
  ];

  test.each(calls)('%s %s requires the session of an operator', async (method, at, json) => {
    const call = json === undefined ? {} : { json };
    const key = await api().createKey({ scopes });
    const people = await Promise.all(
      (['viewer', 'member', 'admin'] as const).map((role) => signInAs(api(), role)),
    );
    const before = await digestStored(api().database);
    const withKey = await api().call(method, at, { ...call, key });
    expect([withKey.status, codesOf(withKey)]).toEqual([403, ['insufficient_scope']]);
    // A key takes precedence over the session.
    const withBoth = await operator(method, at, { ...call, key });
    expect([withBoth.status, codesOf(withBoth)]).toEqual([403, ['insufficient_scope']]);
    for (const ask of people) {
      const refused = await ask(method, at, call);
      expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    }
    expect((await api().call(method, at, call)).status).toBe(401);
    const foreign = await operator(method, at, { ...call, headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect([foreign.status, codesOf(foreign)]).toEqual([403, ['foreign_origin']]);
    expect(await digestStored(api().database)).toEqual(before);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});
