import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataforseo } from '../../../src/sources/dataforseo/definition.ts';
import { createDataForSeoSource, type DataForSeoOptions } from '../../../src/sources/dataforseo/source.ts';
import { noDetails } from '../../../src/core/ads/ad-details.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import type { AdsQuestion, LiveAdSource } from '../../../src/core/sources/ad-source.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import { Misconfigured, ValidationError } from '../../../src/core/errors.ts';
import { liveAdSourceContract } from '../../contract/live-ad-source.contract.ts';
import { advertiserIdOf, creativeRows } from '../../support/sources/creative-rows.ts';
import {
  candidatesFor,
  login,
  openDataForSeo,
  password,
  replyAbout,
  type DataForSeoFixture,
} from '../../support/sources/dataforseo.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import type { StandInServer } from '../../support/sources/stand-in-server.ts';
import type { Failure } from '../../support/stand-in/stand-in-failures.ts';
import { noLimits } from '../../support/api/no-limits.ts';

const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
afterAll(() => http.close());

const rows = creativeRows(1);
const acme: CompanyQuery = { key: 'd:acme.com', domain: 'acme.com', name: 'Acme' };
const quiet: CompanyQuery = { key: 'd:quiet.com', domain: 'quiet.com', name: null };
const named = (name: string): CompanyQuery => ({ key: `n:${name}`, domain: null, name });
/** Mapping to advertisers of Google. */
const mapped = (...ids: readonly string[]) =>
  ids.map((id) => ({ advertiserId: `google:${id}`, role: 'allow' }) as const);

const [own = '', second = ''] = [1, 2].map((n) => advertiserIdOf(1, n));

const ads: Readonly<Record<string, ReturnType<typeof creativeRows>>> = {
  'acme.com': rows,
  'big.com': [rows, creativeRows(2), creativeRows(3), creativeRows(4)].flat(),
  [own]: rows.filter((row) => row.advertiserId === own),
  [second]: rows.filter((row) => row.advertiserId === second),
};
const candidates: Readonly<Record<string, readonly object[]>> = {
  Acme: candidatesFor('Acme', ['acmerock.com', 'acme.com'], [own, second]),
  'Wunder+ 50% Bar': candidatesFor('Wunder+ 50% Bar', [], [own, second]),
  Nobody: candidatesFor('Some', ['somebody.com'], [own]),
};
const fixture: DataForSeoFixture = {
  ads: (whose) => ads[whose] ?? [],
  candidates: (keyword) => candidates[keyword] ?? null,
};

function sourceAt(url: string, deadlineMs: number, changes: Partial<DataForSeoOptions> = {}): LiveAdSource {
  const limits = { ...noLimits, deadlineMs };
  return createDataForSeoSource({ http, url, credentials: { login, password }, limits, ...changes });
}

const failed = (statusCode: number): Failure => ({
  kind: 'change',
  change: ({ tasks, ...envelope }) => {
    const [task] = tasks as readonly object[];
    return { ...envelope, tasks: [{ ...task, status_code: statusCode, result: null }] };
  },
});
const refusedWhole = (statusCode: number): Failure => ({
  kind: 'body',
  body: { status_code: statusCode, status_message: `no entry for ${password}`, tasks: null },
});

const item = 'tasks[].result[].items[]';
liveAdSourceContract(
  dataforseo,
  async (deadlineMs) => {
    const { url, failWith, close } = await openDataForSeo(fixture);
    return {
      source: sourceAt(url, deadlineMs),
      url,
      settings: { url, login, password },
      withAds: acme,
      withoutAds: quiet,
      unknown: named('Nobody'),
      failWith,
      close,
    };
  },
  {
    reply: replyAbout(rows),
    dispensable: [
      ...['version', 'status_message', 'time', 'cost', 'tasks_count', 'tasks_error'],
      ...['id', 'status_message', 'time', 'cost', 'result_count', 'path', 'data'].map(
        (key) => `tasks[].${key}`,
      ),
      'tasks[].data.*',
      ...['type', 'se_domain', 'check_url', 'datetime', 'item_types', 'se_results_count', 'items_count'].map(
        (key) => `tasks[].result[].${key}`,
      ),
      ...['rank_group', 'rank_absolute', 'url'].map((key) => `${item}.${key}`),
    ],
    beside: ['verified', 'preview_url'].map((key) => `${item}.${key}`),
    nullable: ['title', 'format', 'preview_image', 'preview_image.*', 'first_shown', 'last_shown'].map(
      (key) => `${item}.${key}`,
    ),
    disguised: [
      { name: 'a rejected login', failure: refusedWhole(40_100), code: 'source_refused' },
      { name: 'an account without funds', failure: failed(40_210), code: 'source_refused' },
      { name: 'an exceeded cost limit', failure: failed(40_203), code: 'source_refused' },
      { name: 'a rejected field', failure: failed(40_501), code: 'source_refused' },
      { name: 'an unknown status code', failure: failed(40_999), code: 'source_refused' },
      { name: 'too many calls in a minute', failure: failed(40_202), code: 'source_throttled' },
      { name: 'too many concurrent calls', failure: refusedWhole(40_209), code: 'source_throttled' },
      { name: 'a search engine that failed', failure: failed(40_101), code: 'source_unavailable' },
      { name: 'an internal error', failure: refusedWhole(50_000), code: 'source_unavailable' },
      { name: 'a queued task', failure: failed(20_100), code: 'source_unreadable' },
      { name: 'a finished task without a result', failure: failed(20_000), code: 'source_unreadable' },
      {
        name: 'no task at all',
        failure: { kind: 'body', body: { status_code: 20_000, tasks: [] } },
        code: 'source_unreadable',
      },
    ],
  },
);

describe('DataForSEO source', () => {
  let standIn: StandInServer;
  beforeEach(async () => {
    standIn = await openDataForSeo(fixture);
  });
  afterEach(() => standIn.close());

  async function ask(company: CompanyQuery, changes: Partial<AdsQuestion> = {}) {
    const { exchange, made } = plainExchange();
    const answer = await sourceAt(standIn.url, 5_000).findAds(questionAbout(company, changes), exchange);
    return { answer, made, tasks: standIn.calls.map(({ body }) => body) };
  }

  test('returns ads in the order served, with images as elements and others without variants', async () => {
    const { answer } = await ask(acme);
    if (answer.kind !== 'found') throw new Error(answer.kind);
    expect(answer).toMatchObject({ matchedBy: 'domain', extent: { partial: false, truncated: false } });
    expect(answer.ads.map((ad) => ad.creativeId)).toEqual(rows.map((row) => `google:${row.creativeId}`));
    expect(answer.ads.filter((ad) => ad.variants.length === 1)).toHaveLength(29);
    expect(answer.ads[0]).toEqual({
      advertiserId: `google:${own}`,
      creativeId: `google:${rows[0]?.creativeId ?? ''}`,
      advertiserName: 'Acme Retail BV',
      format: 'Text',
      originalUrl: `https://adstransparency.google.com/advertiser/${own}/creative/${rows[0]?.creativeId ?? ''}?region=anywhere`,
      variants: [
        {
          content: `<img src="${rows[0]?.image?.url ?? ''}" height="200" width="380">`,
          height: 200,
          width: 380,
        },
      ],
      start: '2023-11-17',
      lastSeen: '2026-07-02',
      text: null,
      details: {
        ...noDetails,
        advertiser: { legalName: null, location: null, verification: 'VERIFIED' },
      },
    });
    expect(answer.ads.at(-1)).toMatchObject({
      format: 'Video',
      variants: [],
      details: {
        previewUrl: 'https://displayads-formats.googleusercontent.com/ads/preview/content.js',
        advertiser: { verification: 'UNVERIFIED' },
      },
    });
  });

  test.each([
    [null, 120, 3],
    [1, 40, 1],
    [40, 40, 1],
    [41, 80, 2],
    [400, 400, 10],
    [700, 700, 18],
    [5_000, 700, 18],
  ])('requests for %j ads a depth of %i, for at most %i units', async (adsMax, depth, unitsMax) => {
    const { made, tasks } = await ask(acme, { adsMax });
    expect(tasks).toEqual([[{ target: 'acme.com', depth }]]);
    // Forty ads were returned, and no more are billed.
    expect(made).toEqual([{ about: 'ads of acme.com', unitsMax, says: 'found', units: 1, charged: 0.002 }]);
  });

  test('counts a unit per 40 ads received', async () => {
    const { answer, made } = await ask({ ...acme, domain: 'big.com' }, { adsMax: 400 });
    expect(answer).toMatchObject({ kind: 'found', extent: { truncated: false } });
    expect(answer.kind === 'found' && answer.ads.length).toBe(160);
    expect(made).toMatchObject([{ unitsMax: 10, units: 4, charged: 0.008 }]);
  });

  test('counts the requested units if they are the price in the reply, before the refund', async () => {
    await standIn.close();
    standIn = await openDataForSeo({ ...fixture, bill: 'asked' });
    const { made } = await ask(acme, { adsMax: 400 });
    expect(made).toMatchObject([{ units: 10, charged: 0.02 }]);
  });

  test('records another price of the reply without using it for the units', async () => {
    standIn.failWith({ kind: 'body', body: replyAbout(rows, 0.05) });
    expect((await ask(acme, { adsMax: 400 })).made).toMatchObject([{ units: 1, charged: 0.05 }]);
  });

  test('marks an answer as truncated if it has as many ads as requested', async () => {
    const { answer } = await ask({ ...acme, domain: 'big.com' });
    expect(answer).toMatchObject({ kind: 'found', extent: { truncated: true } });
    expect(answer.kind === 'found' && answer.ads.length).toBe(120);
  });

  test('records the charge of an empty answer', async () => {
    const { answer, made } = await ask(quiet, { adsMax: 10 });
    expect(answer).toEqual({ kind: 'none', matchedBy: 'domain' });
    expect(made).toMatchObject([{ says: 'none', units: 1, charged: 0.002 }]);
  });

  test('takes an empty list for no ads only with a count of 0', async () => {
    const empty = (count: unknown): Failure => ({
      kind: 'body',
      body: {
        status_code: 20_000,
        tasks: [{ status_code: 20_000, cost: 0.002, result: [{ items: null, items_count: count }] }],
      },
    });
    standIn.failWith(empty(0));
    expect((await ask(acme)).answer).toEqual({ kind: 'none', matchedBy: 'domain' });
    standIn.failWith(empty(undefined));
    await expect(ask(acme)).rejects.toMatchObject({ code: 'source_unreadable' });
    standIn.failWith(empty(7));
    await expect(ask(acme)).rejects.toMatchObject({ code: 'source_unreadable' });
  });

  test('sends the location code of the region, and rejects an unknown region without a call', async () => {
    const { made, tasks } = await ask(acme, { region: 'DE', adsMax: 1 });
    expect(tasks).toEqual([[{ target: 'acme.com', location_code: 2276, depth: 40 }]]);
    expect(made[0]?.about).toBe('ads of acme.com in DE');
    await expect(ask(acme, { region: 'ZZ' })).rejects.toThrow(ValidationError);
    expect(standIn.calls).toHaveLength(1);
  });

  test('searches by mapped advertisers first', async () => {
    const mapping = mapped(own, second);
    const { answer, tasks } = await ask(acme, { mapping });
    expect(tasks).toEqual([[{ advertiser_ids: [own, second], depth: 120 }]]);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'mapping' });
    expect(answer.kind === 'found' && answer.ads).toHaveLength(39);
  });

  test('searches by domain if no mapped advertiser has an id of Google', async () => {
    const { answer, tasks } = await ask(acme, { mapping: [{ advertiserId: 'meta:act_42', role: 'allow' }] });
    expect(tasks).toEqual([[{ target: 'acme.com', depth: 120 }]]);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
  });

  test('splits more than 25 advertisers into several calls', async () => {
    const ids = [...Array.from({ length: 25 }, (_, n) => advertiserIdOf(50, n)), own];
    const mapping = mapped(...ids);
    const { answer, made } = await ask(acme, { mapping });
    expect(made.map(({ says }) => says)).toEqual(['candidates', 'found']);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'mapping' });
  });

  test('searches a name by the domain with that label', async () => {
    const { answer, made, tasks } = await ask(named('Acme'));
    expect(tasks).toEqual([[{ keyword: 'Acme' }], [{ target: 'acme.com', depth: 120 }]]);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain_label' });
    expect(made).toMatchObject([
      { about: 'advertisers named Acme', says: 'candidates', unitsMax: 1, units: 1, charged: 0.002 },
      { about: 'ads of acme.com', says: 'found' },
    ]);
  });

  test('searches a name by all advertisers of that name otherwise, encoded as the vendor expects', async () => {
    const { answer, tasks } = await ask(named('Wunder+ 50% Bar'));
    expect(tasks).toEqual([
      [{ keyword: 'Wunder%2B 50%25 Bar' }],
      [{ advertiser_ids: [own, second], depth: 120 }],
    ]);
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'name' });
    const advertisers = answer.kind === 'found' ? answer.ads.map(({ details }) => details?.advertiser) : [];
    expect(new Set(advertisers.map((each) => each?.location))).toEqual(new Set(['US']));
    // What the reply says about an ad takes precedence over the candidate.
    expect(new Set(advertisers.map((each) => each?.verification))).toEqual(
      new Set(['VERIFIED', 'UNVERIFIED']),
    );
  });

  test('returns no_match for a name without candidates or without a matching one', async () => {
    for (const name of ['Nobody', 'Unheard of']) {
      const { answer, made } = await ask(named(name));
      expect(answer).toEqual({ kind: 'no_match' });
      expect(made.at(-1)).toMatchObject({ says: 'candidates', units: 1, charged: 0.002 });
    }
  });

  test.each([
    [{ login: 'a:b', password: 'hunter2' }],
    [{ login: 'ada', password: 'hunter2 x' }],
    [{ login: '', password: 'hunter2' }],
  ])('rejects credentials that are invalid in a header, without quoting them', (credentials) => {
    const make = () => sourceAt('http://127.0.0.1', 100, { credentials });
    expect(make).toThrow(Misconfigured);
    expect(make).not.toThrow(/hunter2/);
  });
});
