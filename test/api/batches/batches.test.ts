import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi, type Answer, type TestApi } from '../../support/api/test-api.ts';

const path = '/v1/batches';
const noSuchId = 'bat_01a1ff734ad87655b2c761ba36458456';

describe('GET /v1/batches', () => {
  const api = useTestApi();

  test('lists the batches of the account, newest first, each as in GET /v1/batches/{id}', async () => {
    const { key, ids } = await accountWith(api(), 'newest-first', 3);
    const { batches, next } = await readPage<BatchPage>(api(), key, path);
    expect(batches.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(next).toBeNull();
    for (const batch of batches) {
      const one = await api().call('GET', `${path}/${batch.id}`, { key });
      expect([one.status, one.json()]).toEqual([200, batch]);
    }
  });

  test('returns an empty list for an account without batches', async () => {
    await api().createAccount('empty');
    const key = await api().createKey({ account: 'empty' });
    expect(await readPage(api(), key, path)).toMatchObject({
      batches: [],
      next: null,
      counts: { total: 0, archived: 0, states: { running: 0 }, tags: [] },
    });
  });

  test.each([1, 2, 3, 5, 7, 8])('returns every batch once, in order, in pages of %i', async (limit) => {
    const { key, ids } = await accountWith(api(), `pages-of-${limit}`, 7);
    const pages = await readPages(api(), key, limit);
    expect(pages.flat()).toEqual(ids.toReversed());
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    expect(pages).toHaveLength(Math.ceil(7 / limit));
  });

  test('keeps its order when a batch is added between two pages', async () => {
    const { key, ids } = await accountWith(api(), 'growing', 4);
    const first = await readPage<BatchPage>(api(), key, `${path}?limit=2`);
    await upload(api(), key, 'later.com');
    const second = await readPage<BatchPage>(api(), key, `${path}?limit=2&after=${first.next ?? ''}`);
    expect([...first.batches, ...second.batches].map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('returns at most a hundred batches per page', async () => {
    const key = await api().createKey();
    expect((await api().call('GET', `${path}?limit=100`, { key })).status).toBe(200);
    expectBad(await api().call('GET', `${path}?limit=101`, { key }));
  });

  test.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=many',
    'limit=',
    'limit=1&limit=2',
    'after=',
    'after=nonsense',
    `after=${noSuchId}`,
    `after=${'x'.repeat(201)}`,
    'after=%00',
    'before=x',
    'state=resting',
  ])('returns 400 for ?%s', async (query) => {
    const key = await api().createKey();
    expectBad(await api().call('GET', `${path}?${query}`, { key }));
  });

  test('returns 400 for a cursor at a batch of another account', async () => {
    const { ids } = await accountWith(api(), 'mine', 1);
    const { key } = await accountWith(api(), 'theirs', 1);
    const foreign = await api().call('GET', `${path}?after=${ids[0] ?? ''}`, { key });
    const unknown = await api().call('GET', `${path}?after=${noSuchId}`, { key });
    expect([foreign.status, codesOf(foreign)]).toEqual([unknown.status, codesOf(unknown)]);
    expect(foreign.status).toBeGreaterThanOrEqual(400);
  });
});

describe('GET /v1/batches/{id}', () => {
  const api = useTestApi();

  test('returns the batch with its counts', async () => {
    const { key, ids } = await accountWith(api(), 'one', 1);
    const answer = await api().call('GET', `${path}/${ids[0] ?? ''}`, { key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({
      id: ids[0],
      state: 'running',
      reason: null,
      file_name: 'upload.csv',
      sheet: null,
      operations: ['ads_search'],
      sources: ['sample'],
      ...{ region: null, surface: null, max_ads: null, own_only: false, max_age: null },
      rows: { total: 1, rejected: 0 },
      lookups: { total: 1, found: 0, none: 0, no_match: 0, completed: 0, failed: 0, cancelled: 0, open: 1 },
      emails: { total: 0, valid: 0, invalid: 0, catch_all: 0, unknown: 0 },
      credits: { charged: 0, ceiling: 0.2 },
      ads_truncated: 0,
      limit: null,
      max_credits: null,
      max_spend: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      finished_at: null,
      purged_at: null,
      wait_kind: null,
      wait: null,
      wait_until: null,
      limit_reached: false,
      name: 'upload.csv',
      tags: [],
      origin: { kind: 'api', id: null, name: null },
      owner: { kind: 'key', id: expect.stringMatching(/^key_/) as string, name: 'test' },
      archived_at: null,
    });
  });

  test.each(['', '/rows', '/export', '/events'])(
    'returns 404 for an unknown id at …/{id}%s',
    async (rest) => {
      const key = await api().createKey();
      for (const id of [noSuchId, 'nonsense', '1', "x'--", '%E2%82%AC', '%zz', 'x'.repeat(1000)]) {
        const answer = await api().call('GET', `${path}/${id}${rest}`, { key });
        expect([id, answer.status, codesOf(answer)]).toEqual([id, 404, ['not_found']]);
      }
    },
  );

  test.each(['', '/rows', '/export', '/events'])(
    'returns 404 for an id with a NUL at …/{id}%s',
    async (rest) => {
      const answer = await api().call('GET', `${path}/a%00b${rest}`, { key: await api().createKey() });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    },
  );

  test.each(['', '/rows', '/export', '/events'])(
    'returns 404 for a batch of another account at …/{id}%s',
    async (rest) => {
      const { ids } = await accountWith(api(), `owner${rest.replace('/', '-')}`, 1);
      const key = await api().createKey();
      const answer = await api().call('GET', `${path}/${ids[0] ?? ''}${rest}`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
      expect(answer.text).not.toContain('company-0');
    },
  );
});

describe('GET /v1/batches/{id}/rows', () => {
  const api = useTestApi();
  const names = Array.from({ length: 23 }, (_, i) => (i % 5 === 4 ? '' : `company-${i}.com`));

  test.each([1, 4, 22, 23, 24])(
    'returns every row once, in order, with rejected rows, in pages of %i',
    async (limit) => {
      const { key, id } = await uploaded();
      const rows: RowPage['rows'][number][] = [];
      let pages = 0;
      for (let after = ''; ; pages += 1) {
        const page = await readPage<RowPage>(api(), key, `${path}/${id}/rows?limit=${limit}${after}`);
        expect(page.columns).toEqual(['website', 'n']);
        rows.push(...page.rows);
        if (page.next === null) break;
        expect(page.rows).toHaveLength(limit);
        after = `&after=${page.next}`;
      }
      expect(rows.map(({ row }) => row)).toEqual(names.map((_, i) => i + 1));
      expect(rows.map(({ cells }) => cells)).toEqual(names.map((name, i) => [name, String(i)]));
      expect(rows.map(({ outcome }) => outcome)).toEqual(
        names.map((name) => (name === '' ? 'rejected' : 'open')),
      );
      expect(pages).toBe(Math.ceil(names.length / limit) - 1);
    },
  );

  test('returns a hundred rows per page by default', async () => {
    const key = await api().createKey();
    const lines = Array.from({ length: 101 }, (_, i) => `company-${i}.com`).join('\n');
    const id = await upload(api(), key, lines);
    const page = await readPage<RowPage>(api(), key, `${path}/${id}/rows`);
    expect(page.rows).toHaveLength(100);
  });

  test('returns an empty page after the last row', async () => {
    const { key, id } = await uploaded();
    expect(await readPage(api(), key, `${path}/${id}/rows?after=23`)).toMatchObject({
      rows: [],
      next: null,
    });
    expect(await readPage(api(), key, `${path}/${id}/rows?after=999999999`)).toMatchObject({ rows: [] });
  });

  test('returns no undocumented fields', async () => {
    const { key, id } = await uploaded();
    const page = await readPage<RowPage>(api(), key, `${path}/${id}/rows?limit=5`);
    expect(page.rows[0]).toEqual({
      row: 1,
      line: 2,
      cells: ['company-0.com', '0'],
      outcome: 'open',
      observed_at: null,
      from_cache: null,
      partial: null,
      truncated: null,
      estimate_low: null,
      estimate_high: null,
      reason: null,
      warning: null,
      ads_count: null,
      matched_by: null,
      partial_reason: null,
      uncertain_advertisers: null,
      source: null,
      credits_consumed: 0,
      email: null,
      company_domain: 'company-0.com',
      company_name: null,
    });
    expect(page.rows[4]).toMatchObject({ row: 5, line: 6, reason: expect.stringMatching(/./) as string });
  });

  test.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'after=',
    'after=-1',
    'after=1.5',
    'after=x',
    'after=9999999999',
    'after=%00',
    'outcome=well',
    'email_status=maybe',
    'format=text',
    'q=one two three four five six seven eight nine',
    'seen_since=0000-01-01',
    'company_domain=localhost',
    'offset=1',
  ])('returns 400 for ?%s', async (query) => {
    const { key, id } = await uploaded();
    expectBad(await api().call('GET', `${path}/${id}/rows?${query}`, { key }));
  });

  async function uploaded(): Promise<{ readonly key: string; readonly id: string }> {
    const key = await api().createKey();
    return {
      key,
      id: await upload(api(), key, names.map((name, i) => `${name},${i}`).join('\n'), 'website,n'),
    };
  }
});

describe('access to batches', () => {
  const api = useTestApi();
  const moves = ['pause', 'resume', 'cancel', 'retry'];

  test.each(['', '/{id}', '/{id}/rows', '/{id}/export', '/{id}/events'])(
    'GET /v1/batches%s requires the scope batches:read',
    async (rest) => {
      const id = await upload(api(), await api().createKey(), 'nike.com');
      await api().call('POST', `${path}/${id}/cancel`, { key: await api().createKey() });
      const at = `${path}${rest.replace('{id}', id)}`;
      expect((await api().call('GET', at, { key: await keyWith(['batches:read']) })).status).toBe(200);
      const others = await keyWith([
        'batches:write',
        'ads:search',
        'credits:read',
        'email:validate',
        'admin',
      ]);
      const refused = await api().call('GET', at, { key: others });
      expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
      expect((await api().call('GET', at)).status).toBe(401);
    },
  );

  test.each(moves)('POST /v1/batches/{id}/%s requires the scope batches:write', async (move) => {
    const id = await upload(api(), await api().createKey(), 'nike.com');
    const others = await keyWith(['batches:read', 'ads:search', 'credits:read', 'email:validate', 'admin']);
    const refused = await api().call('POST', `${path}/${id}/${move}`, { key: others });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    expect((await api().call('POST', `${path}/${id}/${move}`)).status).toBe(401);
    const allowed = await api().call('POST', `${path}/${id}/${move}`, {
      key: await keyWith(['batches:write']),
    });
    // A running batch cannot be retried.
    expect(allowed.status).toBe(move === 'retry' ? 409 : 200);
  });

  test('POST /v1/batches requires the scope batches:write, and stores nothing without it', async () => {
    const before = await api().countRows();
    const others = await keyWith(['batches:read', 'ads:search', 'credits:read', 'email:validate', 'admin']);
    const sent = { headers: { 'Content-Type': 'text/csv' }, body: 'website\nnike.com\n' };
    const refused = await api().call('POST', path, { key: others, ...sent });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    expect((await api().call('POST', path, sent)).status).toBe(401);
    expect(await api().countRows()).toEqual({ ...before, api_keys: (before['api_keys'] ?? 0) + 1 });
    expect((await api().call('POST', path, { key: await keyWith(['batches:write']), ...sent })).status).toBe(
      201,
    );
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });

  async function keyWith(scopes: readonly Scope[]): Promise<string> {
    return api().createKey({ scopes });
  }
});

interface BatchPage {
  readonly batches: readonly { readonly id: string }[];
  readonly next: string | null;
}

interface RowPage {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly row: number;
    readonly cells: readonly string[];
    readonly outcome: string;
  }[];
  readonly next: string | null;
}

/** Creates an account with this many batches. Returns their ids in order of creation. */
async function accountWith(
  api: TestApi,
  name: string,
  batches: number,
): Promise<{ readonly key: string; readonly ids: readonly string[] }> {
  await api.createAccount(name, 10n);
  const key = await api.createKey({ account: name });
  const ids: string[] = [];
  for (let n = 0; n < batches; n += 1) ids.push(await upload(api, key, `company-${n}.com`));
  return { key, ids };
}

async function upload(api: TestApi, key: string, lines: string, header = 'website'): Promise<string> {
  const headers = { 'Content-Type': 'text/csv' };
  const answer = await api.call('POST', path, { key, headers, body: `${header}\n${lines}\n` });
  expect(answer.status).toBe(201);
  return (answer.json() as { readonly id: string }).id;
}

async function readPage<Page>(api: TestApi, key: string, at: string): Promise<Page> {
  const answer = await api.call('GET', at, { key });
  expect([answer.status, at]).toEqual([200, at]);
  return answer.json() as Page;
}

/** Ids of all pages. */
async function readPages(api: TestApi, key: string, limit: number): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let after = ''; ;) {
    const { batches, next } = await readPage<BatchPage>(api, key, `${path}?limit=${limit}${after}`);
    pages.push(batches.map(({ id }) => id));
    if (next === null) return pages;
    after = `&after=${next}`;
  }
}

function expectBad(answer: Answer): void {
  expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
}
