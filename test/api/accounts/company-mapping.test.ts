import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullId } from '../../../src/core/companies/platform-id.ts';
import { openTestApi, type Answer, type TestApi } from '../../support/api/test-api.ts';
import { advertiserId } from '../../support/sources/creatives.ts';

let api: TestApi;
let key: string;
const path = '/v1/companies/mapping';

beforeAll(async () => {
  api = await openTestApi();
  key = await api.createKey();
});
afterAll(() => api.close());

const map = (json: object, by = key) => api.call('POST', path, { key: by, json });
const remove = (query: Readonly<Record<string, string>>, by = key) =>
  api.call('DELETE', `${path}?${new URLSearchParams(query).toString()}`, { key: by });

interface Listed {
  readonly entries: readonly { readonly advertiser_id: string }[];
  readonly total: number;
  readonly next: string | null;
}

async function list(query = '', by = key): Promise<Listed> {
  const answer = await api.call('GET', `${path}${query}`, { key: by });
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as Listed;
}

function titlesOf(answer: Answer): readonly string[] {
  const { errors } = answer.json() as { readonly errors: readonly { readonly title: string }[] };
  return errors.map(({ title }) => title);
}

test('an advertiser is mapped by its id or the address of its page, changed, searched, listed by pages, and removed', async () => {
  const first = await map({ company_domain: 'https://www.nike.com/de', advertiser_id: advertiserId(1) });
  expect(first.status, first.text).toBe(200);
  const entry = {
    company_domain: 'nike.com',
    company_name: null,
    advertiser_id: fullId(advertiserId(1)),
    url: `https://adstransparency.google.com/advertiser/${advertiserId(1)}`,
    role: 'allow',
    note: null,
    checked_at: expect.stringMatching(/Z$/) as unknown,
  };
  expect(first.json()).toEqual({ ...entry, added: true, warnings: [] });
  const changed = await map({
    company_domain: 'nike.com',
    advertiser_id: `https://adstransparency.google.com/advertiser/${advertiserId(1)}?region=DE`,
    role: 'agency',
    note: 'as on their imprint',
  });
  const agency = { ...entry, role: 'agency', note: 'as on their imprint' };
  expect(changed.json()).toEqual({ ...agency, added: false, warnings: [] });
  const address = 'https://www.facebook.com/ads/library/?view_all_page_id=4711';
  const meta = await map({ company_name: 'Apex Ltd', advertiser_id: address });
  expect(meta.json()).toMatchObject({ company_name: 'apex', advertiser_id: 'meta:4711', url: null });
  const doubtful = await map({ company_domain: 'adidas.com', advertiser_id: 'AR123', role: 'deny' });
  expect(doubtful.json()).toMatchObject({ warnings: [expect.stringContaining('looks mistyped')] });

  const all = await list();
  expect(all).toMatchObject({ total: 3, next: null });
  expect(all.entries.map(({ advertiser_id: id }) => id)).toEqual([
    'google:AR123',
    fullId(advertiserId(1)),
    'meta:4711',
  ]);
  expect(all.entries[1]).toEqual(agency);
  const page = await list('?limit=2');
  expect(page).toMatchObject({ total: 3, next: expect.any(String) as unknown });
  expect(await list(`?limit=2&after=${page.next}`)).toMatchObject({
    entries: [{ advertiser_id: 'meta:4711' }],
    next: null,
  });
  for (const [query, found] of [
    ['?q=IMPRINT', [fullId(advertiserId(1))]],
    ['?q=nike%20imprint', [fullId(advertiserId(1))]],
    ['?q=4711', ['meta:4711']],
    ['?q=d:', []],
    ['?q=%25', []],
    ['?role=deny', ['google:AR123']],
    ['?company_domain=nike.com', [fullId(advertiserId(1))]],
    ['?company_name=APEX', ['meta:4711']],
  ] as const) {
    const { entries, total } = await list(query);
    expect([query, entries.map(({ advertiser_id: id }) => id), total]).toEqual([query, found, found.length]);
  }

  const removed = await remove({ company_name: 'apex', advertiser_id: 'meta:4711' });
  expect(removed.json()).toEqual({
    company_domain: null,
    company_name: 'apex',
    advertiser_id: 'meta:4711',
    role: 'allow',
  });
  const again = await remove({ company_name: 'apex', advertiser_id: 'meta:4711' });
  expect([again.status, titlesOf(again)[0]]).toEqual([404, expect.stringContaining('lists the mapping')]);
  expect(await list()).toMatchObject({ total: 2 });

  const audit = await api.database.owner.pool.query<{ event: string; actor: string }>(
    "SELECT event, actor FROM nightshift.audit_log WHERE event LIKE 'companies%' ORDER BY id",
  );
  expect(audit.rows).toEqual([
    ...Array.from({ length: 4 }, () => ({
      event: 'companies_mapped',
      actor: expect.stringMatching(/^key_/) as unknown,
    })),
    { event: 'companies_unmapped', actor: expect.stringMatching(/^key_/) as unknown },
  ]);
});

test.each([
  [{ company_domain: 'nike.com', advertiser_id: '4711' }, /no platform.*meta:123.*address/],
  [
    { company_domain: 'nike.com', advertiser_id: 'https://www.facebook.com/nike' },
    /not the page of an advertiser/,
  ],
  [{ company_domain: 'nike.com' }, /advertiser_id/],
  [{ advertiser_id: 'meta:1' }, /company_domain, company_name: one of them is required/],
  [{ company_domain: 'nothing', advertiser_id: 'meta:1' }, /company_domain/],
  [{ company_domain: 'nike.com', advertiser_id: 'meta:1', role: 'own' }, /role/],
  [{ company_domain: 'nike.com', advertiser_id: 'meta:1', note: 'x'.repeat(501) }, /note/],
  [
    { company_domain: 'nike.com', advertiser_id: 'meta:1', note: 'a\u0007b' },
    /control or broken characters in the note/,
  ],
  [{ company_domain: 'nike.com', advertiser_id: 'meta:1', platform: 'meta' }, /platform/],
])('the mapping %j is rejected with a remedy', async (json, title) => {
  const answer = await map(json);
  expect([answer.status, titlesOf(answer)]).toEqual([400, [expect.stringMatching(title)]]);
});

test.each(['?after=x', '?after=W10', '?role=own', '?company=nike.com', '?limit=0'])(
  'the query %s of the mapping is rejected',
  async (query) => {
    expect((await api.call('GET', `${path}${query}`, { key })).status).toBe(400);
  },
);

test('the mapping of another account is neither listed nor changed', async () => {
  await api.createAccount('other');
  const theirs = await api.createKey({ account: 'other' });
  await map({ company_domain: 'puma.com', advertiser_id: 'meta:1' }, theirs);
  expect(await list('?company_domain=puma.com')).toMatchObject({ entries: [], total: 0 });
  const query = { company_domain: 'puma.com', advertiser_id: 'meta:1' };
  expect((await remove(query)).status).toBe(404);
  await map({ ...query, role: 'deny' });
  expect((await list('', theirs)).entries).toMatchObject([{ role: 'allow' }]);
});

test('a key that may only read lists the mapping, and changes nothing', async () => {
  const reader = await api.createKey({ scopes: ['batches:read'] });
  const query = { company_domain: 'readers.com', advertiser_id: 'meta:1' };
  expect(await list('?company_domain=readers.com', reader)).toMatchObject({ total: 0 });
  expect((await map(query, reader)).status).toBe(403);
  expect((await remove(query, reader)).status).toBe(403);
  expect(await list('?company_domain=readers.com')).toMatchObject({ total: 0 });
});
