import { beforeAll, describe, expect, test } from 'vitest';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const path = '/v1/ads';

describe('GET /v1/ads', () => {
  const api = useTestApi({ workers: true });
  let key = '';
  let batch = '';
  let all: readonly SeenAd[] = [];

  // A batch first, then single searches; nike.com occurs in both.
  beforeAll(async () => {
    await api().createAccount('reader', 100n);
    key = await api().createKey({ account: 'reader' });
    batch = await enrich('company,website\n,nike.com\n,airbnb.com\nIKEA,\n,nobody-advertises-here.com\n');
    await search({ company_domain: 'nike.com' });
    await search({ company_name: 'Nike, Inc.' });
    await search({ company_domain: 'hubspot.com' });
    all = (await list('limit=1000')).ads;
  });

  test('lists the ads of single searches and of batches, newest lookup first', () => {
    expect(companiesInOrder(all)).toEqual([
      { batch: null, domain: 'hubspot.com', name: null },
      { batch: null, domain: null, name: 'Nike, Inc.' },
      { batch: null, domain: 'nike.com', name: null },
      { batch, domain: null, name: 'IKEA' },
      { batch, domain: 'airbnb.com', name: null },
      { batch, domain: 'nike.com', name: null },
    ]);
    expect(all.every(({ source }) => source === 'sample')).toBe(true);
  });

  test('keeps the order of the search response within a lookup, with the fields of the lookup', async () => {
    const searched = await search({ company_domain: 'nike.com' });
    const { ads } = await list(`limit=${searched.ads.length}`);
    all = (await list('limit=1000')).ads;
    expect(ads.map(({ creative_id }) => creative_id)).toEqual(
      searched.ads.map(({ creative_id }) => `google:${creative_id}`),
    );
    for (const [i, ad] of ads.entries()) {
      expect(ad).toMatchObject({
        ...searched.ads[i],
        advertiser_id: `google:${searched.ads[i]?.advertiser_id ?? ''}`,
        creative_id: `google:${searched.ads[i]?.creative_id ?? ''}`,
        batch: null,
        company_domain: 'nike.com',
        source: 'sample',
      });
      expect(ad.observed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  test.each([1, 7, 100])('returns every ad once, in order, in pages of %i', async (limit) => {
    const ads: SeenAd[] = [];
    for (let after = ''; ;) {
      const page = await list(`limit=${limit}${after}`);
      ads.push(...page.ads);
      if (page.next === null) break;
      expect(page.ads).toHaveLength(limit);
      after = `&after=${encodeURIComponent(page.next)}`;
      // Reading all pages of one ad is slow; these cross lookups often enough.
      if (limit === 1 && ads.length >= 60) break;
    }
    expect(ads).toEqual(all.slice(0, ads.length));
    expect(limit === 1 || ads.length === all.length).toBe(true);
  });

  test('applies a filter to every page', async () => {
    const first = await list('limit=2&company_domain=nike.com');
    const second = await list(`limit=1000&company_domain=nike.com&after=${first.next ?? ''}`);
    expect([...first.ads, ...second.ads]).toEqual(all.filter((ad) => ad.company_domain === 'nike.com'));
  });

  test('returns next: null on a full last page', async () => {
    expect((await list(`limit=${all.length}`)).next).toBeNull();
  });

  test.each([
    ['company_domain', 'company_domain=nike.com'],
    ['company_domain as an address', `company_domain=${encodeURIComponent('https://www.NIKE.com/de/?a=b')}`],
  ])('filter %s: the ads found for it, in a batch and in a search', async (_case, query) => {
    const { ads } = await list(`limit=1000&${query}`);
    expect(ads).toEqual(all.filter((ad) => ad.company_domain === 'nike.com'));
    expect(new Set(ads.map((ad) => ad.batch))).toEqual(new Set([batch, null]));
  });

  test('filter company_name: the ads of a company that was looked up by its name', async () => {
    const { ads } = await list(`limit=1000&company_name=${encodeURIComponent('ikea')}`);
    expect(ads.length).toBeGreaterThan(0);
    expect(ads).toEqual(all.filter((ad) => ad.company_name === 'IKEA'));
    const single = await list(`limit=1000&company_name=${encodeURIComponent('NIKE INC')}`);
    expect(single.ads).toEqual(all.filter((ad) => ad.company_name === 'Nike, Inc.'));
  });

  test('filter advertiser_id', async () => {
    const id = all[0]?.advertiser_id ?? '';
    const { ads } = await list(`limit=1000&advertiser_id=${id}`);
    expect(ads.length).toBeGreaterThan(0);
    expect(ads).toEqual(all.filter((ad) => ad.advertiser_id === id));
    expect(await list(`limit=1000&advertiser_id=${id.replace('google:', '')}`)).toEqual({ ads, next: null });
    expect(await list('advertiser_id=google:AR404')).toEqual({ ads: [], next: null });
  });

  test.each(['Text', 'text', 'TEXT', 'image', 'ViDeO'])('filter format=%s, in any case', async (format) => {
    const { ads } = await list(`limit=1000&format=${format}`);
    expect(ads).toEqual(all.filter((ad) => ad.format.toLowerCase() === format.toLowerCase()));
    expect(ads.length).toBeGreaterThan(0);
  });

  test('filter seen_since includes the day itself', async () => {
    const days = all.map((ad) => ad.last_seen).sort();
    const day = days[Math.floor(days.length / 2)] ?? '';
    const { ads } = await list(`limit=1000&seen_since=${day}`);
    expect(ads).toEqual(all.filter((ad) => ad.last_seen >= day));
    expect(ads.some((ad) => ad.last_seen === day)).toBe(true);
    expect(ads.length).toBeLessThan(all.length);
    expect((await list('seen_since=2999-12-31')).ads).toEqual([]);
  });

  test('combines filters', async () => {
    const { ads } = await list('limit=1000&company_domain=nike.com&format=text&seen_since=2026-01-01');
    const wanted = all.filter(
      (ad) =>
        ad.company_domain === 'nike.com' &&
        ad.format.toLowerCase() === 'text' &&
        ad.last_seen >= '2026-01-01',
    );
    expect(ads).toEqual(wanted);
  });

  test('returns an empty list for a company without lookups or without ads', async () => {
    for (const domain of ['never-asked.com', 'nobody-advertises-here.com', 'example.com']) {
      expect(await list(`company_domain=${domain}`)).toEqual({ ads: [], next: null });
    }
  });

  test('returns nothing of another account, with filters and cursors', async () => {
    const first = await list('limit=1');
    const other = await api().createKey();
    for (const query of ['', '?company_domain=nike.com', `?after=${first.next ?? ''}`, '?format=text']) {
      const answer = await api().call('GET', `${path}${query}`, { key: other });
      expect([query, answer.status, answer.json()]).toEqual([query, 200, { ads: [], next: null }]);
    }
  });

  test('is free', async () => {
    const before = await api().balance('reader');
    await list('limit=1000');
    expect(await api().balance('reader')).toEqual(before);
  });

  test.each([
    'after=nonsense',
    'after=',
    'after=%00',
    `after=${Buffer.from('1').toString('base64url')}`,
    `after=${Buffer.from('1.x').toString('base64url')}`,
    `after=${Buffer.from('-1.1').toString('base64url')}`,
    `after=${Buffer.from(`${'9'.repeat(19)}.1`).toString('base64url')}`,
    `after=${'x'.repeat(201)}`,
    'limit=0',
    'limit=1001',
    'limit=1.5',
    'limit=all',
    'limit=1&limit=2',
    'seen_since=yesterday',
    'seen_since=2026-13-01',
    'seen_since=2026-02-30',
    'seen_since=2026-1-1',
    'seen_since=2026-01-01T00:00:00Z',
    'seen_since=',
    'seen_since=0000-01-01',
    'company_domain=localhost',
    'company_domain=127.0.0.1',
    'company_domain=',
    `company_domain=${'x'.repeat(501)}`,
    'company_name=%00',
    'advertiser_id=%00',
    'advertiser_id=4711',
    'format=%00',
    'domain=nike.com',
    'page=2',
  ])('returns 400 for ?%s', async (query) => {
    const answer = await api().call('GET', `${path}?${query}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('requires the scope batches:read', async () => {
    const scopes = ['batches:write', 'ads:search', 'credits:read', 'admin'] as const;
    const refused = await api().call('GET', path, { key: await api().createKey({ scopes }) });
    expect([refused.status, codesOf(refused)]).toEqual([403, ['insufficient_scope']]);
    const reader = await api().createKey({ scopes: ['batches:read'] });
    expect((await api().call('GET', path, { key: reader })).status).toBe(200);
    expect((await api().call('GET', path)).status).toBe(401);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });

  async function list(query: string): Promise<AdPage> {
    const answer = await api().call('GET', `${path}?${query}`, { key });
    expect([query, answer.status]).toEqual([query, 200]);
    return answer.json() as AdPage;
  }

  async function search(json: object): Promise<SearchAnswer> {
    const answer = await api().call('POST', '/v1/ads/google-ads-search', { key, json });
    expect(answer.status).toBe(200);
    return answer.json() as SearchAnswer;
  }

  /** Uploads a file and waits until the batch has finished. */
  async function enrich(body: string): Promise<string> {
    const headers = { 'Content-Type': 'text/csv' };
    const made = await api().call('POST', '/v1/batches', { key, headers, body });
    expect(made.status).toBe(201);
    const { id } = made.json() as { readonly id: string };
    const state = async () =>
      ((await api().call('GET', `/v1/batches/${id}`, { key })).json() as { readonly state: string }).state;
    while ((await state()) !== 'finished') await new Promise((resolve) => setTimeout(resolve, 100));
    return id;
  }
});

interface SeenAd {
  readonly advertiser_id: string;
  readonly creative_id: string;
  readonly format: string;
  readonly last_seen: string;
  readonly batch: string | null;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly source: string | null;
  readonly observed_at: string;
}

interface AdPage {
  readonly ads: readonly SeenAd[];
  readonly next: string | null;
}

interface SearchAnswer {
  readonly ads: readonly { readonly advertiser_id: string; readonly creative_id: string }[];
}

/** Companies in order, each once if its ads are adjacent. */
function companiesInOrder(ads: readonly SeenAd[]): readonly object[] {
  const seen = ads.map((ad) => ({ batch: ad.batch, domain: ad.company_domain, name: ad.company_name }));
  return seen.filter((one, i) => JSON.stringify(one) !== JSON.stringify(seen[i - 1]));
}
