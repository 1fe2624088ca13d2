import { afterEach, describe, expect, test } from 'vitest';
import { transparency } from '../../../src/sources/transparency/definition.ts';
import {
  createTransparencySource,
  type TransparencyOptions,
} from '../../../src/sources/transparency/source.ts';
import { transparencyLimits } from '../../../src/sources/transparency/terms.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { adPageUrl } from '../../../src/core/ads/ad.ts';
import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import type { AdsAnswer } from '../../../src/core/ads/ads-answer.ts';
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
  // What keeps calls apart is tested by itself.
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
  standIn.bring({ kind: 'change', change: (answer) => (reply ??= answer) });
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
    return {
      source,
      secrets: [],
      withAds: site('big.com'),
      withoutAds: site('quiet.com'),
      unknown: named('Nobody'),
      bring: (failure) => standIn.bring(failure),
      close: standIn.close,
    };
  },
  {
    reply: await replyAboutBig(),
    // What is not read, and a domain that only searches by domain have.
    dispensable: ['1[].3.5', '1[].6.2', '1[].7.2', '1[].13', '1[].14'],
    nullable: [],
    disguised: [
      { name: 'a page for robots', failure: { kind: 'text', text: wall }, code: 'source_blocked' },
      { name: 'another page', failure: { kind: 'text', text: '<!doctype html>' }, code: 'source_blocked' },
      {
        name: 'a way to the page for robots',
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
    'asks to slow down': halfAnHour,
    'asks to slow down for 7 s': sevenSeconds,
    'overloaded for 7 s': sevenSeconds,
  },
);

describe('the transparency source', () => {
  test.each([0, 6, 1.5, NaN])('does not take %d pages of a company', (pagesMax) => {
    expect(() => createTransparencySource({ ...options, http: noHttp, pagesMax })).toThrow(Misconfigured);
  });

  test.each(['', 'a b', 'x) (Mozilla', 'münchen@example.org', 'a\r\nb'])(
    'does not take %j for a contact',
    (contact) => {
      const asker = { version: '1.2.3', contact };
      expect(() => createTransparencySource({ ...options, http: noHttp, asker })).toThrow(Misconfigured);
    },
  );

  test('calls its own address and no other', async () => {
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

  test('counts the wait before a call into its deadline', async () => {
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

  test('says who is asking, and sends nothing that could stand for somebody else', async () => {
    const { standIn, ask } = await openPair();
    await ask(site('acme.com'));
    const headers = standIn.calls[0]?.headers ?? {};
    expect(headers['user-agent']).toBe('Nightshift/1.2.3 (+https://ads.example.org/about-our-questions)');
    expect(Object.keys(headers)).not.toContain('cookie');
  });

  test('reads ads as they are served: ids, dates, sizes and markup, and no variant without an image', async () => {
    const { ask, made } = await openPair();
    const answer = await ask(site('acme.com'));
    const ads = adsOf(answer);
    expect(answer).toMatchObject({
      matchedBy: 'domain',
      extent: { partial: false, truncated: false, estimate: { low: 40, high: 40 } },
    });
    const source = 'https://tpc.googlesyndication.com/archive/simgad/7777777777100000';
    expect(ads[0]).toEqual({
      advertiserId: advertiserIdOf(1, 0),
      creativeId: 'CR00000000000000100000',
      advertiserName: 'Example Retail BV',
      format: 'Text',
      originalUrl: adPageUrl(advertiserIdOf(1, 0), 'CR00000000000000100000'),
      variants: [{ content: `<img src="${source}" height="200" width="380">`, height: 200, width: 380 }],
      start: '2023-11-14',
      lastSeen: '2026-07-02',
      text: null,
    });
    const count = (format: string, variants: number) =>
      ads.filter((ad) => ad.format === format && ad.variants.length === variants).length;
    expect([count('Text', 1), count('Text', 0), count('Image', 0), count('Video', 0)]).toEqual([29, 7, 3, 1]);
    expect(ads.some(({ advertiserName }) => advertiserName === '유한회사 이그잼플')).toBe(true);
    expect(made).toEqual([
      { about: 'ads of acme.com, page 1', unitsMax: 0, says: 'found', units: 0, charged: null },
    ]);
  });

  test('knows no company that it is told nothing of, and asks nothing', async () => {
    const { standIn, ask } = await openPair();
    expect(await ask({ key: 'n:', domain: null, name: null })).toEqual({ kind: 'no_match' });
    expect(standIn.calls).toEqual([]);
  });
});

describe('of the ways to ask, the transparency source takes', () => {
  test('the advertisers a company is mapped to, without those that it is not', async () => {
    const { standIn, ask } = await openPair();
    const mapping = [
      { advertiserId: advertiserIdOf(4, 0), role: 'allow' },
      { advertiserId: advertiserIdOf(1, 0), role: 'deny' },
      { advertiserId: 'an id of another source', role: 'allow' },
    ] as const;
    const answer = await ask(site('acme.com'), { mapping });
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'mapping' });
    expect(adsOf(answer)).toHaveLength(3);
    expect(standIn.asked().map(({ fReq }) => fReq['3'])).toEqual([
      { 12: { 1: '', 2: true }, 13: { 1: [advertiserIdOf(4, 0)] } },
    ]);
  });

  test('the domain where no advertiser of the mapping can be one of its own', async () => {
    const { ask } = await openPair();
    const mapping = [{ advertiserId: 'act_42', role: 'allow' }] as const;
    expect(await ask(site('solo.com'), { mapping })).toMatchObject({ matchedBy: 'domain' });
  });

  test('a suggested domain that is the name, whatever advertisers are called', async () => {
    const { ask, made } = await openPair();
    const answer = await ask(named('Acme'));
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain_label' });
    expect(made.map(({ about, says }) => [about, says])).toEqual([
      ['who is "Acme"', 'candidates'],
      ['ads of acme.com, page 1', 'found'],
    ]);
  });

  test('the advertisers that bear the name, legal form aside', async () => {
    const { ask } = await openPair();
    const answer = await ask(named('Solo Traders'));
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'name' });
    expect(adsOf(answer).every(({ advertiserId }) => advertiserId === advertiserIdOf(4, 0))).toBe(true);
  });

  test.each([
    ['nobody of that name is suggested', 'Nobody', ['candidates']],
    ['nobody at all is suggested', 'Hollow', ['no_match']],
    [
      'the reply says nothing, twice, while another name has suggestions',
      'Void',
      ['candidates', 'candidates', 'no_match'],
    ],
  ])('nobody where %s', async (_, name, says) => {
    const { ask, made } = await openPair();
    expect(await ask(named(name))).toEqual({ kind: 'no_match' });
    expect(made.map((call) => call.says)).toEqual(says);
  });

  test('nobody is never the answer where names are no longer understood', async () => {
    const { standIn, ask } = await openPair();
    standIn.bring({ kind: 'body', body: {} });
    await expect(ask(named('Acme'))).rejects.toBeInstanceOf(SourceUnreadable);
    standIn.bring({ kind: 'change', change: ({ 1: rows, 3: rest }) => ({ 3: rest, 4: rows }) });
    await expect(ask(named('Acme'))).rejects.toBeInstanceOf(SourceUnreadable);
  });
});

describe('where ads are shown', () => {
  test('is asked by the number of the country', async () => {
    const { standIn, ask, made } = await openPair();
    expect(adsOf(await ask(site('acme.com'), { region: 'US' }))).toHaveLength(20);
    expect(adsOf(await ask(site('acme.com'), { region: 'DE' }))).toHaveLength(40);
    expect(standIn.asked().map(({ fReq }) => (fReq['3'] as { 8: unknown })[8])).toEqual([[2840], [2276]]);
    expect(made.map(({ about }) => about)).toEqual([
      'ads of acme.com in US, page 1',
      'ads of acme.com in DE, page 1',
    ]);
  });

  test('an empty list for a country is none', async () => {
    const { ask } = await openPair();
    expect(await ask(site('acme.com'), { region: 'FR' })).toEqual({ kind: 'none', matchedBy: 'domain' });
  });

  test('a country that does not exist is refused before any call', async () => {
    const { standIn, ask } = await openPair();
    await expect(ask(site('acme.com'), { region: 'UK' })).rejects.toThrow(ValidationError);
    expect(standIn.calls).toEqual([]);
  });
});

describe('page after page', () => {
  test('three of them, without what came twice, and says that there is more', async () => {
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
  ])('no more than it takes for %i ads', async (adsMax, pages) => {
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
  ] as const)('keeps what came before one that is %s, and says that it is not all', async (_, failure) => {
    const { standIn, ask } = await openPair();
    standIn.bring(failure, ({ bodyText }) => bodyText.includes('%224%22'));
    const answer = await ask(site('big.com'));
    expect(adsOf(answer)).toHaveLength(40);
    expect(answer).toMatchObject({ extent: { partial: true, truncated: false } });
  });

  test('a total of 0 and an empty list are none, at once', async () => {
    const { standIn, ask, made } = await openPair();
    expect(await ask(site('quiet.com'))).toEqual({ kind: 'none', matchedBy: 'domain' });
    standIn.override(() => ({ 1: [] }));
    expect(await ask(site('silent.com'))).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(made.map(({ says }) => says)).toEqual(['none', 'none']);
  });
});

describe('an empty object', () => {
  test('is none where the same form of question brings ads, and it comes again after that', async () => {
    const { ask, made } = await openPair();
    expect(await ask(site('mute.com'))).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(made.map(({ about, says }) => [about, says])).toEqual([
      // Only the last of them says anything of the company: the two before are no answer where it does not come.
      ['ads of mute.com, page 1', 'candidates'],
      ['control: ads of nike.com, page 1', 'candidates'],
      ['ads of mute.com, page 1, asked again', 'none'],
    ]);
  });

  test('is held against the same question no more than every five minutes, and never against one region', async () => {
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

  test('to advertisers is held against an advertiser', async () => {
    const { standIn, ask } = await openPair();
    const mapping = [{ advertiserId: advertiserIdOf(77, 0), role: 'allow' }] as const;
    expect(await ask(named('Mute'), { mapping })).toEqual({ kind: 'none', matchedBy: 'mapping' });
    expect(JSON.stringify(standIn.asked()[1]?.fReq)).toContain('"13":{"1":["AR16735076323512287233"]}');
  });

  test('is no answer where requests are no longer understood', async () => {
    const { standIn, ask } = await openPair();
    standIn.override(() => ({}));
    await expect(ask(site('mute.com'))).rejects.toBeInstanceOf(SourceUnreadable);
    await expect(ask(site('mute.com'))).rejects.toThrow('its interface has changed');
  });

  test.each([
    ['a total of 0', { 4: '0', 5: '0' }],
    ['an empty list', { 1: [] }],
  ])('is no answer where %s is all that is told of the company with ads', async (_, reply) => {
    const { standIn, ask } = await openPair();
    standIn.override((fReq) => (JSON.stringify(fReq).includes('nike.com') ? reply : undefined));
    await expect(ask(site('mute.com'))).rejects.toBeInstanceOf(SourceUnreadable);
  });

  test('is no answer where a wall goes up over the question', async () => {
    const { standIn, ask } = await openPair();
    standIn.bring({ kind: 'text', text: wall }, ({ bodyText }) => bodyText.includes('nike.com'));
    await expect(ask(site('mute.com'))).rejects.toBeInstanceOf(SourceBlocked);
  });

  test('that was a whim is forgotten over the ads that come when asked again', async () => {
    const { standIn, ask } = await openPair();
    standIn.override(() => (standIn.calls.length === 1 ? {} : undefined));
    expect(adsOf(await ask(site('acme.com')))).toHaveLength(40);
  });

  test('comes to a request without its last part, as from the service itself', async () => {
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
