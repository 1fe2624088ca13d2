import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { adyntel } from '../../../src/sources/adyntel/definition.ts';
import { createAdyntelSource, type AdyntelOptions } from '../../../src/sources/adyntel/source.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { platformId } from '../../../src/core/companies/platform-id.ts';
import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import { Misconfigured } from '../../../src/core/errors.ts';
import { liveAdSourceContract, type WireInfo } from '../../contract/live-ad-source.contract.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';
import {
  answerAdyntel,
  openAdyntelStandIn,
  type AdyntelStandInOptions,
} from '../../support/sources/adyntel.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import type { Failure } from '../../support/stand-in/stand-in-failures.ts';
import { noLimits } from '../../support/api/no-limits.ts';

const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
const key = 'secret-of-adyntel';
const email = 'owner@secret.example';
const withAds: CompanyQuery = { key: 'd:acme.com', domain: 'acme.com', name: 'Acme' };
const withoutAds: CompanyQuery = { key: 'd:quiet.com', domain: 'quiet.com', name: null };
const nameOnly: CompanyQuery = { key: 'n:acme', domain: null, name: 'Acme' };
const usual: AdyntelStandInOptions = { key, email, rowsPerPage: 25, saysNone: 'list', givesTotal: false };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openPair(
  standInChanges: Partial<AdyntelStandInOptions> = {},
  changes: Partial<AdyntelOptions> = {},
) {
  const standIn = await openAdyntelStandIn({ ...usual, ...standInChanges });
  closers.push(standIn.close);
  const limits = { ...noLimits, deadlineMs: 5_000 };
  return { standIn, source: createAdyntelSource({ http, url: standIn.url, key, email, limits, ...changes }) };
}

/** Answer to a query, reports of the calls, and requests at the stand-in. */
async function ask(question: AdsQuestion, ...pair: Parameters<typeof openPair>) {
  const { standIn, source } = await openPair(...pair);
  const { exchange, made } = plainExchange();
  const answer = await source.findAds(question, exchange);
  return { answer, made, bodies: standIn.calls.map(({ body }) => body) };
}

const disguises: readonly (readonly [string, object])[] = [
  ['an error', { error: 'Insufficient credits' }],
  ['an error beside an empty list', { ads: [], continuation_token: null, error: 'Insufficient credits' }],
  ['an error without words beside an empty list', { ads: [], continuation_token: null, error: {} }],
  ['a message', { message: 'Too many requests' }],
  ['a job that has been started', { jobId: '6aaa0a10' }],
  ['no ads where some are counted', { ads: [], continuation_token: null, total_ad_count: 12 }],
];

const headers = { 'content-type': 'application/json' };
const body = { api_key: key, email, company_domain: 'acme.com' };
const data: WireInfo = {
  reply: answerAdyntel({ method: 'POST', path: '/google', headers, body }, usual).json,
  dispensable: ['country_code'],
  nullable: [
    'ads[].advertiser_name',
    'ads[].format',
    'ads[].last_seen',
    'ads[].original_url',
    'ads[].start',
    'ads[].variants[].height',
    'ads[].variants[].width',
    'continuation_token',
  ],
  disguised: disguises.map(([name, answer]) => ({
    name,
    failure: { kind: 'body', body: answer },
    code: 'source_unreadable',
  })),
};

liveAdSourceContract(
  adyntel,
  async (deadlineMs) => {
    const { standIn, source } = await openPair({}, { limits: { ...noLimits, deadlineMs } });
    const { url, failWith, close } = standIn;
    return {
      source,
      url,
      settings: { url, key, email },
      withAds,
      withoutAds,
      unknown: nameOnly,
      failWith,
      close,
    };
  },
  data,
);

describe('request to Adyntel', () => {
  test('has the domain only, with the credentials in the body', async () => {
    const { bodies, answer } = await ask(questionAbout(withAds), { rowsPerPage: 40 });
    expect(bodies).toEqual([{ api_key: key, email, company_domain: 'acme.com' }]);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
  });

  test('has the domain also for a company that is mapped to advertisers', async () => {
    const mapping = [{ advertiserId: 'google:AR00000000000000000017', role: 'allow' }] as const;
    expect((await ask(questionAbout(withAds, { mapping }))).answer).toMatchObject({ matchedBy: 'domain' });
  });

  test('for the next page has the unchanged token', async () => {
    const { bodies } = await ask(questionAbout(withAds));
    expect(bodies).toMatchObject([{}, { continuation_token: Buffer.from('from 24').toString('base64') }]);
  });

  test('is not sent for a company without a domain', async () => {
    const { bodies, answer } = await ask(questionAbout(nameOnly));
    expect([bodies, answer]).toEqual([[], { kind: 'no_match' }]);
  });
});

describe('answer from Adyntel', () => {
  test('has 40 ads in the order served, without a duplicate of two pages', async () => {
    const { answer } = await ask(questionAbout(withAds));
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(new Set(answer.ads.map(({ creativeId }) => creativeId)).size).toBe(40);
    expect(answer.ads.map(({ creativeId }) => creativeId)).toEqual(servedIds());
    expect(answer.extent).toEqual({ partial: false, truncated: false, estimate: null });
  });

  test('has 29 images unchanged, and no variant for a preview', async () => {
    const { answer } = await ask(questionAbout(withAds));
    const ads = answer.kind === 'found' ? answer.ads : [];
    const variants = ads.flatMap((ad) => ad.variants);
    expect(variants).toHaveLength(29);
    for (const { content, height, width } of variants)
      expect(content).toMatch(new RegExp(`^<img src="https:[^"]+" height="${height}" width="${width}">$`));
    expect(ads.filter(({ format }) => format === 'Video').map((ad) => ad.variants)).toEqual([[]]);
  });

  test('has URLs in the form that all sources share', async () => {
    const { answer } = await ask(questionAbout(withAds));
    const [ad] = answer.kind === 'found' ? answer.ads : [];
    const [advertiser, creative] = [ad?.advertiserId ?? '', ad?.creativeId ?? ''].map(platformId);
    const page = `advertiser/${advertiser}/creative/${creative}`;
    expect(ad?.originalUrl).toBe(`https://adstransparency.google.com/${page}?region=anywhere`);
  });

  test.each(['list', '204'] as const)('is none for a %s, which may cost a credit', async (saysNone) => {
    const { answer, made } = await ask(questionAbout(withoutAds), { saysNone });
    expect(answer).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(made).toMatchObject([{ says: 'none', units: 1, unitsMax: 1, charged: null }]);
  });

  test('costs a credit per page, and has the total if it is returned', async () => {
    const { answer, made } = await ask(questionAbout(withAds), { givesTotal: true });
    expect(made.map(({ about, units }) => [about, units])).toEqual([
      ['ads of acme.com, page 1', 1],
      ['ads of acme.com, page 2', 1],
    ]);
    expect(answer).toMatchObject({ extent: { estimate: { low: 2_000, high: 2_000 } } });
  });

  test('has at most the allowed pages and requested ads, and is marked as truncated', async () => {
    const few = await ask(questionAbout(withAds), { rowsPerPage: 10 });
    expect([few.bodies.length, few.answer]).toMatchObject([2, { extent: { truncated: true } }]);
    const wanted = await ask(questionAbout(withAds, { adsMax: 25 }));
    expect([wanted.bodies.length, wanted.answer]).toMatchObject([1, { extent: { truncated: true } }]);
    const all = await ask(questionAbout(withAds), { rowsPerPage: 10 }, { pagesMax: 9 });
    expect([all.bodies.length, all.answer]).toMatchObject([5, { extent: { truncated: false } }]);
  });
});

describe('error of Adyntel is not taken for an answer', () => {
  test.each<[string, Failure]>([
    ['a 500', { kind: 'status', status: 500 }],
    ['an error', { kind: 'body', body: { error: 'Insufficient credits' } }],
  ])('%s on a later page keeps the first page, marked as partial', async (_, failure) => {
    const { standIn, source } = await openPair();
    standIn.failWith(failure, ({ bodyText }) => bodyText.includes('continuation_token'));
    const answer = await source.findAds(questionAbout(withAds), plainExchange().exchange);
    expect(answer).toMatchObject({ kind: 'found', extent: { partial: true, truncated: false } });
    expect(answer.kind === 'found' && answer.ads.length).toBe(25);
  });

  test('a 204 is unreadable if the operator has configured it as an error', async () => {
    const asked = ask(questionAbout(withoutAds), { saysNone: '204' }, { is204None: false });
    await expect(asked).rejects.toMatchObject({ code: 'source_unreadable' });
  });

  test('an empty body with another status than 204 is unreadable', async () => {
    for (const status of [200, 202]) {
      const server = await listenOnLoopback(createServer((_, response) => response.writeHead(status).end()));
      closers.push(server.close);
      const { source } = await openPair({}, { url: server.url });
      const call = source.findAds(questionAbout(withAds), plainExchange().exchange);
      await expect(call).rejects.toMatchObject({ code: 'source_unreadable' });
    }
  });
});

describe('configuration of Adyntel is rejected', () => {
  const limits = { ...noLimits, deadlineMs: 5_000 };
  const url = 'https://api.adyntel.com';

  test.each<[string, Partial<AdyntelOptions>]>([
    ['a query in the URL', { url: 'https://api.adyntel.com/?api_key=hunter2' }],
    ['a blank in the key', { key: 'hunter2 ' }],
    ['no key', { key: '' }],
    ['a key instead of the e-mail address', { email: 'hunter2' }],
    ['two e-mail addresses', { email: 'hunter2@a.com, b@a.com' }],
  ])('with %s, without quoting it', (_, changes) => {
    const make = () => createAdyntelSource({ http, url, key, email, limits, ...changes });
    expect(make).toThrow(Misconfigured);
    expect(make).not.toThrow(/hunter2/);
  });

  test('each account has its own bucket', () => {
    const bucketOf = (own: string) => createAdyntelSource({ http, url, key: own, email, limits }).bucket;
    expect(bucketOf('one')).toMatch(/^adyntel:[0-9a-f]{12}$/);
    expect(bucketOf('one')).not.toBe(bucketOf('two'));
  });
});

/** Creative ids in the order of the stand-in. */
function servedIds(): readonly unknown[] {
  const all = answerAdyntel(
    { method: 'POST', path: '/google', headers, body },
    { ...usual, rowsPerPage: 40 },
  );
  const { ads } = all.json as { readonly ads: readonly { readonly creative_id: string }[] };
  return ads.map(({ creative_id: creativeId }) => `google:${creativeId}`);
}
