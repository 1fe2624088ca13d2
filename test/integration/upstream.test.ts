import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createUpstreamSource, type UpstreamOptions } from '../../src/adapters/ads/upstream/source.ts';
import type { CompanyQuery } from '../../src/core/company.ts';
import { Misconfigured, SourceUnavailable, SourceUnreadable } from '../../src/core/errors.ts';
import {
  liveAdSourceContract,
  type LiveSourceStage,
  type SourceTrouble,
} from '../contract/live-ad-source.contract.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { openSourceStandIn, type StandInOptions } from '../support/source-stand-in.ts';
import { generateAds, toWireAnswer, type WireShape } from '../support/stand-in-ads.ts';
import type { Trouble } from '../support/stand-in-trouble.ts';

const signal = new AbortController().signal;
const withAds: CompanyQuery = { key: 'd:acme.com', domain: 'acme.com', name: 'Acme' };
const withoutAds: CompanyQuery = { key: 'n:quiet', domain: null, name: 'Quiet' };
const acmeAds = generateAds('acme.com', 4).slice(0, 3);
const adsOf = (company: string) => (company === 'acme.com' ? acmeAds : []);
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openPair(standInOptions: StandInOptions = {}, options: Partial<UpstreamOptions> = {}) {
  const standIn = await openSourceStandIn({ ads: adsOf, ...standInOptions });
  closers.push(standIn.close);
  const { url, key } = standIn;
  return { standIn, source: createUpstreamSource({ url, key, pace: null, idempotent: true, ...options }) };
}

async function askWith(trouble: Trouble, company = withAds, requestKey = 'key-1') {
  const { standIn, source } = await openPair();
  standIn.setBehaviour(() => trouble);
  return source.findAds({ company, requestKey }, signal);
}

liveAdSourceContract(async (deadlineMs): Promise<LiveSourceStage> => {
  const { standIn, source } = await openPair({ key: 'secret-of-the-contract' }, { deadlineMs });
  return {
    source,
    secret: standIn.key,
    withAds,
    withoutAds,
    bring: async (trouble) => {
      if (trouble === 'nobody there') await standIn.close();
      else standIn.setBehaviour(() => (trouble === null ? undefined : troubles[trouble]));
    },
    close: standIn.close,
  };
});

const troubles: Readonly<Record<Exclude<SourceTrouble, 'nobody there'>, Trouble>> = {
  'asks to slow down': { kind: 'status', status: 429 },
  'asks to slow down for 7 s': { kind: 'status', status: 429, retryAfter: '7' },
  'overloaded for 7 s': { kind: 'status', status: 503, retryAfter: '7' },
  'server error': { kind: 'status', status: 500 },
  'refuses the key': { kind: 'status', status: 401 },
  'not JSON': { kind: 'malformed' },
  'not the agreed shape': { kind: 'body', body: { data: [] } },
  'huge answer': { kind: 'huge', bytes: 10_000_000 },
  'endless answer': { kind: 'endless' },
  redirect: { kind: 'redirect', to: 'http://127.0.0.1:9/' },
  'cut before the answer': { kind: 'cut', when: 'before' },
  'cut in the middle': { kind: 'cut', when: 'middle' },
  silence: { kind: 'hang' },
};

describe('the upstream source asks', () => {
  test('with its key, the request key, and the domain with the name beside it', async () => {
    const { standIn, source } = await openPair();
    await source.findAds({ company: withAds, requestKey: 'lookup-7' }, signal);
    expect(standIn.log).toMatchObject([
      {
        requestKey: 'lookup-7',
        body: { company_domain: 'acme.com', company_name: 'Acme' },
        status: 200,
        answered: true,
      },
    ]);
  });

  test('with what there is of domain and name', async () => {
    const { standIn, source } = await openPair();
    await source.findAds(
      { company: { key: 'd:a.com', domain: 'a.com', name: null }, requestKey: '1' },
      signal,
    );
    await source.findAds({ company: withoutAds, requestKey: '2' }, signal);
    expect(standIn.log.map(({ body }) => body)).toEqual([
      { company_domain: 'a.com' },
      { company_name: 'Quiet' },
    ]);
  });

  test('under the base address given, with or without a slash at its end, and from one bucket', async () => {
    const { standIn, source } = await openPair();
    const slashed = createUpstreamSource({
      url: `${standIn.url}/`,
      key: standIn.key,
      pace: null,
      idempotent: true,
    });
    expect(await slashed.findAds({ company: withAds, requestKey: '1' }, signal)).toMatchObject({
      kind: 'found',
    });
    expect(slashed.bucket).toBe(source.bucket);
    expect(source.bucket).toMatch(/^upstream:[0-9a-f]{12}$/);
  });

  test('from another bucket with another key', () => {
    const [one, two] = ['one', 'two'].map((key) =>
      createUpstreamSource({ url: 'http://127.0.0.1', key, pace: null, idempotent: false }),
    );
    expect(one?.bucket).not.toBe(two?.bucket);
  });

  test('over connections it keeps, so that a night of calls is not a night of handshakes', async () => {
    const { standIn, source } = await openPair();
    for (let n = 0; n < 20; n += 1) await source.findAds({ company: withAds, requestKey: `${n}` }, signal);
    expect(standIn.connections()).toBeLessThanOrEqual(2);
  });

  test('many at once under one signal, without a warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const { source } = await openPair();
    const shared = new AbortController().signal;
    const keys = Array.from({ length: 40 }, (_, n) => `${n}`);
    await Promise.all(keys.map((requestKey) => source.findAds({ company: withAds, requestKey }, shared)));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});

describe('the upstream source answers', () => {
  test.each<[WireShape]>([['A'], ['B'], ['union']])(
    'the ads of shape %s in the order given',
    async (shape) => {
      const { source } = await openPair({ shape });
      const answer = await source.findAds({ company: withAds, requestKey: '1' }, signal);
      expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain', sourceCharge: 0.2 });
      const ads = answer.kind === 'found' ? answer.ads : [];
      expect(ads.map(({ creativeId }) => creativeId)).toEqual(
        acmeAds.map((ad) => (shape === 'A' ? null : ad.creative_id)),
      );
      expect(ads.map(({ text }) => text?.headline)).toEqual(
        acmeAds.map((ad) => (shape === 'B' ? undefined : ad.headline)),
      );
      expect(ads.map(({ variants }) => variants)).toEqual(
        acmeAds.map((ad) => (shape === 'A' ? [] : ad.variants)),
      );
    },
  );

  test('none by name, with what the other side charged', async () => {
    const { source } = await openPair();
    const answer = await source.findAds({ company: withoutAds, requestKey: '1' }, signal);
    expect(answer).toEqual({ kind: 'none', matchedBy: 'name', sourceCharge: 0 });
  });

  test('no_match where the other side could not tell the company', async () => {
    const { source } = await openPair({ ads: () => 'no_match' });
    const answer = await source.findAds({ company: withoutAds, requestKey: '1' }, signal);
    expect(answer).toEqual({ kind: 'no_match', sourceCharge: 0 });
  });

  test('a repeat of a call that was cut off with the stored answer, bought once', async () => {
    const { standIn, source } = await openPair({
      script: [{ attempts: 1, trouble: { kind: 'cut', when: 'before' } }],
    });
    await expect(source.findAds({ company: withAds, requestKey: '1' }, signal)).rejects.toThrow(
      SourceUnavailable,
    );
    expect(await source.findAds({ company: withAds, requestKey: '1' }, signal)).toMatchObject({
      kind: 'found',
    });
    expect(standIn.log).toMatchObject([
      { effect: true, answered: false, status: 0 },
      { effect: false, replay: true, answered: true },
    ]);
  });
});

describe('the upstream source never takes trouble for an answer', () => {
  const requiredKeys: readonly [WireShape, string][] = [
    ['A', 'ads'],
    ['B', 'ads'],
    ...['headline', 'description', 'display_url', 'final_url', 'ad_type'].map((key): [WireShape, string] => [
      'A',
      key,
    ]),
    ...[
      'advertiser_id',
      'creative_id',
      'original_url',
      'variants',
      'start',
      'last_seen',
      'advertiser_name',
      'format',
    ].map((key): [WireShape, string] => ['B', key]),
    ...['content', 'height', 'width'].map((key): [WireShape, string] => ['B', key]),
  ];

  test.each(requiredKeys)('shape %s with the key %s renamed is unreadable', async (shape, key) => {
    const { standIn, source } = await openPair({ shape });
    const change = (answer: unknown): unknown =>
      JSON.parse(JSON.stringify(answer).replaceAll(`"${key}":`, `"${key}_2":`));
    standIn.setBehaviour(() => ({ kind: 'change', change }));
    const call = source.findAds({ company: withAds, requestKey: '1' }, signal);
    await expect(call).rejects.toThrow(SourceUnreadable);
    await expect(call).rejects.toThrow(new RegExp(`\\b${key}: `));
  });

  test.each<[WireShape]>([['A'], ['B']])(
    'shape %s with an optional key renamed is read all the same',
    async (shape) => {
      const { standIn, source } = await openPair({ shape });
      const renamed = ['credits_consumed', 'message', 'ads_count', 'company_name'];
      const change = (answer: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(answer).map(([key, value]) => [renamed.includes(key) ? `${key}_2` : key, value]),
        );
      standIn.setBehaviour(() => ({ kind: 'change', change }));
      const answer = await source.findAds({ company: withAds, requestKey: '1' }, signal);
      expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
      expect(answer).not.toHaveProperty('sourceCharge');
    },
  );

  test.each([400, 402, 404, 422])('a %i is refused, and the status kept', async (status) => {
    await expect(askWith({ kind: 'status', status })).rejects.toMatchObject({
      code: 'source_refused',
      status,
    });
  });

  test('a 503 without a time is unavailable, not throttled', async () => {
    await expect(askWith({ kind: 'status', status: 503 })).rejects.toMatchObject({
      code: 'source_unavailable',
    });
  });

  test('a redirect is not followed: its target on loopback sees no connection', async () => {
    const target = await openSourceStandIn({ ads: adsOf });
    closers.push(target.close);
    for (const status of [301, 302, 303, 307, 308]) {
      const to = `${target.url}/v1/ads/google-ads-search`;
      await expect(askWith({ kind: 'redirect', to, status })).rejects.toThrow(`answered ${status}`);
    }
    expect(target.connections()).toBe(0);
  });

  test('a body that grows beyond the limit when unpacked is not read to its end', async () => {
    const bomb = gzipSync(JSON.stringify({ ads: [], padding: ' '.repeat(50_000_000) }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const server = await listenOnLoopback(
      createServer((_, response) => response.writeHead(200, headers).end(bomb)),
    );
    closers.push(server.close);
    const source = createUpstreamSource({ url: server.url, key: 'k', pace: null, idempotent: true });
    await expect(source.findAds({ company: withAds, requestKey: '1' }, signal)).rejects.toThrow(
      'more than 10000000 bytes',
    );
  });

  test('a packed body within the limit is read', async () => {
    const packed = gzipSync(JSON.stringify(toWireAnswer('acme.com', acmeAds, 'B')));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const server = await listenOnLoopback(
      createServer((_, response) => response.writeHead(200, headers).end(packed)),
    );
    closers.push(server.close);
    const source = createUpstreamSource({ url: server.url, key: 'k', pace: null, idempotent: true });
    expect(await source.findAds({ company: withAds, requestKey: '1' }, signal)).toMatchObject({
      kind: 'found',
    });
  });

  test('a name that does not resolve was not sent', async () => {
    const source = createUpstreamSource({
      url: 'http://nobody.invalid',
      key: 'k',
      pace: null,
      idempotent: true,
    });
    await expect(source.findAds({ company: withAds, requestKey: '1' }, signal)).rejects.toMatchObject({
      inDoubt: false,
    });
  });

  test('an answer that drips past the deadline was sent', async () => {
    const dripping = createServer((_, response) => void response.writeHead(200).write('{"ads":'));
    const server = await listenOnLoopback(dripping);
    closers.push(server.close);
    const source = createUpstreamSource({
      url: server.url,
      key: 'k',
      pace: null,
      idempotent: true,
      deadlineMs: 150,
    });
    const call = source.findAds({ company: withAds, requestKey: '1' }, signal);
    await expect(call).rejects.toMatchObject({ code: 'source_unavailable', inDoubt: true });
    await expect(call).rejects.toThrow('within 150 ms');
  });
});

describe('the upstream source is misconfigured', () => {
  test.each([
    ['a text that is no URL', 'acme'],
    ['another protocol', 'ftp://acme.com'],
    ['a user and password', 'http://user:hunter2@acme.com'],
    ['a query', 'http://acme.com/?key=hunter2'],
  ])('with %s as its address, and does not quote it', (_, url) => {
    const make = () => createUpstreamSource({ url, key: 'k', pace: null, idempotent: true });
    expect(make).toThrow(Misconfigured);
    expect(make).not.toThrow(/hunter2/);
  });

  test.each([[''], ['hunter2\n'], ['hunter2 x'], ['hünter2']])(
    'with the key %j, and does not quote it',
    (key) => {
      const make = () => createUpstreamSource({ url: 'http://acme.com', key, pace: null, idempotent: true });
      expect(make).toThrow(Misconfigured);
      expect(make).not.toThrow(/nter2/);
    },
  );

  test('with a port that is never called', async () => {
    const source = createUpstreamSource({
      url: 'http://127.0.0.1:1',
      key: 'k',
      pace: null,
      idempotent: true,
    });
    await expect(source.findAds({ company: withAds, requestKey: '1' }, signal)).rejects.toThrow(
      Misconfigured,
    );
  });
});
