import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorIn } from '../../../../../src/sources/dataforseo/envelope.ts';
import { readAds, readAdvertisers } from '../../../../../src/sources/dataforseo/wire.ts';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import { EnrichError, SourceUnreadable } from '../../../../../src/core/errors.ts';

const digits = fc.stringMatching(/^\d{20}$/);
const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
const moment = (at: number) => `${new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')} +00:00`;

const item = fc
  .record({ advertiser: digits, creative: digits, from: seconds, days: fc.nat(3000), format: fc.string() })
  .map(({ advertiser, creative, from, days, format }) => ({
    type: 'ads_search',
    advertiser_id: `AR${advertiser}`,
    creative_id: `CR${creative}`,
    title: 'iHerb, LLC',
    format,
    preview_image: {
      url: 'https://tpc.googlesyndication.com/archive/simgad/1?a=1&b="2"',
      height: 173,
      width: 380,
    },
    first_shown: moment(from),
    last_shown: moment(from + days * 86_400),
  }));

const replyWith = (items: readonly unknown[]) =>
  JSON.stringify({
    status_code: 20_000,
    tasks: [{ status_code: 20_000, cost: 0.002, result: [{ items, items_count: items.length }] }],
  });

function readOrUnreadable(read: (reply: string) => unknown, reply: string): void {
  try {
    read(reply);
  } catch (error) {
    if (!(error instanceof SourceUnreadable)) throw error;
  }
}

test('candidates have their country, their verification and their number of ads', () => {
  const account = { advertiser_id: 'AR2', location: null };
  const reply = replyWith([
    {
      type: 'ads_advertiser',
      title: 'A',
      advertiser_id: 'AR1',
      location: 'US',
      verified: true,
      approx_ads_count: 66,
    },
    {
      type: 'ads_multi_account_advertiser',
      title: 'B',
      location: 'DE',
      approx_ads_count: 49,
      advertisers: [
        { ...account, verified: false, approx_ads_count: 4 },
        { ...account, location: 'FR', verified: 'no', approx_ads_count: -1 },
      ],
    },
  ]);
  expect(readAdvertisers(reply).suggestions.advertisers).toEqual([
    { id: 'google:AR1', name: 'A', country: 'US', verified: true, adsCount: 66 },
    { id: 'google:AR2', name: 'B', country: 'DE', verified: false, adsCount: 4 },
    { id: 'google:AR2', name: 'B', country: 'FR', verified: null, adsCount: null },
  ]);
});

describe('a reply to an ads search', () => {
  test('has complete ids, the original order, and the first day before the last', () => {
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const { ads } = readAds(replyWith(items));
        expect(ads.map((ad) => [ad.advertiserId, ad.creativeId])).toEqual(
          items.map((each) => [`google:${each.advertiser_id}`, `google:${each.creative_id}`]),
        );
        for (const { advertiserId, start, lastSeen } of ads) {
          expect(advertiserId).toHaveLength('google:'.length + 22);
          expect((start ?? '') <= (lastSeen ?? '')).toBe(true);
        }
      }),
    );
  });

  test('is parsed deterministically', () => {
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(readAds(replyWith(items))).toEqual(readAds(replyWith(items)));
      }),
    );
  });

  test('is parsed or unreadable for any JSON or text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.array(fc.jsonValue()).map(replyWith)), (reply) => {
        readOrUnreadable(readAds, reply);
        readOrUnreadable(readAdvertisers, reply);
        expect(errorIn({ status: 200, text: reply }, []) ?? new SourceUnreadable('')).toBeInstanceOf(
          EnrichError,
        );
      }),
    );
  });

  test.each([
    ['2024-02-27 01:02:34 +00:00', '2024-02-27'],
    ['2024-02-27 23:30:00 -02:00', '2024-02-28'],
    ['2024-02-29 00:00:00 +00:00', '2024-02-29'],
  ])('has the UTC day of %s', (firstShown, day) => {
    const [one] = fc.sample(item, 1);
    expect(readAds(replyWith([{ ...one, first_shown: firstShown }])).ads[0]?.start).toBe(day);
  });

  test.each([
    '2024-02-30 01:02:34 +00:00',
    '2024-02-27 01:02:34',
    '2024-02-27',
    '27 February 2024',
    1_709_000_000,
  ])('is unreadable with %j as a date', (firstShown) => {
    const [one] = fc.sample(item, 1);
    expect(() => readAds(replyWith([{ ...one, first_shown: firstShown }]))).toThrow(
      /items\[0\]\.first_shown/,
    );
  });

  test('is unreadable if it counts ads but has none', () => {
    const result = (total: number | null) => ({ items: [], items_count: 0, se_results_count: total });
    const reply = (total: number | null) =>
      JSON.stringify({
        status_code: 20_000,
        tasks: [{ status_code: 20_000, cost: 0.002, result: [result(total)] }],
      });
    expect([readAds(reply(0)).ads, readAds(reply(null)).ads]).toEqual([[], []]);
    expect(() => readAds(reply(40))).toThrow('se_results_count is above 0');
  });

  test('has in its details the verification of the advertiser and the preview', () => {
    const [one] = fc.sample(item, 1);
    const preview_url = 'https://a.example/content.js?a=1&responseCallback=c1';
    const read = (beside: object) => readAds(replyWith([{ ...one, ...beside }])).ads[0]?.details;
    const advertiser = { legalName: null, location: null, verification: 'VERIFIED' };
    expect(read({ verified: true, preview_url })).toEqual({
      ...noDetails,
      advertiser,
      previewUrl: 'https://a.example/content.js?a=1',
    });
    expect(read({ verified: false })?.advertiser?.verification).toBe('UNVERIFIED');
    expect(read({ verified: 'yes', preview_url: null })).toBeUndefined();
  });

  test('has an image element with an escaped URL', () => {
    const [one] = fc.sample(item, 1);
    expect(readAds(replyWith([one])).ads[0]?.variants[0]?.content).toBe(
      '<img src="https://tpc.googlesyndication.com/archive/simgad/1?a=1&amp;b=&quot;2&quot;" height="173" width="380">',
    );
  });
});
