import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceMap } from '../../../src/sources/mapped/map-shape.ts';
import { parseSourceMap, readSourceMap } from '../../../src/sources/mapped/read-map.ts';
import { mapped } from '../../../src/sources/mapped/definition.ts';
import { createMappedSource, type MappedOptions } from '../../../src/sources/mapped/source.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { AdsAnswer } from '../../../src/core/ads/ads-answer.ts';
import { noDetails, type AdDetails } from '../../../src/core/ads/ad-details.ts';
import type { AdsQuestion, LiveAdSource } from '../../../src/core/sources/ad-source.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import { Misconfigured, ValidationError } from '../../../src/core/errors.ts';
import { liveAdSourceContract, type WireInfo } from '../../contract/live-ad-source.contract.ts';
import * as apify from '../../support/sources/apify.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import * as scrapeCreators from '../../support/sources/scrapecreators.ts';
import * as searchApi from '../../support/sources/searchapi.ts';
import { openStandInServer, type StandInServer } from '../../support/sources/stand-in-server.ts';
import {
  acmeInc,
  acmeRetail,
  acmeRows,
  vendorFixture,
  type VendorFixture,
} from '../../support/sources/vendor-fixture.ts';
import type { Failure } from '../../support/stand-in/stand-in-failures.ts';
import { noLimits } from '../../support/api/no-limits.ts';

const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
afterAll(() => http.close());

/** The maps of the first version, as operators may have copied them. */
const firstMaps = join(import.meta.dirname, '../../support/sources/first-maps');
const fileOf = (name: string) => join(import.meta.dirname, '../../../examples/sources', `${name}.json`);
const readExample = (name: string) => readSourceMap(fileOf(name));
const maps = {
  searchapi: await readExample('searchapi'),
  scrapecreators: await readExample('scrapecreators'),
  apify: await readExample('apify'),
};

/** Map of an operator whose actor distinguishes a blocked run from a company without ads. */
const apifyWithTotals: SourceMap = {
  ...maps.apify,
  reply: { ...maps.apify.reply, none: [[{ path: { text: '$', steps: [] }, is: 'empty' }]] },
};

const acme: CompanyQuery = { key: 'd:acme.com', domain: 'acme.com', name: 'Acme' };
const big: CompanyQuery = { key: 'd:big.com', domain: 'big.com', name: null };
const quiet: CompanyQuery = { key: 'd:quiet.com', domain: 'quiet.com', name: null };
const named = (name: string): CompanyQuery => ({ key: `n:${name}`, domain: null, name });

function sourceAt(url: string, map: SourceMap, changes: Partial<MappedOptions> = {}): LiveAdSource {
  return createMappedSource({
    http,
    map,
    url,
    key: null,
    limits: { ...noLimits, deadlineMs: 5_000 },
    ...changes,
  });
}

const folder = mkdtempSync(join(tmpdir(), 'nightshift-maps-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the example with another base URL, and returns the path of the file. */
function writeMap(name: string, url: string): string {
  const file = join(folder, `${name}.json`);
  const example = JSON.parse(readFileSync(fileOf(name), 'utf8')) as Readonly<Record<string, unknown>>;
  writeFileSync(file, JSON.stringify({ ...example, base_url: url }));
  return file;
}

interface Vendor {
  readonly map: SourceMap;
  readonly key: string;
  readonly open: (fixture: VendorFixture) => Promise<StandInServer>;
  readonly data: WireInfo;
  /** Details of every ad. */
  readonly details: Partial<AdDetails>;
}

const body = (value: unknown): Failure => ({ kind: 'body', body: value });

const vendors: Readonly<Record<keyof typeof maps, Vendor>> = {
  searchapi: {
    map: maps.searchapi,
    key: searchApi.key,
    details: { daysShown: 145, targetDomain: 'acme.com' },
    open: searchApi.openSearchApi,
    data: {
      reply: searchApi.replyAbout(acmeRows, { total: 40, next: null }),
      dispensable: ['search_metadata.request_url'],
      nullable: [
        ...['search_information', 'search_information.total_results'],
        ...['target_domain', 'total_days_shown'].map((name) => `ad_creatives[].${name}`),
        ...['advertiser.name', 'format', 'details_link', 'image', 'image.link'].map(
          (name) => `ad_creatives[].${name}`,
        ),
        ...['first_shown_datetime', 'last_shown_datetime'].map((name) => `ad_creatives[].${name}`),
      ],
      disguised: [
        {
          name: 'an error in a 200',
          failure: body({ error: 'Something broke.', ad_creatives: [] }),
          code: 'source_refused',
        },
        {
          name: 'an empty list with a next page',
          failure: body({ search_metadata: { status: 'Processing' }, ad_creatives: [] }),
          code: 'source_unreadable',
        },
      ],
    },
  },
  scrapecreators: {
    map: maps.scrapecreators,
    key: scrapeCreators.key,
    details: { targetDomain: 'acme.com' },
    open: scrapeCreators.openScrapeCreators,
    data: {
      reply: scrapeCreators.replyAbout(acmeRows, null),
      dispensable: [],
      nullable: ['format', 'adUrl', 'advertiserName', 'imageUrl', 'firstShown', 'lastShown', 'domain'].map(
        (name) => `ads[].${name}`,
      ),
      disguised: [
        { name: 'no success', failure: body({ success: false, ads: [] }), code: 'source_refused' },
        {
          name: 'ads under another name',
          failure: body({ success: true, results: [] }),
          code: 'source_unreadable',
        },
      ],
    },
  },
  apify: {
    map: apifyWithTotals,
    key: apify.key,
    details: { previewUrl: 'https://displayads-formats.googleusercontent.com/ads/preview/content.js' },
    open: apify.openApify,
    data: {
      reply: apify.replyAbout(acmeRows),
      dispensable: ['[].videoUrl'],
      nullable: [
        ...['advertiserName', 'format', 'firstShown', 'lastShown', 'imageUrl', 'adLibraryUrl'],
        'previewUrl',
      ].map((name) => `[].${name}`),
      disguised: [
        { name: 'an error as an item', failure: body([{ error: 'Blocked.' }]), code: 'source_unavailable' },
        { name: 'items that are not ads', failure: body([{ note: 'nothing' }]), code: 'source_unreadable' },
      ],
    },
  },
};

describe.each(Object.entries(vendors))('mapped source with the map of %s', (name, vendor) => {
  liveAdSourceContract(
    mapped,
    async (deadlineMs) => {
      const { url, failWith, close } = await vendor.open(vendorFixture);
      const { key, map } = vendor;
      return {
        source: sourceAt(url, map, { key, limits: { ...noLimits, deadlineMs } }),
        url,
        settings: { file: writeMap(name, url), key },
        withAds: acme,
        withoutAds: quiet,
        unknown: named('Nobody'),
        failWith,
        close,
      };
    },
    vendor.data,
  );

  describe('returns', () => {
    let standIn: StandInServer;
    beforeEach(async () => {
      standIn = await vendor.open(vendorFixture);
    });
    afterEach(() => standIn.close());

    async function ask(company: CompanyQuery, changes: Partial<AdsQuestion> = {}) {
      const { exchange, made } = plainExchange();
      const source = sourceAt(standIn.url, vendor.map, { key: vendor.key });
      return { answer: await source.findAds(questionAbout(company, changes), exchange), made };
    }

    test('every ad of a domain in the order served, in the form that all sources share', async () => {
      const { answer } = await ask(acme);
      if (answer.kind !== 'found') throw new Error(answer.kind);
      expect(answer).toMatchObject({ matchedBy: 'domain', extent: { partial: false, truncated: false } });
      const [row] = acmeRows;
      expect(answer.ads.map((ad) => ad.creativeId)).toEqual(
        acmeRows.map((each) => `google:${each.creativeId}`),
      );
      expect(answer.ads[0]).toEqual({
        advertiserId: `google:${row?.advertiserId ?? ''}`,
        creativeId: `google:${row?.creativeId ?? ''}`,
        advertiserName: 'Acme Retail BV',
        format: 'Text',
        originalUrl: `https://adstransparency.google.com/advertiser/${acmeRetail}/creative/${row?.creativeId ?? ''}?region=anywhere`,
        variants: [{ content: `<img src="${row?.image?.url ?? ''}">`, height: null, width: null }],
        start: '2023-11-17',
        lastSeen: '2026-07-02',
        text: null,
        details: { ...noDetails, ...vendor.details },
      });
      expect(answer.ads.filter((ad) => ad.variants.length === 1)).toHaveLength(29);
      expect(answer.ads.at(-1)).toMatchObject({ format: 'Video', variants: [] });
    });

    test('the same ads as with the first version of its map, except for details', async () => {
      const first = await readSourceMap(join(firstMaps, `${name}.json`));
      const none = vendor.map.reply.none;
      const source = sourceAt(
        standIn.url,
        { ...first, reply: { ...first.reply, none } },
        { key: vendor.key },
      );
      for (const company of [acme, big, quiet, named('Gadget Works')]) {
        const before = await source.findAds(questionAbout(company), plainExchange().exchange);
        const { answer } = await ask(company);
        expect(before).toEqual(withoutDetails(answer));
      }
    });

    test('every page, and marks an answer as truncated', async () => {
      const { answer, made } = await ask(big);
      const found = answer.kind === 'found' ? answer : null;
      expect(found?.ads.length).toBe(
        name === 'searchapi' ? 160 : Math.min(160, name === 'apify' ? 100 : 120),
      );
      expect(found?.extent?.truncated).toBe(name !== 'searchapi');
      expect(new Set(made.map(({ about }) => about)).size).toBe(made.length);
    });

    test('ads of mapped advertisers, with one call each', async () => {
      const mapping = [acmeRetail, acmeInc].map(
        (id) => ({ advertiserId: `google:${id}`, role: 'allow' }) as const,
      );
      const { answer, made } = await ask(acme, { mapping });
      expect(answer).toMatchObject({ kind: 'found', matchedBy: 'mapping' });
      expect(answer.kind === 'found' && answer.ads).toHaveLength(39);
      expect(made.map(({ about }) => about)).toEqual([`ads of ${acmeRetail}`, `ads of ${acmeInc}`]);
    });

    test('ads of a region, and makes no call for an unknown one', async () => {
      expect((await ask(acme, { region: 'DE' })).answer).toMatchObject({ kind: 'found' });
      await expect(ask(acme, { region: 'ZZ' })).rejects.toThrow(ValidationError);
      expect(standIn.calls).toHaveLength(1);
    });
  });
});

describe('mapped source', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function askAt(vendor: Vendor, company: CompanyQuery, changes: Partial<AdsQuestion> = {}) {
    const standIn = await vendor.open(vendorFixture);
    closers.push(standIn.close);
    const { exchange, made } = plainExchange();
    const source = sourceAt(standIn.url, vendor.map, { key: vendor.key });
    const answer = await source.findAds(questionAbout(company, changes), exchange);
    return { answer, made, calls: standIn.calls };
  }

  test('searches a name by the domain with that label', async () => {
    const { answer, made } = await askAt(vendors.searchapi, named('Acme'));
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'domain_label' });
    expect(made).toMatchObject([
      { about: 'advertisers named Acme', says: 'candidates', units: 1, unitsMax: 1 },
      { about: 'ads of acme.com', says: 'found', units: 1, unitsMax: 1 },
    ]);
  });

  describe('with a mapping to advertisers of several platforms', () => {
    const mapped = (...ids: readonly string[]) =>
      ids.map((advertiserId) => ({ advertiserId, role: 'allow' }) as const);
    const { requests } = maps.searchapi;
    const ofPlatform = (platform: string): Vendor => ({
      ...vendors.searchapi,
      map: {
        ...maps.searchapi,
        platform,
        requests: {
          ...requests,
          mapping: requests.mapping && { ...requests.mapping, id_pattern: undefined },
        },
      },
    });

    test('searches by ids of its platform only, without their prefix', async () => {
      const mapping = mapped(`meta:${acmeRetail}`, `google:${acmeInc}`);
      const both = await askAt(vendors.searchapi, acme, { mapping });
      expect(both.made.map(({ about }) => about)).toEqual([`ads of ${acmeInc}`]);
      const other = await askAt(vendors.searchapi, acme, { mapping: mapped('meta:153080620724') });
      expect(other.answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
      const meta = await askAt(ofPlatform('meta'), acme, { mapping });
      expect(meta.made.map(({ about }) => about)).toEqual([`ads of ${acmeRetail}`]);
    });

    test('returns ids and addresses of its platform', async () => {
      const mapping = mapped(`meta:${acmeInc}`);
      const { answer } = await askAt(ofPlatform('meta'), acme, { mapping });
      const ads = answer.kind === 'found' ? answer.ads : [];
      expect(ads.length).toBeGreaterThan(0);
      for (const { advertiserId, creativeId } of ads)
        expect([advertiserId, creativeId]).toEqual([
          `meta:${acmeInc}`,
          expect.stringMatching(/^meta:CR\d{20}$/),
        ]);
    });

    test('returns none if its mapped advertisers have no ads', async () => {
      const mapping = mapped('google:AR00000000000000099999');
      const { answer } = await askAt(ofPlatform('google'), acme, { mapping });
      expect(answer).toEqual({ kind: 'none', matchedBy: 'mapping' });
    });
  });

  test('searches a name by all advertisers of that name otherwise', async () => {
    const { answer, made } = await askAt(vendors.scrapecreators, named('Gadget Works'));
    expect(answer).toMatchObject({ kind: 'found', matchedBy: 'name' });
    expect(made.map(({ about }) => about)).toEqual([
      'advertisers named Gadget Works',
      `ads of ${acmeRetail}`,
      `ads of ${acmeInc}`,
    ]);
  });

  test('makes no call for a name if the map has no search by name', async () => {
    const { answer, calls } = await askAt(vendors.apify, named('Acme'));
    expect(answer).toEqual({ kind: 'no_match' });
    expect(calls).toEqual([]);
  });

  test('counts units by ad if the map says so, at most as many as requested', async () => {
    const { made, calls } = await askAt(vendors.apify, acme, { adsMax: 7 });
    expect(calls[0]?.body).toEqual({ domain: 'acme.com', maxItems: 7 });
    expect(made).toMatchObject([{ unitsMax: 7, units: 7, says: 'found' }]);
    expect((await askAt(vendors.apify, quiet)).made).toMatchObject([
      { unitsMax: 100, units: 0, says: 'none' },
    ]);
  });

  test('rejects an empty list of Apify until the operator configures its meaning', async () => {
    const shipped = askAt({ ...vendors.apify, map: maps.apify }, quiet);
    await expect(shipped).rejects.toMatchObject({ code: 'source_unreadable' });
    expect((await askAt(vendors.apify, quiet)).answer).toMatchObject({ kind: 'none' });
  });

  test('keeps the estimate of the first page', async () => {
    const { answer } = await askAt(vendors.searchapi, big, { adsMax: 5 });
    expect(answer).toMatchObject({
      kind: 'found',
      extent: { estimate: { low: 160, high: 160 }, truncated: true },
    });
  });

  test('decodes a percent-encoded page token', async () => {
    const { calls } = await askAt(vendors.scrapecreators, big);
    expect(calls.map(({ query }) => query.get('cursor'))).toEqual([null, 'page/40=', 'page/80=']);
  });

  test('keeps the earlier pages when a later one fails', async () => {
    const standIn = await vendors.scrapecreators.open(vendorFixture);
    closers.push(standIn.close);
    standIn.failWith({ kind: 'status', status: 500 }, ({ query }) => query.has('cursor'));
    const source = sourceAt(standIn.url, maps.scrapecreators, { key: scrapeCreators.key });
    const answer = await source.findAds(questionAbout(big), plainExchange().exchange);
    expect(answer).toMatchObject({ kind: 'found', extent: { partial: true, truncated: false } });
    expect(answer.kind === 'found' && answer.ads).toHaveLength(40);
  });

  test('rejects a reply without the page token of the map', async () => {
    const standIn = await vendors.searchapi.open(vendorFixture);
    closers.push(standIn.close);
    standIn.failWith({
      kind: 'change',
      change: (reply) => ({ ...reply, pagination: { next_page_token_2: 'x' } }),
    });
    const source = sourceAt(standIn.url, maps.searchapi, { key: searchApi.key });
    const call = source.findAds(questionAbout(big), plainExchange().exchange);
    await expect(call).rejects.toThrow(/next_page_token/);
    standIn.failWith({
      kind: 'change',
      change: ({ pagination, ...reply }) => ({ ...reply, pages: pagination }),
    });
    await expect(source.findAds(questionAbout(big), plainExchange().exchange)).rejects.toThrow(/pagination/);
  });

  test('stops at a page token that repeats', async () => {
    const standIn = await openStandInServer(() => ({
      status: 200,
      json: { ads: [scrapeCreatorsAd], cursor: 'again' },
    }));
    closers.push(standIn.close);
    const source = sourceAt(standIn.url, maps.scrapecreators, { key: scrapeCreators.key });
    const answer = await source.findAds(questionAbout(acme), plainExchange().exchange);
    expect(answer).toMatchObject({ kind: 'found', extent: { partial: true } });
    expect(standIn.calls).toHaveLength(2);
  });

  test('rejects a region that its request does not support, without a call', async () => {
    const text = JSON.stringify(rawApify).replaceAll('{region}', 'anywhere');
    const source = sourceAt('http://127.0.0.1:9', parseSourceMap(text, 'map.json'), { key: apify.key });
    const call = source.findAds(questionAbout(acme, { region: 'DE' }), plainExchange().exchange);
    await expect(call).rejects.toThrow(ValidationError);
  });

  test('requires the key of its map, and rejects a key inside the map', () => {
    expect(() => sourceAt('http://127.0.0.1', maps.apify)).toThrow(Misconfigured);
    const withKey = parseSourceMap(JSON.stringify(rawApify).replaceAll('{secret}', 'hunter22'), 'map.json');
    const make = () => sourceAt('http://127.0.0.1', withKey, { key: 'hunter22' });
    expect(make).toThrow(/write \{secret\} in its place/);
    expect(make).not.toThrow(/hunter22/);
  });
});

function withoutDetails(answer: AdsAnswer): AdsAnswer {
  if (answer.kind !== 'found') return answer;
  return {
    ...answer,
    ads: answer.ads.map((ad) => JSON.parse(JSON.stringify({ ...ad, details: undefined })) as Ad),
  };
}

const [scrapeCreatorsAd] = (scrapeCreators.replyAbout(acmeRows, null) as { readonly ads: readonly unknown[] })
  .ads;

const rawApify = {
  label: 'Another',
  base_url: 'https://api.example.com',
  requests: {
    domain: {
      method: 'POST',
      path: '/run',
      query: { token: '{secret}' },
      json: { domain: '{domain}', region: '{region}' },
    },
  },
  reply: { ads: '$', none: [[{ path: '$', is: 'empty' }]] },
  ad: { advertiser_id: 'advertiserId', creative_id: 'creativeId' },
  price: { unit: 'run', per_call: 1 },
};
