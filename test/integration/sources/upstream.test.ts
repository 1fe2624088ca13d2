import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { differenceFromRecorded } from '../../../src/sources/replies/compare-recorded.ts';
import { upstream } from '../../../src/sources/upstream/definition.ts';
import { createUpstreamSource, type UpstreamOptions } from '../../../src/sources/upstream/source.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import { Misconfigured, SourceUnavailable } from '../../../src/core/errors.ts';
import {
  liveAdSourceContract,
  type LiveSourceStage,
  type WireInfo,
} from '../../contract/live-ad-source.contract.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';
import { openSourceStandIn, type StandInOptions } from '../../support/stand-in/source-stand-in.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import { generateAds, toWireAnswer, type WireShape } from '../../support/stand-in/stand-in-ads.ts';
import { noLimits } from '../../support/api/no-limits.ts';

const withAds: CompanyQuery = { key: 'd:acme.com', domain: 'acme.com', name: 'Acme' };
const withoutAds: CompanyQuery = { key: 'n:quiet', domain: null, name: 'Quiet' };
const unknown: CompanyQuery = { key: 'n:who', domain: null, name: 'Who' };
const acmeAds = generateAds('acme.com', 4).slice(0, 3);

function adsOf(company: string) {
  if (company === 'Who') return 'no_match';
  return company === 'acme.com' ? acmeAds : [];
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Reach = Pick<UpstreamOptions, 'url'> & Partial<UpstreamOptions>;

/** Source with options for a server on loopback. */
function sourceAt(options: Reach) {
  const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
  closers.push(http.close);
  const limits = { ...noLimits, deadlineMs: 5_000 };
  return createUpstreamSource({
    http,
    key: 'k',
    limits,
    idempotent: true,
    installation: 'this-one',
    ...options,
  });
}

async function openPair(standInOptions: StandInOptions = {}, options: Partial<UpstreamOptions> = {}) {
  const standIn = await openSourceStandIn({ ads: adsOf, ...standInOptions });
  closers.push(standIn.close);
  const { url, key } = standIn;
  const source = sourceAt({ url, key, ...options });
  const ask = (company: CompanyQuery, changes: Partial<AdsQuestion> = {}) =>
    source.findAds(questionAbout(company, changes), plainExchange().exchange);
  return { standIn, source, ask };
}

/** A server with one response for every request, and the headers of the last request. */
async function openPlainServer(status: number, body: string) {
  let headers: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    ({ headers } = request);
    request.resume();
    response.writeHead(status).end(body);
  });
  const { url, close } = await listenOnLoopback(server);
  closers.push(close);
  return { url, headers: () => headers };
}

describe.each<[WireShape, Omit<WireInfo, 'reply' | 'disguised'>]>([
  [
    'A',
    {
      dispensable: ['company_name', 'credits_consumed', 'message'],
      nullable: ['headline', 'description', 'display_url', 'final_url', 'ad_type'].map(
        (key) => `ads[].${key}`,
      ),
    },
  ],
  [
    'B',
    {
      dispensable: ['ads_count', 'credits_consumed', 'message'],
      nullable: [
        ...['original_url', 'start', 'last_seen', 'advertiser_name', 'format'].map((key) => `ads[].${key}`),
        'ads[].variants[].height',
        'ads[].variants[].width',
      ],
    },
  ],
])('upstream source in shape %s', (shape, data) => {
  async function openStage(deadlineMs: number): Promise<LiveSourceStage> {
    const key = 'secret-of-the-contract';
    const { standIn, source } = await openPair({ shape, key }, { limits: { ...noLimits, deadlineMs } });
    const { url } = standIn;
    return {
      source,
      url,
      settings: { url, key },
      withAds,
      withoutAds,
      unknown,
      failWith: (failure) => standIn.setBehaviour(() => failure ?? undefined),
      close: standIn.close,
    };
  }
  liveAdSourceContract(upstream, openStage, {
    ...data,
    reply: toWireAnswer('acme.com', acmeAds, shape),
    disguised: [
      {
        name: 'an error body in a 200',
        failure: { kind: 'body', body: { errors: [{ status: 503, code: 'source_unavailable' }] } },
        code: 'source_unreadable',
      },
      {
        name: 'a count of ads without ads',
        failure: { kind: 'body', body: { ads: [], ads_count: 3 } },
        code: 'source_unreadable',
      },
    ],
  });
});

test('a reply in both shapes, as Nightshift returns it, matches a recorded shape', () => {
  const reply = JSON.stringify(toWireAnswer('acme.com', acmeAds, 'union'));
  expect(differenceFromRecorded(upstream.recordedShapes ?? [], reply)).toEqual({ missing: [], added: [] });
});

describe('request of the upstream source', () => {
  test('has the API key, the idempotency key, and domain and name', async () => {
    const { standIn, ask } = await openPair();
    await ask(withAds, { requestKey: 'lookup-7' });
    expect(standIn.log).toMatchObject([
      {
        requestKey: 'lookup-7',
        body: { company_domain: 'acme.com', company_name: 'Acme' },
        status: 200,
        answered: true,
      },
    ]);
  });

  test('has the domain of a company on a shared host', async () => {
    const { standIn, ask } = await openPair();
    await ask({ key: 'd:x.com', domain: 'x.com', name: null }, {});
    expect(standIn.log).toMatchObject([{ body: { company_domain: 'x.com' } }]);
  });

  test('has the domain only if the name belongs to another company', async () => {
    const { standIn, ask } = await openPair();
    await ask({ key: 'd:acme.com', domain: 'acme.com', name: 'PUMA SE' }, {});
    expect(standIn.log.map(({ body }) => body)).toEqual([{ company_domain: 'acme.com' }]);
  });

  test('has the available domain or name', async () => {
    const { standIn, ask } = await openPair();
    await ask({ key: 'd:a.com', domain: 'a.com', name: null }, { requestKey: '1' });
    await ask(withoutAds, { requestKey: '2' });
    expect(standIn.log.map(({ body }) => body)).toEqual([
      { company_domain: 'a.com' },
      { company_name: 'Quiet' },
    ]);
  });

  test.each<[readonly string[], string]>([
    [[], 'this-one'],
    [['first', 'second'], 'first, second, this-one'],
  ])('has the chain of installations in its header: %j', async (via, expected) => {
    const { url, headers } = await openPlainServer(200, '{"ads": []}');
    await sourceAt({ url }).findAds(questionAbout(withAds, { via }), plainExchange().exchange);
    expect(headers()['nightshift-via']).toBe(expected);
  });

  test('uses the configured base URL with or without a trailing slash, and one bucket', async () => {
    const { standIn, source } = await openPair();
    const slashed = sourceAt({ url: `${standIn.url}/`, key: standIn.key });
    const answer = await slashed.findAds(questionAbout(withAds), plainExchange().exchange);
    expect(answer).toMatchObject({ kind: 'found' });
    expect(slashed.bucket).toBe(source.bucket);
    expect(source.bucket).toMatch(/^upstream:[0-9a-f]{12}$/);
  });

  test('uses another bucket with another key', () => {
    const [one, two] = ['one', 'two'].map((key) => sourceAt({ url: 'http://127.0.0.1', key }));
    expect(one?.bucket).not.toBe(two?.bucket);
  });
});

describe('answer of the upstream source', () => {
  test.each<[WireShape]>([['A'], ['B'], ['union']])('has the ads of shape %s in order', async (shape) => {
    const { ask } = await openPair({ shape });
    const answer = await ask(withAds);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
    const ads = answer.kind === 'found' ? answer.ads : [];
    expect(ads.map(({ creativeId }) => creativeId)).toEqual(
      acmeAds.map((ad) => (shape === 'A' ? null : `google:${ad.creative_id}`)),
    );
    expect(ads.map(({ text }) => text?.headline)).toEqual(
      acmeAds.map((ad) => (shape === 'B' ? undefined : ad.headline)),
    );
    expect(ads.map(({ variants }) => variants)).toEqual(
      acmeAds.map((ad) => (shape === 'A' ? [] : ad.variants)),
    );
  });

  test('has the match, if there are no ads', async () => {
    const { ask } = await openPair();
    expect(await ask(withoutAds)).toEqual({ kind: 'none', matchedBy: 'name' });
  });

  test.each([
    ['found', withAds, { says: 'found', units: 1, charged: 0.2 }],
    ['none', withoutAds, { says: 'none', units: 0, charged: 0 }],
    ['no_match', unknown, { says: 'no_match', units: 0, charged: 0 }],
  ])('%s records the charge of the upstream', async (_, company, expected) => {
    const { source } = await openPair();
    const { exchange, made } = plainExchange();
    await source.findAds(questionAbout(company), exchange);
    expect(made).toMatchObject([{ unitsMax: 1, ...expected }]);
  });

  test('has an unknown charge if none is reported, not zero', async () => {
    const { url } = await openPlainServer(200, JSON.stringify({ ads: [{ headline: 'Buy', ...emptyAd }] }));
    const { exchange, made } = plainExchange();
    await sourceAt({ url }).findAds(questionAbout(withAds), exchange);
    expect(made).toMatchObject([{ units: 1, charged: null }]);
  });

  test('of a repeated call is the stored one, charged once', async () => {
    const { standIn, ask } = await openPair({
      script: [{ attempts: 1, failure: { kind: 'cut', when: 'before' } }],
    });
    await expect(ask(withAds)).rejects.toThrow(SourceUnavailable);
    expect(await ask(withAds)).toMatchObject({ kind: 'found' });
    expect(standIn.log).toMatchObject([
      { effect: true, answered: false, status: 0 },
      { effect: false, replay: true, answered: true },
    ]);
  });
});

const emptyAd = { description: null, display_url: null, final_url: null, ad_type: null };

describe('error of the upstream', () => {
  const bodies = {
    'the contract’s errors': JSON.stringify({
      errors: [{ type: 'about:blank', title: 'hunter2 is wrong', status: 400, code: 'hunter2' }],
      meta: { request_id: 'hunter2', timestamp: '2026-01-01T00:00:00Z' },
    }),
    'a bare error': '{"error": "hunter2"}',
    'a page of HTML': '<!doctype html><title>hunter2</title><h1>Bad gateway</h1>',
  };
  const statuses = [400, 401, 402, 403, 404, 422, 429, 500, 502, 503, 508];
  const cases = Object.entries(bodies).flatMap(([name, body]) =>
    statuses.map((status) => [status, name, body] as const),
  );

  test.each(cases)('%i depends on the status only, not on %s', async (status, _, body) => {
    const { url } = await openPlainServer(status, body);
    const error: unknown = await sourceAt({ url })
      .findAds(questionAbout(withAds), plainExchange().exchange)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: codeOf[status] });
    expect(String(error)).not.toMatch(/hunter2|gateway|html/i);
  });

  const codeOf: Readonly<Record<number, string>> = {
    ...Object.fromEntries([400, 401, 402, 403, 404, 422].map((status) => [status, 'source_refused'])),
    429: 'source_throttled',
    ...Object.fromEntries([500, 502, 503].map((status) => [status, 'source_unavailable'])),
    508: 'misconfigured',
  };

  test('508 is a configuration error that names the loop', async () => {
    const { url } = await openPlainServer(508, '');
    const call = sourceAt({ url }).findAds(questionAbout(withAds), plainExchange().exchange);
    await expect(call).rejects.toThrow(Misconfigured);
    await expect(call).rejects.toThrow('NIGHTSHIFT_UPSTREAM_URL');
  });
});

describe('configuration of the upstream source is rejected', () => {
  test.each([
    ['a text that is not a URL', 'acme'],
    ['another protocol', 'ftp://acme.com'],
    ['a user and password', 'http://user:hunter2@acme.com'],
    ['a query', 'http://acme.com/?key=hunter2'],
  ])('with %s as URL, without quoting it', (_, url) => {
    const make = () => sourceAt({ url });
    expect(make).toThrow(Misconfigured);
    expect(make).not.toThrow(/hunter2/);
  });

  test.each([[''], ['hunter2\n'], ['hunter2 x'], ['hünter2']])(
    'with the key %j, without quoting it',
    (key) => {
      const make = () => sourceAt({ url: 'http://acme.com', key });
      expect(make).toThrow(Misconfigured);
      expect(make).not.toThrow(/nter2/);
    },
  );
});
