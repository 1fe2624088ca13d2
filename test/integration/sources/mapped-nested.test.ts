import { afterAll, afterEach, expect, test } from 'vitest';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { parseSourceMap } from '../../../src/sources/mapped/read-map.ts';
import { createMappedSource } from '../../../src/sources/mapped/source.ts';
import { noLimits } from '../../support/api/no-limits.ts';
import { plainExchange, questionAbout } from '../../support/sources/plain-exchange.ts';
import { openStandInServer, type StandInServer } from '../../support/sources/stand-in-server.ts';

const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
afterAll(() => http.close());

const login = 'user:pass-of-the-scraper';

/** A scraper's API of the form of Oxylabs: Basic login, one job, and its own status in a list of results. */
const map = {
  label: 'Scraper',
  platform: 'scraped',
  base_url: 'https://realtime.example.com',
  requests: {
    domain: {
      method: 'POST',
      path: '/v1/queries',
      headers: { authorization: 'Basic {secret_base64}' },
      json: { source: 'google_ads', query: '{domain}', geo_location: '{region:US}', parse: true },
    },
  },
  reply: {
    ads: 'results[0].content.results.ads',
    none: [[{ path: 'results[0].content.results.ads', is: 'empty' }]],
    other_keys: ['job'],
  },
  errors: [
    { when: { path: 'results[0].status_code', one_of: [429, 613] }, means: 'slow_down' },
    { when: { path: 'results[0].status_code', not: 200 }, means: 'failed' },
  ],
  ad: {
    advertiser_id: 'who.id',
    creative_id: 'id',
    format: { path: 'kind', values: { VIDEO_AD: 'Video', TEXT_AD: 'Text' }, otherwise: 'Image' },
    link: 'page',
    start: { first_of: ['shown.first', 'created_ms'], form: ['iso', 'epoch_ms'] },
    text: { final_url: 'landing', ad_type: { constant: 'search' } },
    details: {
      advertiser: { location: 'who.country', verification: 'who.verified' },
      regions: {
        path: 'shown.countries',
        region: { path: 'name', values: { Germany: 'DE' } },
        last_shown: { path: 'last', form: 'compact_day' },
        times_shown: { lower: 'from', upper: 'to' },
      },
    },
  },
  price: { unit: 'result', per_call: 1 },
};

const ad = {
  id: 'CR1',
  who: { id: 'AR1', country: 'DE', verified: true },
  kind: 'VIDEO_AD',
  page: null,
  shown: {
    first: '2026-07-02T23:30:00-0100',
    countries: [{ name: 'Germany', last: 20_260_702, from: '1000', to: 2000 }],
  },
  created_ms: 1,
  landing: 'https://acme.com/sale',
};

let standIn: StandInServer | undefined;
afterEach(() => standIn?.close());

async function askFor(content: unknown, status = 200) {
  standIn = await openStandInServer(({ headers }) =>
    headers.authorization === `Basic ${Buffer.from(login).toString('base64')}`
      ? {
          status: 200,
          json: { job: {}, results: [{ content: { results: { ads: content } }, status_code: status }] },
        }
      : { status: 401, json: {} },
  );
  const parsed = parseSourceMap(JSON.stringify(map), 'map.json');
  const source = createMappedSource({
    http,
    map: parsed,
    url: standIn.url,
    key: login,
    limits: { ...noLimits, deadlineMs: 5000 },
  });
  const company = { key: 'd:acme.com', domain: 'acme.com', name: null } as const;
  return source.findAds(questionAbout(company), plainExchange().exchange);
}

test('a map reads values, dates, texts and details in the form of a scraper with jobs', async () => {
  const answer = await askFor([ad]);
  expect(standIn?.calls[0]?.body).toEqual({
    source: 'google_ads',
    query: 'acme.com',
    geo_location: 'US',
    parse: true,
  });
  expect(answer).toMatchObject({
    kind: 'found',
    ads: [
      {
        advertiserId: 'scraped:AR1',
        creativeId: 'scraped:CR1',
        format: 'Video',
        start: '2026-07-03',
        text: { headline: null, finalUrl: 'https://acme.com/sale', adType: 'search' },
        details: {
          advertiser: { legalName: null, location: 'DE', verification: 'VERIFIED' },
          regions: [
            {
              region: 'DE',
              lastShown: '2026-07-02',
              timesShown: { lower: 1000, upper: 2000, availableOn: null },
            },
          ],
        },
      },
    ],
  });
  expect(await askFor([])).toMatchObject({ kind: 'none' });
});

test('a map takes the state of a job out of the body of a 200', async () => {
  await expect(askFor([], 613)).rejects.toMatchObject({ code: 'source_throttled' });
  await expect(askFor([], 500)).rejects.toMatchObject({ code: 'source_unavailable', inDoubt: false });
});

test.each([
  ['a number for a text', { ...ad, landing: 7 }, /ads\[0\]\.text\.finalUrl/],
  ['an object for a looked-up value', { ...ad, kind: {} }, /ads\[0\]\.format/],
  ['a day that does not exist', { ...ad, shown: { ...ad.shown, first: '2026-02-30' } }, /ads\[0\]\.start/],
  ['a text for the list of regions', { ...ad, shown: { ...ad.shown, countries: 'DE' } }, /details\.regions/],
])('a map rejects %s, and says where', async (_, row, message) => {
  await expect(askFor([row])).rejects.toThrow(message);
});
