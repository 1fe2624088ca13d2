import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../../../src/sources/serpapi/wire.ts';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const row = {
  advertiser_id: 'AR00000000000000000001',
  advertiser: 'Acme, Inc.',
  ad_creative_id: 'CR00319266917934170113',
  format: 'text',
  image: 'https://tpc.googlesyndication.com/archive/simgad/1',
  width: 348,
  height: 451,
  first_shown: 1_700_196_259,
  last_shown: 1_782_991_153,
  details_link: 'https://adstransparency.google.com/x?domain=acme.com',
};
const emptyPage = {
  search_metadata: { status: 'Success' },
  search_information: { results_state: 'Fully empty' },
  error: "Google Ads Transparency Center hasn't returned any results for this search.",
};
const pageOf = (...rows: readonly unknown[]) => ({
  search_metadata: { status: 'Success' },
  search_information: { total_results: rows.length },
  ad_creatives: rows,
});
const parse = (page: unknown, pageNumber = 1) => parsePage(JSON.stringify(page), pageNumber);

/** Error of a page that cannot be parsed. */
function errorOf(page: unknown): string {
  try {
    parse(page);
  } catch (error) {
    if (error instanceof SourceUnreadable)
      return error.message.replace('The source serpapi answered in an unknown shape: ', '');
    throw error;
  }
  return 'read';
}

describe('a page is parsed', () => {
  test('with an ad, its image and UTC days', () => {
    expect(parse(pageOf(row)).ads).toEqual([
      {
        advertiserId: 'google:AR00000000000000000001',
        creativeId: 'google:CR00319266917934170113',
        advertiserName: 'Acme, Inc.',
        format: 'Text',
        originalUrl:
          'https://adstransparency.google.com/advertiser/AR00000000000000000001/creative/CR00319266917934170113?region=anywhere',
        variants: [
          {
            content:
              '<img src="https://tpc.googlesyndication.com/archive/simgad/1" height="451" width="348">',
            height: 451,
            width: 348,
          },
        ],
        start: '2023-11-17',
        lastSeen: '2026-07-02',
        text: null,
      },
    ]);
  });

  test('with what it says beside the content, the preview without its nonces', () => {
    const beside = { total_days_shown: 12, target_domain: 'acme.com' };
    const link = 'https://a.example/content.js?sig=S&htmlParentId=f1&responseCallback=c1';
    const named = {
      id: row.advertiser_id,
      name: 'Acme, Inc.',
      legal_name: 'Acme Incorporated',
      country_code: 'US',
      country: 'United States',
    };
    const other = { ...row, ...beside, advertiser_id: 'AR00000000000000000002' };
    const picture = { image: undefined, width: undefined, height: undefined };
    const video = { ...row, ...picture, ...beside, link, format: 'video' };
    const { ads } = parse({ ...pageOf(video, other), advertiser: named });
    const details = { ...noDetails, daysShown: 12, targetDomain: 'acme.com' };
    expect(ads).toMatchObject([
      {
        variants: [],
        details: {
          ...details,
          previewUrl: 'https://a.example/content.js?sig=S',
          advertiser: { legalName: 'Acme Incorporated', location: 'US', verification: null },
        },
      },
      { details },
    ]);
    expect(
      parse(pageOf({ ...row, total_days_shown: '12', target_domain: null, link: 7 })).ads[0],
    ).not.toHaveProperty('details');
  });

  test('with an unknown format unchanged, and with the given URL for ids in another format', () => {
    const [ad] = parse(pageOf({ ...row, format: 'Hologram', ad_creative_id: '7' })).ads;
    expect(ad).toMatchObject({ format: 'Hologram', creativeId: 'google:7', originalUrl: row.details_link });
  });

  test('with the token of the next page, and the total as the estimate', () => {
    const pagination = { serpapi_pagination: { next_page_token: 'CgoAP7+/=', next: 'https://…' } };
    const page = { ...pageOf(row), search_information: { total_results: 700 }, ...pagination };
    expect(parse(page)).toMatchObject({ next: 'CgoAP7+/=', estimate: { low: 700, high: 700 } });
  });

  test('as empty if it states that there are no results', () => {
    const { error, search_metadata } = emptyPage;
    const documented = "Google hasn't returned any results for this query.";
    const none = { ads: [], next: null, estimate: null };
    expect(parse(emptyPage)).toEqual(none);
    expect(parse({ search_metadata, error })).toEqual(none);
    expect(parse({ search_metadata, error: documented, search_information: { query: 'x' } })).toEqual(none);
    const state = { ads_results_state: 'Fully empty' };
    expect(parse({ search_metadata, error: 'Nothing.', search_information: state })).toEqual(none);
  });

  test('with unknown keys if no known key is missing', () => {
    expect(errorOf({ ...pageOf({ ...row, minimum_views_count: 5 }), news: {} })).toBe('read');
  });

  test('as the last page with an unknown key if earlier pages were valid', () => {
    const page = { ...pageOf(row), search_information: { total_results: 101 }, news: {} };
    expect(parse(page, 2).ads).toHaveLength(1);
    expect(errorOf(page)).toContain('no row has the key serpapi_pagination, and some have "news"');
  });
});

describe('a page is unreadable', () => {
  test.each<[string, unknown, string]>([
    ['an array', [row], 'body: '],
    ['no metadata', { ...pageOf(row), search_metadata: undefined }, 'search_metadata: '],
    [
      'a search that failed',
      { ...pageOf(row), search_metadata: { status: 'Error' } },
      'search_metadata.status: ',
    ],
    ['an error together with ads', { ...pageOf(row), error: 'Failed' }, 'search_information: '],
    ['ads without a total', { ...pageOf(row), search_information: {} }, 'search_information: '],
    ['no ads without a message', pageOf(), 'search_information: '],
    [
      'no ads without a state',
      { ...emptyPage, search_information: {}, error: 'Failed' },
      'search_information: ',
    ],
    ['no ads without an error', { ...emptyPage, error: undefined }, 'search_information: '],
    [
      'no ads but a count of ads',
      { ...emptyPage, search_information: { ...emptyPage.search_information, total_results: 40 } },
      'search_information.total_results: ',
    ],
    ['null instead of ads', { ...pageOf(), ad_creatives: null }, 'ad_creatives: '],
    [
      'a next page without a token',
      { ...pageOf(row), serpapi_pagination: {} },
      'serpapi_pagination.next_page_token: ',
    ],
  ])('with %s', (_, page, path) => {
    expect(errorOf(page).slice(0, path.length)).toBe(path);
  });

  test.each<[string, unknown]>([
    ['advertiser_id', 16_735_076_323_512],
    ['ad_creative_id', ''],
    ['advertiser', null],
    ['format', 1],
    ['first_shown', '1700196259'],
    ['last_shown', 1_782_991_153.5],
    ['last_shown', 1_782_991_153_000_000],
    ['image', 'javascript:alert(1)'],
    ['image', '<img src="x">'],
    ['height', '451'],
    ['width', -1],
  ])('with an ad whose %s is %j', (key, value) => {
    expect(errorOf(pageOf(row, { ...row, [key]: value }))).toContain(`ad_creatives[1].${key}: `);
  });

  test('with an unknown key in place of images, unless all ads are previews', () => {
    const { image, width, height, ...bare } = row;
    expect(errorOf(pageOf({ ...bare, picture: image }))).toContain('no row has the key image');
    expect(errorOf(pageOf({ ...bare, image, size: [width, height] }))).toContain('no row has the key height');
    expect(errorOf(pageOf({ ...bare, link: 'https://x.example/', size: 1 }))).toBe('read');
  });
});

test('any JSON is parsed as a page or is unreadable, never as an empty page without a statement', () => {
  const field = fc.constantFrom(...Object.keys(row));
  const ad = fc.dictionary(field, fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(row))));
  const ads = fc.array(fc.oneof(ad, fc.constant(row), fc.jsonValue()), { minLength: 1 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        ads.map((each) => pageOf(...each)),
      ),
      (page) => {
        const reported = errorOf(page);
        if (reported === 'read') expect(parse(page).ads.length).toBeGreaterThan(0);
      },
    ),
  );
});

test('ids stay unchanged, and an ad never ends before it starts', () => {
  const digits = fc.stringMatching(/^\d{20}$/);
  const seconds = fc.integer({ min: 0, max: 4_102_444_800 });
  fc.assert(
    fc.property(digits, digits, seconds, seconds, (one, two, first, second) => {
      const ids = { advertiser_id: `AR${one}`, ad_creative_id: `CR${two}` };
      const days = { first_shown: Math.min(first, second), last_shown: Math.max(first, second) };
      const [ad] = parse(pageOf({ ...row, ...ids, ...days })).ads;
      expect(ad).toMatchObject({ advertiserId: `google:AR${one}`, creativeId: `google:CR${two}` });
      expect((ad?.start ?? '') <= (ad?.lastSeen ?? '')).toBe(true);
    }),
  );
});
