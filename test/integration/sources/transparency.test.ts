import { afterEach, describe, expect, test } from 'vitest';
import { transparency } from '../../../src/sources/transparency/definition.ts';
import {
  createTransparencySource,
  type TransparencyOptions,
} from '../../../src/sources/transparency/source.ts';
import { transparencyLimits } from '../../../src/sources/transparency/terms.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { adPageUrl } from '../../../src/core/ads/ad.ts';
import { noDetails } from '../../../src/core/ads/ad-details.ts';
import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import type { AdsAnswer } from '../../../src/core/ads/ads-answer.ts';
import { platformId } from '../../../src/core/companies/platform-id.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import { Misconfigured, SourceBlocked, SourceUnreadable, ValidationError } from '../../../src/core/errors.ts';
import { liveAdSourceContract } from '../../contract/live-ad-source.contract.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import { advertiserIdOf } from '../../support/sources/transparency-creatives.ts';
import { badRequest, openTransparencyStandIn } from '../../support/sources/transparency.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const options = {
  url: 'https://adstransparency.google.com',
  asker: { version: '1.2.3', contact: 'https://ads.example.org/about-our-questions' },
  limits: { ...transparencyLimits, deadlineMs: 5_000 },
  // The gap between calls has its own test.
  waitForGap: () => Promise.resolve(0),
};

async function openPair(changes: Partial<TransparencyOptions> = {}) {
  const standIn = await openTransparencyStandIn();
  const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
  closers.push(standIn.close, http.close);
  const source = createTransparencySource({ ...options, http, url: standIn.url, ...changes });
  const { exchange, made } = plainExchange();
  const ask = (company: CompanyQuery, question: Partial<AdsQuestion> = {}) =>
    source.findAds(questionAbout(company, question), exchange);
  return { standIn, source, ask, made };
}

const site = (domain: string): CompanyQuery => ({ key: `d:${domain}`, domain, name: null });
const named = (name: string): CompanyQuery => ({ key: `n:${name}`, domain: null, name });

function adsOf(answer: AdsAnswer) {
  if (answer.kind !== 'found') throw new Error(`the answer is ${answer.kind}`);
  return answer.ads;
}

async function replyAboutBig(): Promise<unknown> {
  const { standIn, ask } = await openPair();
  let reply: unknown = null;
  standIn.failWith({ kind: 'change', change: (answer) => (reply ??= answer) });
  await ask(site('big.com'));
  return reply;
}

const wall = '<html><title>302 Moved</title>Our systems have detected unusual traffic</html>';
const halfAnHour = { code: 'source_blocked', retry: { kind: 'after', delayMs: 1_800_000 } };
const sevenSeconds = { code: 'source_blocked', retry: { kind: 'after', delayMs: 7_000 } };

liveAdSourceContract(
  transparency,
  async (deadlineMs) => {
    const { standIn, source } = await openPair({ limits: { ...options.limits, deadlineMs }, pagesMax: 2 });
    const { url } = standIn;
    return {
      source,
      url,
      // A second page would have to wait for seconds.
      settings: { url, acceptsTerms: true, contact: options.asker.contact, pagesMax: 1 },
      withAds: site('big.com'),
      withoutAds: site('quiet.com'),
      unknown: named('Absent'),
      failWith: (failure) => standIn.failWith(failure),
      close: standIn.close,
    };
  },
  {
    reply: await replyAboutBig(),
    // Keys that are not parsed.
    dispensable: ['1[].3.5', '1[].6.2', '1[].7.2'],
    // The domain is only in replies to searches by domain.
    beside: ['1[].13', '1[].14'],
    nullable: [],
    disguised: [
      { name: 'a captcha page', failure: { kind: 'text', text: wall }, code: 'source_blocked' },
      { name: 'another page', failure: { kind: 'text', text: '<!doctype html>' }, code: 'source_blocked' },
      {
        name: 'a redirect to the captcha page',
        failure: { kind: 'redirect', to: 'https://www.google.com/sorry/index?continue=x' },
        code: 'source_blocked',
      },
      { name: 'forbidden', failure: { kind: 'status', status: 403 }, code: 'source_blocked' },
      { name: 'overloaded', failure: { kind: 'status', status: 503 }, code: 'source_blocked' },
      { name: 'a bad request', failure: { kind: 'body', body: badRequest }, code: 'source_refused' },
      {
        name: 'an exception',
        failure: { kind: 'body', body: { 2: 'java.lang.IllegalStateException', 5: 500 } },
        code: 'source_unavailable',
      },
      {
        name: 'a total without creatives',
        failure: { kind: 'body', body: { 4: '8000', 5: '9000' } },
        code: 'source_unreadable',
      },
    ],
  },
  {
    'a 429': halfAnHour,
    'a 429 with Retry-After': sevenSeconds,
    'a 503 with Retry-After': sevenSeconds,
  },
);

describe('transparency source', () => {
  test.each([0, 6, 1.5, NaN])('rejects a maximum of %d pages', (pagesMax) => {
    expect(() => createTransparencySource({ ...options, http: noHttp, pagesMax })).toThrow(Misconfigured);
  });

  test.each(['', 'a b', 'x) (Mozilla', 'münchen@example.org', 'a\r\nb'])(
    'rejects the contact %j',
    (contact) => {
      const asker = { version: '1.2.3', contact };
      expect(() => createTransparencySource({ ...options, http: noHttp, asker })).toThrow(Misconfigured);
    },
  );

  test('sends requests to its own endpoint only', async () => {
    const urls: string[] = [];
    const http: TransparencyOptions['http'] = {
      send: (url) => {
        urls.push(url.href);
        return Promise.resolve({ text: '{"4":"0","5":"0"}', allowance: null });
      },
    };
    const source = createTransparencySource({ ...options, http });
    await source.findAds(questionAbout(site('acme.com')), plainExchange().exchange);
    expect(urls).toEqual([
      'https://adstransparency.google.com/anji/_/rpc/SearchService/SearchCreatives?authuser=',
    ]);
  });

  test('includes the wait before a call in its deadline', async () => {
    const deadlines: number[] = [];
    const http: TransparencyOptions['http'] = {
      send: (_url, _request, { deadlineMs }) => {
        deadlines.push(deadlineMs);
        return Promise.resolve({ text: '{"4":"0","5":"0"}', allowance: null });
      },
    };
    const source = createTransparencySource({ ...options, http, waitForGap: () => Promise.resolve(1_200) });
    await source.findAds(questionAbout(site('acme.com')), plainExchange().exchange);
    expect(deadlines).toEqual([3_800]);
  });

  test('identifies itself in the User-Agent, and sends no cookies', async () => {
    const { standIn, ask } = await openPair();
    await ask(site('acme.com'));
    const headers = standIn.calls[0]?.headers ?? {};
    expect(headers['user-agent']).toBe('Nightshift/1.2.3 (+https://ads.example.org/about-our-questions)');
    expect(Object.keys(headers)).not.toContain('cookie');
  });

  test('parses ads: ids, dates, sizes and markup, and no variant without an image', async () => {
    const { ask, made } = await openPair();
    const answer = await ask(site('acme.com'));
    const ads = adsOf(answer);
    expect(answer).toMatchObject({
      matchedBy: 'domain',
      extent: { partial: false, truncated: false, estimate: { low: 40, high: 40 } },
    });
    const source = 'https://tpc.googlesyndication.com/archive/simgad/7777777777100000';
    expect(ads[0]).toEqual({
      advertiserId: `google:${advertiserIdOf(1, 0)}`,
      creativeId: 'google:CR00000000000000100000',
      advertiserName: 'Example Retail BV',
      format: 'Text',
      originalUrl: adPageUrl(advertiserIdOf(1, 0), 'CR00000000000000100000'),
      variants: [{ content: `<img src="${source}" height="200" width="380">`, height: 200, width: 380 }],
      start: '2023-11-14',
      lastSeen: '2026-07-02',
      text: null,
      details: { ...noDetails, daysShown: 864, targetDomain: 'acme.com' },
    });
    const count = (format: string, variants: number) =>
      ads.filter((ad) => ad.format === format && ad.variants.length === variants).length;
    expect([count('Text', 1), count('Text', 0), count('Image', 0), count('Video', 0)]).toEqual([29, 7, 3, 1]);
    expect(ads.some(({ advertiserName }) => advertiserName === '유한회사 이그잼플')).toBe(true);
    const shells = ads.filter(({ variants }) => variants.length === 0);
    for (const { details } of shells)
      expect(details?.previewUrl).toMatch(
        /^https:\/\/displayads-formats\.googleusercontent\.com\/ads\/preview\/content\.js\?creativeId=\d+&sig=\w+$/,
      );
    expect(made).toEqual([
      { about: 'ads of acme.com, page 1', unitsMax: 0, says: 'found', units: 0, charged: null },
    ]);
  });

  test('returns no_match without a call for a company without domain and name', async () => {
    const { standIn, ask } = await openPair();
    expect(await ask({ key: 'n:', domain: null, name: null })).toEqual({ kind: 'no_match' });
    expect(standIn.calls).toEqual([]);
  });
});

describe('search of the transparency source', () => {
  test('uses mapped advertisers, without denied ones', async () => {
    const { standIn, ask } = await openPair();
    const mapping = [
      { advertiserId: `google:${advertiserIdOf(4, 0)}`, role: 'allow' },
      { advertiserId: `google:${advertiserIdOf(1, 0)}`, role: 'deny' },
      { advertiserId: 'meta:4711', role: 'allow' },
    ] as const;
    const answer = await ask(site('acme.com'), { mapping });
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'mapping' });
    expect(adsOf(answer)).toHaveLength(3);
    expect(standIn.asked().map(({ fReq }) => fReq['3'])).toEqual([
      { 12: { 1: '', 2: true }, 13: { 1: [advertiserIdOf(4, 0)] } },
    ]);
  });

  test('uses the domain if no mapped advertiser has an id of the source', async () => {
    const { ask } = await openPair();
    const mapping = [{ advertiserId: 'meta:act_42', role: 'allow' }] as const;
    expect(await ask(site('solo.com'), { mapping })).toMatchObject({ matchedBy: 'domain' });
  });

  test('uses a suggested domain whose label is the name', async () => {
    const { ask, made } = await openPair();
    const answer = await ask(named('Acme'));
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain_label' });
    expect(made.map(({ about, says }) => [about, says])).toEqual([
      ['who is "Acme"', 'candidates'],
      ['ads of acme.com, page 1', 'found'],
    ]);
  });

  test('uses advertisers of the name, without legal form', async () => {
    const { ask } = await openPair();
    const answer = await ask(named('Solo Traders'));
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'name' });
    expect(adsOf(answer).every(({ advertiserId }) => advertiserId === `google:${advertiserIdOf(4, 0)}`)).toBe(
      true,
    );
    const advertiser = { legalName: null, location: 'GB', verification: 'UNVERIFIED' };
    for (const { details } of adsOf(answer)) expect(details).toMatchObject({ advertiser });
  });

  test.each([
    ['no suggestion has the name', 'Absent', ['candidates']],
    ['there are no suggestions', 'Hollow', ['no_match']],
    [
      'the reply is empty twice, while another name has suggestions',
      'Void',
      ['candidates', 'candidates', 'no_match'],
    ],
  ])('returns no_match if %s', async (_, name, says) => {
    const { ask, made } = await openPair();
    expect(await ask(named(name))).toEqual({ kind: 'no_match' });
    expect(made.map((call) => call.says)).toEqual(says);
  });

  test('fails instead of no_match if suggestions cannot be parsed', async () => {
    const { standIn, ask } = await openPair();
    standIn.failWith({ kind: 'body', body: {} });
    await expect(ask(named('Acme'))).rejects.toBeInstanceOf(SourceUnreadable);
    standIn.failWith({ kind: 'change', change: ({ 1: rows, 3: rest }) => ({ 3: rest, 4: rows }) });
    await expect(ask(named('Acme'))).rejects.toBeInstanceOf(SourceUnreadable);
  });
});

describe('region of the transparency source', () => {
  test('is sent as the number of the country', async () => {
    const { standIn, ask, made } = await openPair();
    expect(adsOf(await ask(site('acme.com'), { region: 'US' }))).toHaveLength(20);
    expect(adsOf(await ask(site('acme.com'), { region: 'DE' }))).toHaveLength(40);
    expect(standIn.asked().map(({ fReq }) => (fReq['3'] as { 8: unknown })[8])).toEqual([[2840], [2276]]);
    expect(made.map(({ about }) => about)).toEqual([
      'ads of acme.com in US, page 1',
      'ads of acme.com in DE, page 1',
    ]);
  });

  test('with an empty list is none', async () => {
    const { ask } = await openPair();
    expect(await ask(site('acme.com'), { region: 'FR' })).toEqual({ kind: 'none', matchedBy: 'domain' });
  });

  test('that does not exist is rejected without a call', async () => {
    const { standIn, ask } = await openPair();
    await expect(ask(site('acme.com'), { region: 'UK' })).rejects.toThrow(ValidationError);
    expect(standIn.calls).toEqual([]);
  });
});

describe('pages of the transparency source', () => {
  test('are up to three, without duplicates, and marked as truncated', async () => {
    const { standIn, ask } = await openPair();
    const answer = await ask(site('big.com'));
    const ids = adsOf(answer).map(({ creativeId }) => creativeId);
    expect(ids).toHaveLength(118);
    expect(new Set(ids).size).toBe(118);
    expect(ids).toEqual([...ids].sort());
    expect(answer).toMatchObject({
      extent: { truncated: true, partial: false, estimate: { low: 8000, high: 9000 } },
    });
    expect(standIn.asked().map(({ fReq }) => fReq['4'] !== undefined)).toEqual([false, true, true]);
  });

  test.each([
    [40, 1],
    [41, 2],
    [1000, 5],
  ])('are as few as needed for %i ads', async (adsMax, pages) => {
    const { standIn, ask } = await openPair({ pagesMax: 5 });
    await ask(site('big.com'), { adsMax });
    expect(standIn.calls).toHaveLength(pages);
  });

  test.each([
    ['blocked', { kind: 'redirect', to: 'https://www.google.com/sorry/index' }],
    ['down', { kind: 'status', status: 500 }],
    ['empty', { kind: 'body', body: {} }],
    [
      'changed',
      { kind: 'change', change: ({ 1: rows, ...rest }: Record<string, unknown>) => ({ 8: rows, ...rest }) },
    ],
  ] as const)('before one that is %s are kept, marked as partial', async (_, failure) => {
    const { standIn, ask } = await openPair();
    standIn.failWith(failure, ({ bodyText }) => bodyText.includes('%224%22'));
    const answer = await ask(site('big.com'));
    expect(adsOf(answer)).toHaveLength(40);
    expect(answer).toMatchObject({ extent: { partial: true, truncated: false } });
  });

  test('with a total of 0 or an empty list are none, without a second call', async () => {
    const { standIn, ask, made } = await openPair();
    expect(await ask(site('quiet.com'))).toEqual({ kind: 'none', matchedBy: 'domain' });
    standIn.override(() => ({ 1: [] }));
    expect(await ask(site('silent.com'))).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(made.map(({ says }) => says)).toEqual(['none', 'none']);
  });
});

describe('details of ads of the transparency source', () => {
  test('complete the first ads without a picture: variants once each, regions, and the preview of the list', async () => {
    const plain = adsOf(await (await openPair()).ask(site('acme.com')));
    const { standIn, ask, made } = await openPair({ detailsMax: 2 });
    const answer = await ask(site('acme.com'));
    const shells = plain.filter(({ variants }) => variants.length === 0);
    const completed = adsOf(answer).filter(({ details }) => (details?.regions.length ?? 0) > 0);
    expect(completed.map(({ creativeId }) => creativeId)).toEqual(
      shells.slice(0, 2).map(({ creativeId }) => creativeId),
    );
    expect(completed[0]).toMatchObject({
      variants: [{ content: expect.stringMatching(/^<img src=/) as string, height: 493, width: 348 }],
      text: null,
      details: {
        ...shells[0]?.details,
        regions: expect.arrayContaining([
          {
            region: 'DE',
            firstShown: null,
            lastShown: '2026-07-02',
            timesShown: null,
            timesShownFrom: null,
            timesShownTo: null,
            surfaces: [],
          },
        ]) as unknown,
      },
    });
    expect(adsOf(answer).filter(({ variants }) => variants.length > 1)).toEqual([]);
    expect(standIn.asked().map(({ method }) => method)).toEqual([
      'SearchService/SearchCreatives',
      'LookupService/GetCreativeById',
      'LookupService/GetCreativeById',
    ]);
    expect(made.slice(1)).toEqual(
      shells.slice(0, 2).map((ad) => ({
        about: `details of ${platformId(ad.creativeId ?? '')} by ${platformId(ad.advertiserId ?? '')}`,
        unitsMax: 0,
        says: 'found',
        units: 0,
        charged: null,
      })),
    );
  });

  test.each([
    ['blocked', { kind: 'redirect', to: 'https://www.google.com/sorry/index' }],
    ['empty', { kind: 'body', body: {} }],
    ['about another creative', { kind: 'body', body: { 1: { 1: 'AR1', 2: 'CR1', 5: [] } } }],
    ['of an unknown form', { kind: 'change', change: () => ({ 1: { 5: [{ 9: 'x' }] } }) }],
  ] as const)('that are %s leave the answer as it was', async (_, failure) => {
    const plain = await (await openPair()).ask(site('acme.com'));
    const { standIn, ask } = await openPair({ detailsMax: 5 });
    standIn.failWith(failure, ({ path }) => path.endsWith('/GetCreativeById'));
    expect(await ask(site('acme.com'))).toEqual(plain);
    expect(standIn.calls).toHaveLength(2);
  });
});

describe('empty object of the transparency source', () => {
  test('is none if a control request returns ads, and the object is returned again', async () => {
    const { ask, made } = await openPair();
    expect(await ask(site('mute.com'))).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(made.map(({ about, says }) => [about, says])).toEqual([
      // Only the last of them is about the company: the first two are no answer without it.
      ['ads of mute.com, page 1', 'candidates'],
      ['control: ads of nike.com, page 1', 'candidates'],
      ['ads of mute.com, page 1, asked again', 'none'],
    ]);
  });

  test('is compared with one control request per five minutes, without region', async () => {
    let nowMs = 0;
    const { standIn, ask } = await openPair({ nowMs: () => nowMs });
    standIn.override((fReq) => (JSON.stringify(fReq).includes('mute.com') ? {} : undefined));
    const controls = () => standIn.asked().filter(({ fReq }) => JSON.stringify(fReq).includes('nike.com'));
    await ask(site('mute.com'), { region: 'DE' });
    await ask(site('mute.com'));
    nowMs = 299_999;
    expect(await ask(site('mute.com'))).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(controls().map(({ fReq }) => fReq['3'])).toEqual([{ 12: { 1: 'nike.com', 2: true } }]);
    nowMs = 300_000;
    await ask(site('mute.com'));
    expect([controls().length, standIn.calls.length]).toEqual([2, 10]);
  });

  test('for advertisers is compared with a control request for an advertiser', async () => {
    const { standIn, ask } = await openPair();
    const mapping = [{ advertiserId: `google:${advertiserIdOf(77, 0)}`, role: 'allow' }] as const;
    expect(await ask(named('Mute'), { mapping })).toEqual({ kind: 'none', matchedBy: 'mapping' });
    expect(JSON.stringify(standIn.asked()[1]?.fReq)).toContain('"13":{"1":["AR16735076323512287233"]}');
  });

  test('is unreadable if the control request returns none', async () => {
    const { standIn, ask } = await openPair();
    standIn.override(() => ({}));
    await expect(ask(site('mute.com'))).rejects.toBeInstanceOf(SourceUnreadable);
    await expect(ask(site('mute.com'))).rejects.toThrow('its interface has changed');
  });

  test.each([
    ['a total of 0', { 4: '0', 5: '0' }],
    ['an empty list', { 1: [] }],
  ])('is unreadable if the control request returns %s only', async (_, reply) => {
    const { standIn, ask } = await openPair();
    standIn.override((fReq) => (JSON.stringify(fReq).includes('nike.com') ? reply : undefined));
    await expect(ask(site('mute.com'))).rejects.toBeInstanceOf(SourceUnreadable);
  });

  test('is a block if the control request is blocked', async () => {
    const { standIn, ask } = await openPair();
    standIn.failWith({ kind: 'text', text: wall }, ({ bodyText }) => bodyText.includes('nike.com'));
    await expect(ask(site('mute.com'))).rejects.toBeInstanceOf(SourceBlocked);
  });

  test('is ignored if a repeat returns ads', async () => {
    const { standIn, ask } = await openPair();
    standIn.override(() => (standIn.calls.length === 1 ? {} : undefined));
    expect(adsOf(await ask(site('acme.com')))).toHaveLength(40);
  });

  test('is returned for a request without its last part, as by the service itself', async () => {
    const { standIn } = await openPair();
    const fReq = '{"2":40,"3":{"12":{"1":"acme.com","2":true}}}';
    const reply = await fetch(`${standIn.url}/anji/_/rpc/SearchService/SearchCreatives?authuser=`, {
      method: 'POST',
      headers: {
        origin: 'https://adstransparency.google.com',
        referer: 'https://adstransparency.google.com/',
        'x-same-domain': '1',
        'user-agent': 'Nightshift/0 (+test)',
      },
      body: new URLSearchParams({ 'f.req': fReq }),
    });
    expect(await reply.json()).toEqual({});
  });
});

const noHttp: TransparencyOptions['http'] = {
  send: () => Promise.reject(new Error('nothing should be sent')),
};
