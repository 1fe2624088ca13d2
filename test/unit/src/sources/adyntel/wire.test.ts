import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { platformId } from '../../../../../src/core/companies/platform-id.ts';
import { parsePage } from '../../../../../src/sources/adyntel/wire.ts';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const picture = {
  content: '<img src="https://x.example/1" height="219" width="380">',
  height: 219,
  width: 380,
};
const preview = {
  content: 'https://displayads-formats.googleusercontent.com/x.js',
  height: null,
  width: null,
};
const wireAd = {
  advertiser_id: 'AR00000000000000000001',
  advertiser_name: 'Acme, Inc.',
  creative_id: 'CR00319266917934170113',
  format: 'Text',
  last_seen: '2024-11-26',
  original_url: 'https://adstransparency.google.com/x?domain=acme.com',
  start: '2023-06-09',
  variants: [picture],
};
const pageOf = (...ads: readonly unknown[]) => ({ ads, continuation_token: null, country_code: 'anywhere' });
const parse = (page: unknown) => parsePage(JSON.stringify(page), 1);

function errorOf(page: unknown): string {
  try {
    parse(page);
  } catch (error) {
    if (error instanceof SourceUnreadable)
      return error.message.replace('The source adyntel answered in an unknown shape: ', '');
    throw error;
  }
  return 'read';
}

describe('a page is parsed', () => {
  test('with its ads unchanged except for their URL', () => {
    expect(parse(pageOf(wireAd))).toEqual({
      ads: [
        {
          advertiserId: 'google:AR00000000000000000001',
          creativeId: 'google:CR00319266917934170113',
          advertiserName: 'Acme, Inc.',
          format: 'Text',
          originalUrl:
            'https://adstransparency.google.com/advertiser/AR00000000000000000001/creative/CR00319266917934170113?region=anywhere',
          variants: [picture],
          start: '2023-06-09',
          lastSeen: '2024-11-26',
          text: null,
        },
      ],
      next: null,
      estimate: null,
    });
  });

  test('with the images of an ad, and without its previews', () => {
    const [ad] = parse(pageOf({ ...wireAd, variants: [preview, picture, preview] })).ads;
    expect(ad?.variants).toEqual([picture]);
    expect(ad?.details).toEqual({ ...noDetails, previewUrl: preview.content });
    expect(parse(pageOf({ ...wireAd, format: 'Video', variants: [preview] })).ads).toMatchObject([
      { format: 'Video', variants: [] },
    ]);
  });

  test('as empty if it has an empty list or no body', () => {
    const empty = { ads: [], next: null, estimate: null };
    expect(parse(pageOf())).toEqual(empty);
    expect(parsePage('', 1)).toEqual(empty);
  });

  test('as the last page if it is empty and its total counts earlier ads', () => {
    const text = JSON.stringify({ ...pageOf(), total_ad_count: 2_000 });
    expect(parsePage(text, 2).ads).toEqual([]);
    expect(() => parsePage(text, 1)).toThrow('counts 2000 ads and gives none');
  });
});

describe('a page is unreadable', () => {
  test.each<[string, unknown, string]>([
    ['no ads', { continuation_token: null }, 'ads: '],
    ['no token', { ads: [wireAd] }, 'continuation_token: '],
    ['a token without text', { ...pageOf(wireAd), continuation_token: '' }, 'continuation_token: '],
    ['an error instead of ads', { ...pageOf(), error: 'Insufficient credits' }, 'error: '],
    ['a total as text', { ...pageOf(wireAd), total_ad_count: '12' }, 'total_ad_count: '],
    [
      'a variant in an unknown format',
      pageOf(wireAd, { ...wireAd, variants: [picture, { ...picture, content: '<video src="x">' }] }),
      'ads[1].variants[1].content: ',
    ],
    [
      'a variant without a size',
      pageOf({ ...wireAd, variants: [{ content: picture.content, height: 1 }] }),
      'ads[0].variants[0].width: ',
    ],
  ])('with %s', (_, page, path) => {
    expect(errorOf(page).slice(0, path.length)).toBe(path);
  });

  test('with a message that does not quote the reply', () => {
    expect(errorOf(pageOf({ ...wireAd, start: 'hunter2' }))).not.toContain('hunter2');
  });
});

test('any JSON is parsed as a page or is unreadable', () => {
  const field = fc.constantFrom(...Object.keys(wireAd));
  const ad = fc.dictionary(field, fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(wireAd))));
  const ads = fc.array(fc.oneof(ad, fc.constant(wireAd), fc.jsonValue()), { minLength: 1 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        ads.map((each) => pageOf(...each)),
      ),
      (page) => {
        if (errorOf(page) === 'read') expect(parse(page).ads.length).toBeGreaterThan(0);
      },
    ),
  );
});

test('a parsed ad is parsed to the same ad after it is written back', () => {
  const digits = fc.stringMatching(/^\d{20}$/);
  const wire = fc.record({
    advertiser_id: digits.map((each) => `AR${each}`),
    creative_id: digits.map((each) => `CR${each}`),
    format: fc.constantFrom('Text', 'Image', 'Video', 'Hologram'),
    variants: fc.array(fc.constantFrom(picture, preview)),
  });
  fc.assert(
    fc.property(wire, (fields) => {
      const { ads } = parse(pageOf({ ...wireAd, ...fields }));
      expect(ads[0]).toMatchObject({
        advertiserId: `google:${fields.advertiser_id}`,
        creativeId: `google:${fields.creative_id}`,
      });
      expect(parse(pageOf(...ads.map(toWire))).ads).toEqual(ads);
    }),
  );
});

function toWire(ad: Ad): Record<string, unknown> {
  return {
    advertiser_id: platformId(ad.advertiserId ?? ''),
    advertiser_name: ad.advertiserName,
    creative_id: platformId(ad.creativeId ?? ''),
    format: ad.format,
    last_seen: ad.lastSeen,
    original_url: ad.originalUrl,
    start: ad.start,
    // As Adyntel does, the preview of an ad stands among its variants.
    variants: [
      ...ad.variants,
      ...[ad.details?.previewUrl ?? []].flat().map((content) => ({ ...preview, content })),
    ],
  };
}
