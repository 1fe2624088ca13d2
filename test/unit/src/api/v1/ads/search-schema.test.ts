import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../../../../../src/sources/upstream/wire.ts';
import { toAdsSearchBody } from '../../../../../../src/api/v1/ads/search-schema.ts';
import { platformOfAd, qualifiedId } from '../../../../../../src/core/companies/platform-id.ts';
import { detailsBody } from '../../../../../../src/api/v1/ads/details-schema.ts';
import { noDetails } from '../../../../../../src/core/ads/ad-details.ts';
import { toDetailsJson } from '../../../../../../src/core/ads/ad-details-json.ts';
import type { Ad, AdText } from '../../../../../../src/core/ads/ad.ts';
import type { StoredAnswer } from '../../../../../../src/core/sources/search-ads.ts';

const texts: AdText = {
  headline: 'Run',
  description: 'Shoes for it',
  displayUrl: 'nike.com/run',
  finalUrl: 'https://www.nike.com/run',
  adType: 'responsive',
};

const shapeB: Ad = {
  advertiserId: 'google:AR00012345678901234567',
  creativeId: 'google:CR00076543210987654321',
  advertiserName: 'Nike, Inc.',
  format: 'Image',
  originalUrl: 'https://adstransparency.google.com/advertiser/AR0001/creative/CR0007',
  variants: [{ content: '<img src="https://x.test/1.png">', height: 250, width: 300 }],
  start: '2025-01-31',
  lastSeen: '2026-11-20',
  text: null,
};

const shapeA: Ad = {
  advertiserId: null,
  creativeId: null,
  advertiserName: null,
  format: null,
  originalUrl: null,
  variants: [],
  start: null,
  lastSeen: null,
  text: texts,
};

describe('the response to a search with ads', () => {
  test('has the common fields', () => {
    const body = bodyOf({ ads: [shapeB] });
    expect(body).toMatchObject({
      company_name: 'Nike',
      ads_count: 1,
      credits_consumed: 0.2,
      message: 'Ads found.',
      ads: [{}],
    });
  });

  test('has 0.2 credits as the number 0.2', () => {
    expect(JSON.stringify(bodyOf({ ads: [shapeB] }))).toContain('"credits_consumed":0.2,');
  });

  test('has the fields of the contract in a shape-B ad, with their types, and the platform of its ids beside', () => {
    expect(bodyOf({ ads: [shapeB] }).ads).toEqual([
      {
        advertiser_id: 'AR00012345678901234567',
        creative_id: 'CR00076543210987654321',
        platform: 'google',
        original_url: 'https://adstransparency.google.com/advertiser/AR0001/creative/CR0007',
        variants: [{ content: '<img src="https://x.test/1.png">', height: 250, width: 300 }],
        start: '2025-01-31',
        last_seen: '2026-11-20',
        advertiser_name: 'Nike, Inc.',
        format: 'Image',
      },
    ]);
  });

  test('adds the five fields of shape A if the source has them', () => {
    const [ad] = bodyOf({ ads: [{ ...shapeB, text: { ...texts, description: null } }] }).ads;
    expect(ad).toMatchObject({
      advertiser_id: 'AR00012345678901234567',
      headline: 'Run',
      description: null,
      display_url: 'nike.com/run',
      final_url: 'https://www.nike.com/run',
      ad_type: 'responsive',
    });
  });

  test('has only the five fields in a shape-A ad, without ids', () => {
    expect(bodyOf({ ads: [shapeA] }).ads).toEqual([
      {
        headline: 'Run',
        description: 'Shoes for it',
        display_url: 'nike.com/run',
        final_url: 'https://www.nike.com/run',
        ad_type: 'responsive',
      },
    ]);
  });

  test('has the details of an ad beside its other fields, and no key without any', () => {
    const details = { ...noDetails, daysShown: 3, previewUrl: 'https://a.example/x.js' };
    const [plain] = bodyOf({ ads: [shapeB] }).ads;
    const [detailed] = bodyOf({ ads: [{ ...shapeB, details }] }).ads;
    expect(plain).not.toHaveProperty('details');
    expect(detailed).toEqual({ ...plain, details: toDetailsJson(details) });
    expect(detailsBody.strict().parse(detailed?.details)).toEqual(detailed?.details);
    const [texts] = bodyOf({ ads: [{ ...shapeA, details }] }).ads;
    expect(texts).toMatchObject({ headline: 'Run', details: { days_shown: 3 } });
  });

  test('has the match and the source', () => {
    expect(bodyOf({ ads: [shapeB] })).toMatchObject({ matched_by: 'domain', source: 'upstream' });
  });
});

describe('the response to a search without ads', () => {
  test('has no ads, no cost and the message of the contract', () => {
    expect(bodyOf({ outcome: 'none', ads: [], chargedMicro: 0n })).toEqual({
      company_name: 'Nike',
      ads: [],
      ads_count: 0,
      credits_consumed: 0,
      message: 'No ads found for this company.',
      matched_by: 'domain',
      source: 'upstream',
    });
  });

  test('has match no_match if the company was not identified', () => {
    const body = bodyOf({ outcome: 'no_match', ads: [], chargedMicro: 0n, matchedBy: null, source: null });
    expect(body).toEqual({
      company_name: 'Nike',
      ads: [],
      ads_count: 0,
      credits_consumed: 0,
      message: 'No ads found for this company.',
      match: 'no_match',
    });
  });
});

test('the response is marked as partial or truncated only if it is', () => {
  expect(bodyOf({ ads: [shapeB] })).not.toHaveProperty('partial');
  expect(bodyOf({ ads: [shapeB] })).not.toHaveProperty('truncated');
  expect(bodyOf({ ads: [shapeB], partial: true })).toMatchObject({ partial: true });
  expect(bodyOf({ ads: [shapeB], truncated: true })).toMatchObject({ truncated: true });
});

test('a cached response is marked with from_cache and the time of its observation', () => {
  const observedAt = new Date('2026-01-02T03:04:05Z');
  const body = bodyOf({ ads: [shapeB], chargedMicro: 0n, observedAt });
  expect(body).toEqual({
    ...bodyOf({ ads: [shapeB], chargedMicro: 0n }),
    from_cache: true,
    observed_at: '2026-01-02T03:04:05.000Z',
  });
});

test.each([
  ['name of the request', { domain: 'nike.com', name: 'Nike' }, [shapeB], 'Nike'],
  ['name of the advertiser', { domain: 'nike.com', name: null }, [shapeB], 'Nike, Inc.'],
  ['domain if the ads have no advertiser name', { domain: 'nike.com', name: null }, [shapeA], 'nike.com'],
  ['domain if there are no ads', { domain: 'nike.com', name: null }, [], 'nike.com'],
])('company_name is the %s', (_, { domain, name }, ads, expected) => {
  expect(bodyOf({ company: { key: 'd:nike.com', domain, name }, ads }).company_name).toBe(expected);
});

describe('the upstream adapter of another installation', () => {
  const marks = fc.record({ partial: fc.boolean(), truncated: fc.boolean() });
  test('parses the same ads back, in either shape and in both, with partial and truncated', () => {
    fc.assert(
      fc.property(fc.array(anyAd, { minLength: 1, maxLength: 8 }), marks, (made, extent) => {
        const ads = made.map((ad, i) =>
          ad.creativeId === null
            ? ad
            : { ...ad, creativeId: qualifiedId(platformOfAd(ad), `${ad.creativeId}${i}`) },
        );
        expect(parsedAnswer({ ads, ...extent })).toEqual({
          answer: { kind: 'found', ads, matchedBy: 'domain', extent: { ...extent, estimate: null } },
          charged: 0.2,
        });
      }),
    );
  });

  test('parses a response without ads as none or no_match', () => {
    const nothing = { ads: [], chargedMicro: 0n };
    expect(parsedAnswer({ ...nothing, outcome: 'none' })).toEqual({
      answer: { kind: 'none', matchedBy: 'domain' },
      charged: 0,
    });
    expect(parsedAnswer({ ...nothing, outcome: 'no_match', matchedBy: null, source: null })).toEqual({
      answer: { kind: 'no_match' },
      charged: 0,
    });
  });

  /** Nightshift's own response, parsed by its upstream adapter after a serialization. */
  function parsedAnswer(changes: Partial<StoredAnswer>) {
    return parseAnswer(JSON.stringify(bodyOf(changes)), 'domain');
  }
});

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'));
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const size = maybe(fc.nat({ max: 10_000 }));
const day = maybe(
  fc
    .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
/** Five texts, of which the first is never empty. */
const fiveTexts = fc.record<AdText>({
  headline: fc.stringMatching(/^[a-z]{1,9}$/),
  description: maybe(text),
  displayUrl: maybe(text),
  finalUrl: maybe(text),
  adType: maybe(text),
});
const anyAd: fc.Arbitrary<Ad> = fc.oneof(
  fiveTexts.map((five): Ad => ({ ...shapeA, text: five })),
  fc.record<Ad>({
    advertiserId: fc.stringMatching(/^(google|meta|tik_tok1):AR[0-9]{4,20}$/),
    creativeId: fc.stringMatching(/^CR[0-9]{4,20}-$/),
    advertiserName: maybe(text),
    format: maybe(text),
    originalUrl: maybe(text),
    variants: fc.array(fc.record({ content: text, height: size, width: size }), { maxLength: 4 }),
    start: day,
    lastSeen: day,
    text: maybe(fiveTexts),
  }),
);

function bodyOf(changes: Partial<StoredAnswer>) {
  return toAdsSearchBody({
    lookupId: 1n,
    company: { key: 'd:nike.com', domain: 'nike.com', name: 'Nike' },
    outcome: 'found',
    reason: null,
    source: 'upstream',
    matchedBy: 'domain',
    ads: [],
    partial: false,
    partialReason: null,
    uncertainAdvertisers: null,
    truncated: false,
    estimate: null,
    chargedMicro: 200_000n,
    observedAt: null,
    ...changes,
  });
}
