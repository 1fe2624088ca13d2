import { afterEach, describe, expect, test } from 'vitest';
import { serpapi } from '../../../src/sources/serpapi/definition.ts';
import { createSerpapiSource, type SerpapiOptions } from '../../../src/sources/serpapi/source.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import type { Ad } from '../../../src/core/ads/ad.ts';
import { fullId, platformId } from '../../../src/core/companies/platform-id.ts';
import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import { Misconfigured, ValidationError } from '../../../src/core/errors.ts';
import { liveAdSourceContract, type WireInfo } from '../../contract/live-ad-source.contract.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import {
  answerSerpapi,
  openSerpapiStandIn,
  serpapiFixture,
  type SerpapiStandInOptions,
} from '../../support/sources/serpapi.ts';
import type { SeenCall } from '../../support/sources/stand-in-server.ts';
import { renameKey } from '../../support/sources/wire-changes.ts';
import type { Failure } from '../../support/stand-in/stand-in-failures.ts';
import { noLimits } from '../../support/api/no-limits.ts';

const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
const key = 'secret-of-serpapi';
const withAds: CompanyQuery = { key: 'd:acme.com', domain: 'acme.com', name: 'Acme' };
const withoutAds: CompanyQuery = { key: 'd:quiet.com', domain: 'quiet.com', name: null };
const nameOnly: CompanyQuery = { key: 'n:acme', domain: null, name: 'Acme' };
const [retail, inc] = serpapiFixture.advertisers;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openPair(changes: Partial<SerpapiOptions & SerpapiStandInOptions> = {}) {
  const { rowsPerPage = 25, isSpent = false, ...options } = changes;
  const standIn = await openSerpapiStandIn({ key, rowsPerPage, isSpent });
  closers.push(standIn.close);
  const limits = { ...noLimits, deadlineMs: 5_000 };
  return { standIn, source: createSerpapiSource({ http, url: standIn.url, key, limits, ...options }) };
}

/** Answer to a query, reports of the calls, and requests at the stand-in. */
async function ask(question: AdsQuestion, changes: Parameters<typeof openPair>[0] = {}) {
  const { standIn, source } = await openPair(changes);
  const { exchange, made } = plainExchange();
  const answer = await source.findAds(question, exchange);
  return { answer, made, queries: standIn.calls.map(({ query }) => Object.fromEntries(query)) };
}

const disguises: readonly (readonly [string, object, string])[] = [
  ['an account without searches', { error: 'Your account has run out of searches.' }, 'source_refused'],
  [
    'a month without searches',
    { error: 'Your searches for the month are exhausted. You can upgrade plans on SerpApi.com website.' },
    'source_refused',
  ],
  ['too many an hour', { error: 'You have exceeded the hourly throughput limit.' }, 'source_throttled'],
  ['a wrong key', { error: 'Invalid API key. Your API key should be here: …' }, 'source_refused'],
  ['a failed search', { search_metadata: { status: 'Error' }, error: 'Try again.' }, 'source_unavailable'],
  ['an unfinished search', { search_metadata: { status: 'Processing' } }, 'source_unavailable'],
  ['an error that nobody knows', { error: 'Failed to retrieve data.' }, 'source_unreadable'],
  [
    'a success with an error, which does not say that it is empty',
    { search_metadata: { status: 'Success' }, search_information: {}, error: 'Failed to retrieve data.' },
    'source_unreadable',
  ],
  [
    'an empty list without a word',
    { search_metadata: { status: 'Success' }, search_information: { total_results: 0 }, ad_creatives: [] },
    'source_unreadable',
  ],
  [
    'an empty search that failed',
    {
      search_metadata: { status: 'Cancelled' },
      search_information: { results_state: 'Fully empty' },
      error: "Google Ads Transparency Center hasn't returned any results for this search.",
    },
    'source_unreadable',
  ],
];

const firstPage = answerSerpapi(
  {
    method: 'GET',
    path: '/search.json',
    query: new URLSearchParams({
      engine: 'google_ads_transparency_center',
      text: 'acme.com',
      num: '100',
      api_key: key,
    }),
  },
  { key, rowsPerPage: 25, isSpent: false },
);

const data: WireInfo = {
  reply: firstPage.json,
  dispensable: [
    'search_metadata.id',
    'search_metadata.json_endpoint',
    'search_metadata.markdown_endpoint',
    'search_metadata.created_at',
    'search_metadata.processed_at',
    'search_metadata.google_ads_transparency_center_url',
    'search_metadata.total_time_taken',
    'search_parameters*',
    'ad_creatives[].details_link',
    'ad_creatives[].serpapi_details_link',
    'serpapi_pagination.next',
  ],
  beside: ['ad_creatives[].target_domain', 'ad_creatives[].link', 'ad_creatives[].total_days_shown'],
  nullable: [],
  disguised: disguises.map(([name, body, code]) => ({ name, failure: { kind: 'body', body }, code })),
};

liveAdSourceContract(
  serpapi,
  async (deadlineMs) => {
    const { standIn, source } = await openPair({ limits: { ...noLimits, deadlineMs } });
    const { url, failWith, close } = standIn;
    return { source, url, settings: { url, key }, withAds, withoutAds, unknown: nameOnly, failWith, close };
  },
  data,
);

describe('request to SerpApi', () => {
  test('has the domain, for pages of the largest size', async () => {
    const { queries, answer } = await ask(questionAbout(withAds), { rowsPerPage: 100 });
    const engine = 'google_ads_transparency_center';
    expect(queries).toEqual([{ engine, text: 'acme.com', num: '100', api_key: key }]);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
  });

  test('has the mapped advertisers, without denied ones', async () => {
    const mapping = [
      { advertiserId: `google:${inc.id}`, role: 'allow' },
      { advertiserId: 'google:AR55555555555555555555', role: 'agency' },
      { advertiserId: `google:${retail.id}`, role: 'deny' },
    ] as const;
    const { queries, answer } = await ask(questionAbout(withAds, { mapping }));
    expect(queries[0]).toMatchObject({ advertiser_id: `${inc.id},AR55555555555555555555` });
    expect(queries[0]).not.toHaveProperty('text');
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'mapping' });
    const ads = answer.kind === 'found' ? answer.ads : [];
    expect(new Set(ads.map(({ advertiserId }) => advertiserId))).toEqual(new Set([`google:${inc.id}`]));
  });

  test('has the domain if no mapped advertiser has an id of Google', async () => {
    const mapping = [{ advertiserId: 'meta:act_42', role: 'allow' }] as const;
    const { queries, answer } = await ask(questionAbout(withAds, { mapping }));
    expect(queries[0]).toMatchObject({ text: 'acme.com' });
    expect(queries[0]).not.toHaveProperty('advertiser_id');
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
  });

  test('has a description with subject and region', async () => {
    const aboutOf = async (changes: Partial<AdsQuestion>) =>
      (await ask(questionAbout(withAds, changes))).made[0]?.about;
    const many = Array.from({ length: 6 }, (_, n) => `AR${String(n).padStart(20, '0')}`);
    const mappingOf = (ids: readonly string[]) =>
      ids.map((id) => ({ advertiserId: `google:${id}`, role: 'allow' }) as const);
    const texts = [
      await aboutOf({}),
      await aboutOf({ region: 'DE' }),
      await aboutOf({ mapping: mappingOf([inc.id]) }),
      await aboutOf({ mapping: mappingOf([retail.id]) }),
      await aboutOf({ mapping: mappingOf([...many, inc.id]) }),
      await aboutOf({ mapping: mappingOf([...many, retail.id]) }),
    ];
    expect(new Set(texts).size).toBe(6);
    expect(texts[2]).toBe(`ads of ${inc.id}, page 1`);
    expect(texts[4]).toMatch(/^ads of 7 advertisers \([0-9a-f]{12}\), page 1$/);
    expect(await aboutOf({ mapping: mappingOf([...many, inc.id]) })).toBe(texts[4]);
  });

  test('has the number of the region', async () => {
    const { queries, answer } = await ask(questionAbout(withAds, { region: 'DE' }));
    expect(queries[0]).toMatchObject({ region: '2276' });
    expect(answer.kind === 'found' && answer.ads.length).toBe(20);
  });

  test('has the name of the surface as its platform', async () => {
    const { queries, answer } = await ask(questionAbout(withAds, { surface: 'MAPS' }));
    expect(queries[0]).toMatchObject({ platform: 'MAPS' });
    expect(answer.kind === 'found' && answer.ads.length).toBe(3);
  });

  test('is not sent for a region without a number', async () => {
    const { standIn, source } = await openPair();
    const call = source.findAds(questionAbout(withAds, { region: 'ZZ' }), plainExchange().exchange);
    await expect(call).rejects.toThrow(ValidationError);
    expect(standIn.calls).toEqual([]);
  });

  test('is not sent for a company with a name only', async () => {
    const { queries, answer } = await ask(questionAbout(nameOnly));
    expect([queries, answer]).toEqual([[], { kind: 'no_match' }]);
  });
});

describe('answer from SerpApi', () => {
  test('has 40 ads in the order served, without a duplicate of two pages', async () => {
    const { answer, queries } = await ask(questionAbout(withAds));
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(queries).toHaveLength(2);
    const lastSeen = answer.ads.map((ad) => ad.lastSeen);
    expect(lastSeen).toEqual(lastSeen.toSorted().reverse());
    expect(new Set(answer.ads.map(({ creativeId }) => creativeId)).size).toBe(40);
    expect(answer.extent).toEqual({ partial: false, truncated: false, estimate: { low: 50, high: 50 } });
  });

  test('has an image element for an image, and no variant for a preview', async () => {
    const { answer } = await ask(questionAbout(withAds));
    const ads = answer.kind === 'found' ? answer.ads : [];
    const kindOf = (format: string) => ads.filter((ad) => ad.format === format);
    expect([kindOf('Text').length, kindOf('Image').length, kindOf('Video').length]).toEqual([26, 2, 12]);
    expect(kindOf('Video').flatMap(({ variants }) => variants)).toEqual([]);
    expect(kindOf('Text').every(({ variants }) => variants.length === 1)).toBe(true);
    expect(kindOf('Image').flatMap(({ variants }) => variants)).toMatchObject([
      { content: expect.stringMatching(/^<img src="https:[^"]+" height="\d+" width="\d+">$/) as string },
      { content: expect.stringMatching(/^<img src="https:[^"]+">$/) as string, height: null, width: null },
    ]);
  });

  test('is stable, although preview links change with every request', async () => {
    const [first, second] = [await ask(questionAbout(withAds)), await ask(questionAbout(withAds))];
    expect(second.answer).toEqual(first.answer);
  });

  test.each(['www.acme.com', 'quiet.com'])('is none for %s, which costs a search', async (domain) => {
    const { answer, made } = await ask(questionAbout({ key: `d:${domain}`, domain, name: null }));
    expect(answer).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(made).toMatchObject([{ says: 'none', units: 1, unitsMax: 1, charged: null }]);
  });

  test('costs a search per page, with its description', async () => {
    const { made } = await ask(questionAbout(withAds));
    expect(made.map(({ about, units }) => [about, units])).toEqual([
      ['ads of acme.com, page 1', 1],
      ['ads of acme.com, page 2', 1],
    ]);
  });

  test('has at most the allowed pages, and is marked as truncated', async () => {
    const { answer, queries } = await ask(questionAbout(withAds), { rowsPerPage: 10 });
    expect(queries).toHaveLength(2);
    expect(answer).toMatchObject({ kind: 'found', extent: { partial: false, truncated: true } });
    const { answer: whole } = await ask(questionAbout(withAds), { rowsPerPage: 10, pagesMax: 9 });
    expect(whole).toMatchObject({ kind: 'found', extent: { truncated: false } });
  });

  test('has no further page once there are enough ads', async () => {
    const { answer, queries } = await ask(questionAbout(withAds, { adsMax: 25 }));
    expect(queries).toHaveLength(1);
    expect(answer).toMatchObject({ kind: 'found', extent: { truncated: true } });
  });
});

describe('details of ads from SerpApi', () => {
  const detailAbout = /^details of CR\d{20} by AR\d{20}$/;

  test('are not requested by default', async () => {
    const { queries } = await ask(questionAbout(withAds));
    expect(queries.some(({ creative_id }) => creative_id !== undefined)).toBe(false);
  });

  test('complete the first ads without a picture, at a search each', async () => {
    const plain = await ask(questionAbout(withAds));
    const { answer, made, queries } = await ask(questionAbout(withAds), { detailsMax: 2 });
    if (answer.kind !== 'found' || plain.answer.kind !== 'found') throw new Error(answer.kind);
    expect(made.map(({ unitsMax, units, says }) => [unitsMax, units, says])).toEqual(
      Array.from({ length: 4 }, () => [1, 1, 'found']),
    );
    expect(made.slice(2).every(({ about }) => detailAbout.test(about))).toBe(true);
    const shells = plain.answer.ads.filter(({ variants }) => variants.length === 0);
    expect(queries.slice(2).map((query) => query['creative_id'])).toEqual(
      shells.slice(0, 2).map(({ creativeId }) => platformId(creativeId ?? '')),
    );
    const [ad] = answer.ads;
    expect(ad).toMatchObject({
      variants: [{ content: expect.stringMatching(/^<img src="https:[^"]+">$/) as string }],
      text: {
        headline: 'Run global payroll',
        description: 'In minutes',
        displayUrl: 'acme.com',
        finalUrl: 'https://www.acme.com/payroll',
        adType: null,
      },
      details: {
        targetDomain: 'acme.com',
        previewUrl: shells[0]?.details?.previewUrl,
        payer: ad?.advertiserName,
        regions: [
          {
            region: 'US',
            firstShown: null,
            lastShown: '2026-09-03',
            timesShown: { lower: 1000, upper: 2000, availableOn: null },
          },
          { region: 'DE', firstShown: '2023-12-24', lastShown: '2025-08-22', timesShown: null },
        ],
      },
    });
    expect(ad?.variants).toHaveLength(1);
    const rest = ({ ads }: { ads: readonly Ad[] }) => ads.filter(({ text }) => text === null);
    expect(rest(answer)).toEqual(
      rest(plain.answer).filter(({ creativeId }) =>
        rest(answer).some((each) => each.creativeId === creativeId),
      ),
    );
    expect(answer.extent).toEqual(plain.answer.extent);
  });

  test('are requested only for ads that the lookup keeps, and not for denied advertisers', async () => {
    const { queries } = await ask(questionAbout(withAds, { adsMax: 2 }), { detailsMax: 9 });
    expect(queries.filter(({ creative_id }) => creative_id !== undefined)).toHaveLength(2);
    const { answer: unlimited } = await ask(questionAbout(withAds));
    const ads = unlimited.kind === 'found' ? unlimited.ads : [];
    const mapping = [retail, ...serpapiFixture.advertisers.slice(2)].map(
      ({ id }) => ({ advertiserId: fullId(id), role: 'deny' }) as const,
    );
    const denied = await ask(questionAbout(withAds, { mapping }), { detailsMax: 99 });
    const requested = denied.queries.filter(({ creative_id }) => creative_id !== undefined);
    const shells = ads.filter(
      ({ variants, advertiserId }) => variants.length === 0 && advertiserId === fullId(inc.id),
    );
    expect(requested).toHaveLength(shells.length);
    expect(new Set(requested.map((query) => query['advertiser_id']))).toEqual(new Set([inc.id]));
  });

  test.each<[string, Failure]>([
    ['a 500', { kind: 'status', status: 500 }],
    ['a 429', { kind: 'status', status: 429 }],
    ['a rejected key', { kind: 'status', status: 401 }],
    ['another shape', { kind: 'body', body: { data: [] } }],
    ['a reply without variations', { kind: 'change', change: (reply) => ({ ...reply, ad_creatives: [] }) }],
    ['a closed connection', { kind: 'cut', when: 'middle' }],
  ])('end with %s, and the answer stays as it was, without a mark', async (_, failure) => {
    const plain = await ask(questionAbout(withAds));
    const { standIn, source } = await openPair({ detailsMax: 5 });
    const isDetail = ({ query }: SeenCall) => query.has('creative_id');
    standIn.failWith(failure, isDetail);
    const answer = await source.findAds(questionAbout(withAds), plainExchange().exchange);
    expect(answer).toEqual(plain.answer);
    expect(standIn.calls.filter(isDetail)).toHaveLength(1);
  });

  test('defer a lookup that is retried if the source asks to slow down, as pages do', async () => {
    const { standIn, source } = await openPair({ detailsMax: 5 });
    standIn.failWith({ kind: 'status', status: 429 }, ({ query }) => query.has('creative_id'));
    const { exchange } = plainExchange();
    const deferring = Object.assign(exchange, { comesBack: true });
    await expect(source.findAds(questionAbout(withAds), deferring)).rejects.toMatchObject({
      code: 'source_throttled',
    });
  });
});

describe('error of SerpApi is not taken for an answer', () => {
  test.each<[string, Failure]>([
    ['a 500', { kind: 'status', status: 500 }],
    [
      'an account without searches',
      { kind: 'body', body: { error: 'Your account has run out of searches.' } },
    ],
    ['another shape', { kind: 'body', body: {} }],
  ])('%s on a later page keeps the first page, marked as partial', async (_, failure) => {
    const { standIn, source } = await openPair();
    standIn.failWith(failure, ({ query }) => query.has('next_page_token'));
    const answer = await source.findAds(questionAbout(withAds), plainExchange().exchange);
    expect(answer).toMatchObject({ kind: 'found', extent: { partial: true, truncated: false } });
    expect(answer.kind === 'found' && answer.ads.length).toBe(25);
  });

  test('a 429 of an account without searches is a spent account, any other is a rate limit', async () => {
    const spent = ask(questionAbout(withAds), { isSpent: true });
    await expect(spent).rejects.toMatchObject({ code: 'source_refused', status: 402 });
    const { standIn, source } = await openPair();
    standIn.failWith({ kind: 'status', status: 429 });
    const paced = source.findAds(questionAbout(withAds), plainExchange().exchange);
    await expect(paced).rejects.toMatchObject({ code: 'source_throttled' });
  });

  test('a page without its link to the next one is not the last page', async () => {
    const { standIn, source } = await openPair();
    standIn.failWith({ kind: 'change', change: (reply) => renameKey(reply, 'serpapi_pagination') });
    const call = source.findAds(questionAbout(withAds), plainExchange().exchange);
    await expect(call).rejects.toThrow('no row has the key serpapi_pagination');
  });
});

describe('configuration of SerpApi is rejected', () => {
  const vendorUrl = 'https://serpapi.com';
  const limits = { ...noLimits, deadlineMs: 5_000 };

  test.each([['http://user:hunter2@serpapi.com'], ['https://serpapi.com/?api_key=hunter2'], ['hunter2']])(
    'with the URL %s, without quoting it',
    (url) => {
      const make = () => createSerpapiSource({ http, url, key, limits });
      expect(make).toThrow(Misconfigured);
      expect(make).not.toThrow(/hunter2/);
    },
  );

  test.each([[''], ['hunter2 '], ['hünter2']])('with the key %j, without quoting it', (badKey) => {
    const make = () => createSerpapiSource({ http, url: vendorUrl, key: badKey, limits });
    expect(make).toThrow(Misconfigured);
    expect(make).not.toThrow(/nter2/);
  });

  test('each key has its own bucket', () => {
    const bucketOf = (own: string) => createSerpapiSource({ http, url: vendorUrl, key: own, limits }).bucket;
    expect(bucketOf('one')).toMatch(/^serpapi:[0-9a-f]{12}$/);
    expect(bucketOf('one')).not.toBe(bucketOf('two'));
  });
});
