import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullId } from '../../../src/core/companies/platform-id.ts';
import { insertCandidates, makeCandidate } from '../../support/companies/candidates.ts';
import { advertiserId } from '../../support/sources/creatives.ts';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';

let api: TestApi;
let key: string;
const list = '/v1/companies/candidates';
const decisions = '/v1/companies/decisions';

beforeAll(async () => {
  api = await openTestApi();
  key = await api.createKey({ scopes: ['batches:read', 'batches:write'] });
  await insertCandidates(
    { DATABASE_URL: api.database.url },
    makeCandidate(1),
    makeCandidate(2, { reasons: ['name_within', 'later_word' as 'verified'] }),
    makeCandidate(3, { companyKey: 'n:apex', name: null, verification: null }),
    makeCandidate(4, { accountId: 99 }),
  );
});
afterAll(() => api.close());

interface Listed {
  readonly candidates: readonly { readonly advertiser_id: string }[];
  readonly advertisers: number;
  readonly next: string | null;
}

async function read(query = '') {
  const answer = await api.call('GET', `${list}${query}`, { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as Listed;
}

const idsIn = ({ candidates }: Listed) =>
  candidates.map(({ advertiser_id: id }) => Number(id.slice('google:AR'.length)));

test('uncertain advertisers are listed page by page, with their reasons in words', async () => {
  const all = await read();
  expect(all).toMatchObject({ advertisers: 3, companies: 2, next: null });
  expect(idsIn(all)).toEqual([1, 2, 3]);
  expect(all.candidates[0]).toEqual({
    company_domain: 'nike.com',
    company_name: null,
    advertiser_id: fullId(advertiserId(1)),
    advertiser_name: 'Nike Media 1',
    legal_name: null,
    location: 'DE',
    verification: 'VERIFIED',
    ads_count: 1201,
    confidence: 0.79,
    reasons: [
      { code: 'name_within', words: expect.stringContaining("is in the advertiser's name") as unknown },
      { code: 'adds_generic_word', words: expect.any(String) as unknown },
    ],
    source: 'snapshot',
    url: `https://adstransparency.google.com/advertiser/${advertiserId(1)}`,
    first_seen_at: expect.stringMatching(/Z$/) as unknown,
    last_seen_at: expect.stringMatching(/Z$/) as unknown,
  });
  expect(all.candidates[1]).toMatchObject({ reasons: [{}, { code: 'later_word', words: 'later_word' }] });
  expect(all.candidates[2]).toMatchObject({ company_domain: null, company_name: 'apex' });

  const first = await read('?limit=2');
  expect(idsIn(first)).toEqual([1, 2]);
  expect(idsIn(await read(`?limit=2&after=${first.next}`))).toEqual([3]);
  expect(idsIn(await read('?company_name=Apex%20Ltd'))).toEqual([3]);
  expect(await read('?company_domain=www.nike.com')).toMatchObject({ advertisers: 2, companies: 1 });
  expect(await read('?batch=bat_unknown')).toMatchObject({ advertisers: 0, companies: 0 });
});

test.each(['?after=x', '?after=W10', '?company_domain=nothing', '?company=nike.com'])(
  'the query %s is rejected',
  async (query) => {
    expect((await api.call('GET', `${list}${query}`, { key })).status).toBe(400);
  },
);

test('a decision is stored in the mapping, and can be replaced', async () => {
  const decide = (json: object) => api.call('POST', decisions, { key, json });
  const subject = { company_domain: 'nike.com', advertiser_id: advertiserId(1) };
  const denied = await decide({ ...subject, role: 'deny' });
  expect(denied.status, denied.text).toBe(200);
  expect(denied.json()).toEqual({
    ...subject,
    advertiser_id: fullId(advertiserId(1)),
    company_name: null,
    role: 'deny',
    note: 'Reviewed: Nike Media 1, 79% own (name_within, adds_generic_word)',
  });
  expect(idsIn(await read())).toEqual([2, 3]);
  expect((await decide({ ...subject, role: 'allow' })).status).toBe(200);
  const {
    sources: { companies },
    accounts,
  } = api.app;
  expect(await companies.list(accounts.defaultId, { companyKey: 'd:nike.com' })).toMatchObject([
    { role: 'allow' },
  ]);
  const audit = await api.database.owner.pool.query<{ actor: string }>(
    "SELECT actor FROM nightshift.audit_log WHERE event = 'companies_mapped'",
  );
  expect(audit.rows).toEqual([
    { actor: expect.stringMatching(/^key_/) as unknown },
    { actor: expect.any(String) as unknown },
  ]);

  expect((await decide({ ...subject, advertiser_id: advertiserId(9), role: 'deny' })).status).toBe(404);
  expect((await decide({ ...subject, advertiser_id: advertiserId(4), role: 'deny' })).status).toBe(404);
  expect((await decide({ advertiser_id: advertiserId(1), role: 'deny' })).status).toBe(400);
  expect((await decide({ ...subject, role: 'own' })).status).toBe(400);
});

test('a key without the scope can neither list nor decide', async () => {
  const reader = await api.createKey({ scopes: ['batches:read'] });
  const searcher = await api.createKey({ scopes: ['ads:search'] });
  expect((await api.call('GET', list, { key: reader })).status).toBe(200);
  expect((await api.call('GET', list, { key: searcher })).status).toBe(403);
  const json = { company_domain: 'nike.com', advertiser_id: advertiserId(2), role: 'deny' };
  expect((await api.call('POST', decisions, { key: reader, json })).status).toBe(403);
});
