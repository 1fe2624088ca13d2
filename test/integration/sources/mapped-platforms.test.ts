import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import { platformId, qualifiedId } from '../../../src/core/companies/platform-id.ts';
import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import { ValidationError } from '../../../src/core/errors.ts';
import { packageRoot } from '../../../src/package-root.ts';
import type { SourceMap } from '../../../src/sources/mapped/map-shape.ts';
import { defineMapSource } from '../../../src/sources/mapped/named-maps.ts';
import { parseSourceMap } from '../../../src/sources/mapped/read-map.ts';
import { createMappedSource } from '../../../src/sources/mapped/source.ts';
import { liveAdSourceContract, type WireInfo } from '../../contract/live-ad-source.contract.ts';
import { noLimits } from '../../support/api/no-limits.ts';
import * as meta from '../../support/sources/platforms/meta.ts';
import { adsOfAdvertiser, platformIdOf } from '../../support/sources/platforms/platform-rows.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import type { StandInReply, StandInServer } from '../../support/sources/stand-in-server.ts';
import { openStandInServer } from '../../support/sources/stand-in-server.ts';
import * as tiktok from '../../support/sources/platforms/tiktok.ts';
import { acmeInc, acmeRetail, vendorFixture } from '../../support/sources/vendor-fixture.ts';

const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
const folder = mkdtempSync(join(tmpdir(), 'nightshift-platforms-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await http.close();
});

const named = (name: string): CompanyQuery => ({ key: `n:${name}`, domain: null, name });
const textOf = (name: string) => readFileSync(join(packageRoot, 'examples/sources', `${name}.json`), 'utf8');
const today = '2026-07-03';

interface Platform {
  readonly key: string;
  readonly map: SourceMap;
  readonly open: () => Promise<StandInServer>;
  readonly data: WireInfo;
}

const retail = platformIdOf(acmeRetail);
const rows = adsOfAdvertiser(vendorFixture, retail);
const keys = (prefix: string, ...names: readonly string[]) => names.map((name) => `${prefix}${name}`);

const platforms = {
  meta: {
    key: meta.key,
    map: parseSourceMap(textOf('meta'), 'meta.json'),
    open: () => meta.openMeta(vendorFixture),
    data: {
      reply: meta.replyAbout(rows, null),
      dispensable: [
        ...keys('data[].beneficiary_payers[].', 'beneficiary', 'current'),
        'data[].age_country_gender_reach_breakdown[].age_gender_breakdowns*',
      ],
      nullable: [
        ...keys('data[].', 'page_name', 'ad_delivery_start_time', 'ad_delivery_stop_time'),
        ...keys('data[].ad_creative_', 'bodies', 'link_titles', 'link_captions', 'link_descriptions'),
        ...keys('data[].', 'beneficiary_payers', 'beneficiary_payers[].payer'),
        ...keys('data[].age_country_gender_reach_breakdown', '', '[].country'),
      ],
      disguised: [
        { name: 'an error in a 200', failure: body(meta.errorBody(100)), code: 'source_refused' },
        { name: 'ads under another name', failure: body({ ads: [] }), code: 'source_unreadable' },
      ],
    },
  },
  tiktok: {
    key: tiktok.key,
    map: parseSourceMap(textOf('tiktok'), 'tiktok.json'),
    open: () => tiktok.openTikTok(vendorFixture),
    data: {
      reply: tiktok.replyAbout([...rows.slice(0, 2), ...rows.filter(({ format }) => format === 'video')], {
        hasMore: false,
        searchId: 'search-1',
      }),
      dispensable: keys('error.', 'message', 'log_id', 'http_status_code'),
      nullable: [
        ...keys('data.', 'has_more', 'search_id'),
        ...keys('data.ads[].ad.', 'first_shown_date', 'last_shown_date', 'videos', 'image_urls'),
        ...keys('data.ads[].ad.videos[].', 'url', 'cover_image_url'),
        ...keys('data.ads[].advertiser.', 'business_name', 'paid_for_by'),
      ],
      disguised: [
        {
          name: 'a rejected token in a 200',
          failure: body({ data: {}, error: tiktok.stateOf('access_token_invalid', 401) }),
          code: 'source_refused',
        },
        {
          name: 'a spent quota in a 200',
          failure: body({ data: {}, error: tiktok.stateOf('rate_limit_exceeded', 429) }),
          code: 'source_throttled',
        },
        {
          name: 'an unknown state without ads',
          failure: body({ data: { ads: [], advertisers: [] }, error: tiktok.stateOf('odd', 200) }),
          code: 'source_unreadable',
        },
      ],
    },
  },
} satisfies Readonly<Record<string, Platform>>;

function body(value: unknown) {
  return { kind: 'body', body: value } as const;
}

function sourceAt(url: string, name: keyof typeof platforms, deadlineMs = 5_000) {
  const { map, key } = platforms[name];
  const limits = { ...noLimits, deadlineMs };
  return createMappedSource({ http, map, url, name, key, limits, now: () => new Date(`${today}T12:00:00Z`) });
}

describe.each(Object.keys(platforms) as (keyof typeof platforms)[])('the map of %s', (name) => {
  const platform = platforms[name];
  const file = join(folder, `${name}.json`);

  liveAdSourceContract(
    defineMapSource({ name, file }),
    async (deadlineMs) => {
      const { url, failWith, close } = await platform.open();
      writeFileSync(file, JSON.stringify({ ...(JSON.parse(textOf(name)) as object), base_url: url }));
      return {
        source: sourceAt(url, name, deadlineMs),
        url,
        settings: { key: platform.key },
        withAds: named('Gadget Works'),
        withoutAds: named('Quiet Works'),
        unknown: named('Nobody'),
        failWith,
        close,
      };
    },
    platform.data,
  );
});

describe('a source map of a platform', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  let at: Readonly<Record<keyof typeof platforms, StandInServer>>;
  beforeEach(async () => {
    at = { meta: await platforms.meta.open(), tiktok: await platforms.tiktok.open() };
    closers.push(at.meta.close, at.tiktok.close);
  });

  async function ask(
    name: keyof typeof platforms,
    company: CompanyQuery,
    changes: Partial<AdsQuestion> = {},
  ) {
    const { exchange, made } = plainExchange();
    const answer = await sourceAt(at[name].url, name).findAds(questionAbout(company, changes), exchange);
    return { answer, made, ads: answer.kind === 'found' ? answer.ads : [] };
  }
  const mappingAt = (platform: keyof typeof platforms) =>
    [acmeRetail, acmeInc].map(
      (id) => ({ advertiserId: qualifiedId(platform, platformIdOf(id)), role: 'allow' }) as const,
    );
  const mapping = mappingAt('meta');

  test('returns ads of Meta with their texts, payers and countries', async () => {
    const { ads, made } = await ask('meta', named('Gadget Works'), { mapping });
    expect(made.map(({ about }) => about)).toEqual([
      `ads of ${[acmeRetail, acmeInc].map(platformIdOf).join(', ')}`,
    ]);
    expect(ads).toHaveLength(39);
    expect(ads[1]).toEqual({
      advertiserId: qualifiedId('meta', retail),
      creativeId: qualifiedId('meta', rows[1]?.platformAdId ?? ''),
      advertiserName: 'Acme Retail BV',
      format: null,
      originalUrl: `https://www.facebook.com/ads/library/?id=${rows[1]?.platformAdId ?? ''}`,
      variants: [],
      start: '2023-11-11',
      lastSeen: '2026-06-30',
      text: {
        headline: 'Acme',
        description: 'All of Acme, half the price.',
        displayUrl: 'acme.com',
        finalUrl: null,
        adType: null,
      },
      details: {
        daysShown: null,
        targetDomain: null,
        previewUrl: null,
        topic: null,
        payer: 'Acme Retail BV, Agency SL',
        isGrantFunded: null,
        targeting: null,
        regions: [
          {
            region: 'DE',
            firstShown: null,
            lastShown: null,
            timesShown: null,
            timesShownFrom: null,
            timesShownTo: null,
            surfaces: [],
          },
        ],
        advertiser: null,
      },
    });
    // A running ad has no last day, and the second text stands in for a missing first one.
    expect(ads.filter(({ lastSeen }) => lastSeen === null)).toHaveLength(13);
    expect(ads[4]?.text).toMatchObject({ headline: null, description: 'While stocks last' });
  });

  test('returns ads of TikTok with their format, and pictures without signatures', async () => {
    const { ads, made } = await ask('tiktok', named('Gadget Works'), {
      mapping: mappingAt('tiktok').slice(0, 1),
    });
    expect(ads).toHaveLength(34);
    expect(made.map(({ about }) => about)).toEqual(
      ['', ', page 2', ', page 3', ', page 4'].map((page) => `ads of ${retail}${page}`),
    );
    expect(ads[0]).toMatchObject({
      advertiserId: qualifiedId('tiktok', retail),
      creativeId: qualifiedId('tiktok', rows[0]?.platformAdId ?? ''),
      format: 'Image',
      start: '2023-11-17',
      lastSeen: '2026-07-02',
      variants: [{ content: `<img src="${rows[0]?.image?.url ?? ''}">` }],
      details: { payer: 'Acme Retail BV', previewUrl: null },
    });
    const video = ads.find(({ format }) => format === 'Video');
    expect(video?.details?.previewUrl).toBe(
      `https://v16.example.com/${platformId(video?.creativeId ?? '')}/`,
    );
    expect(JSON.stringify(ads)).not.toContain('signature');
  });

  test('sends the country, and the dates of the past year', async () => {
    await ask('meta', named('Gadget Works'), { mapping, region: 'DE' });
    expect(at.meta.calls.map(({ query }) => query.get('ad_reached_countries'))).toEqual(['["DE"]']);
    await ask('meta', named('Gadget Works'), { mapping });
    expect(at.meta.calls.at(-1)?.query.get('ad_reached_countries')).toBe('["ALL"]');
    await ask('tiktok', named('Gadget Works'), { mapping: mappingAt('tiktok').slice(1), region: 'DE' });
    expect(at.tiktok.calls[0]?.body).toEqual({
      filters: {
        advertiser_business_ids: [Number(platformIdOf(acmeInc))],
        ad_published_date_range: { min: '20250704', max: '20260703' },
        country_code_list: ['DE'],
      },
      max_count: 10,
    });
  });

  test('never stores the key, wherever the vendor repeats it', async () => {
    const replies: string[] = [];
    const exchange = plainExchange().exchange;
    const kept: typeof exchange = Object.assign(
      (call: Parameters<typeof exchange>[0]) =>
        exchange({
          ...call,
          read: (text: string) => {
            replies.push(text);
            return call.read(text);
          },
        }),
      { comesBack: false },
    ) as typeof exchange;
    const source = sourceAt(at.meta.url, 'meta');
    const wanted = { ...questionAbout(named('Gadget Works'), { mapping: mapping.slice(0, 1), adsMax: 20 }) };
    const answer = await source.findAds(wanted, kept);
    // The page of Meta has its own address with the token in it.
    expect(replies).toHaveLength(1);
    expect(replies[0]).toContain('access_token=…');
    expect(replies.join('')).not.toContain(meta.key);
    expect(JSON.stringify(answer)).not.toContain(meta.key);
    expect(at.meta.calls.map(({ query }) => query.get('after'))).toEqual([null]);
  });

  test('reads the token of the next page out of its address', async () => {
    const map = { ...platforms.meta.map, ads_per_call: 20 };
    const limits = { ...noLimits, deadlineMs: 5_000 };
    const source = createMappedSource({ http, map, url: at.meta.url, name: 'meta', key: meta.key, limits });
    const answer = await source.findAds(
      questionAbout(named('Gadget Works'), { mapping: mapping.slice(0, 1) }),
      plainExchange().exchange,
    );
    expect(answer).toMatchObject({ kind: 'found', extent: { truncated: false } });
    expect(at.meta.calls.map(({ query }) => query.get('after'))).toEqual([null, 'after-20']);
  });

  const errors: readonly (readonly [string, number, number, object])[] = [
    ['an expired token', 400, 190, { code: 'source_refused', status: 401 }],
    ['a missing permission', 403, 10, { code: 'source_refused', status: 401 }],
    ['a spent rate limit in a 400', 400, 613, { code: 'source_throttled' }],
    ['a temporary error', 500, 2, { code: 'source_unavailable', inDoubt: false }],
    ['an invalid parameter', 400, 100, { code: 'source_refused', status: 400 }],
  ];
  test.each(errors)('has the right error for %s of Meta', async (_, status, code, expected) => {
    const reply: StandInReply = { status, json: meta.errorBody(code) };
    const { url, close } = await openStandInServer(() => reply);
    closers.push(close);
    const call = sourceAt(url, 'meta').findAds(
      questionAbout(named('Gadget Works'), { mapping }),
      plainExchange().exchange,
    );
    await expect(call).rejects.toMatchObject(expected);
  });

  test('rejects ads of advertisers that were not requested', async () => {
    const others = adsOfAdvertiser(vendorFixture, platformIdOf(acmeInc));
    const reply = tiktok.replyAbout(others, { hasMore: false, searchId: 'x' });
    const { url, close } = await openStandInServer(() => ({ status: 200, json: reply }));
    closers.push(close);
    const call = sourceAt(url, 'tiktok').findAds(
      questionAbout(named('Gadget Works'), { mapping: mappingAt('tiktok').slice(0, 1) }),
      plainExchange().exchange,
    );
    await expect(call).rejects.toThrow(/ads\[0\] is of an advertiser that was not requested/);
  });

  test('makes no call without a region that its request requires', async () => {
    const text = textOf('meta').replaceAll('{region:ALL}', '{region!}');
    const map = parseSourceMap(text, 'meta.json');
    const limits = { ...noLimits, deadlineMs: 5_000 };
    const source = createMappedSource({ http, map, url: at.meta.url, name: 'meta', key: meta.key, limits });
    const find = (region: string | null) =>
      source.findAds(questionAbout(named('Gadget Works'), { mapping, region }), plainExchange().exchange);
    await expect(find(null)).rejects.toThrow(ValidationError);
    expect(at.meta.calls).toEqual([]);
    expect(await find('DE')).toMatchObject({ kind: 'found' });
  });
});
