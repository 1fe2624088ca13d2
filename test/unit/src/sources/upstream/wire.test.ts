import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../../../../src/sources/upstream/wire.ts';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import { toDetailsJson } from '../../../../../src/core/ads/ad-details-json.ts';
import type { MatchedBy } from '../../../../../src/core/ads/ads-answer.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const shapeB = {
  advertiser_id: 'AR00000000000000000001',
  creative_id: 'CR00319266917934170113',
  original_url: 'https://adstransparency.google.com/x',
  variants: [{ content: '<img src="a">', height: 90, width: 728 }],
  start: '2023-11-17',
  last_seen: '2024-02-29',
  advertiser_name: 'Acme',
  format: 'Text',
};
const shapeA = {
  headline: 'Buy',
  description: 'Now',
  display_url: 'acme.com',
  final_url: 'https://acme.com/',
  ad_type: 'text',
};
const answerWith = (...ads: readonly unknown[]) => ({ ads, credits_consumed: 0.2, message: 'Ads found.' });
const read = (body: unknown, askedBy: MatchedBy = 'domain') => parseAnswer(JSON.stringify(body), askedBy);
const found = (...ads: readonly unknown[]) => {
  const { answer } = read(answerWith(...ads));
  return answer.kind === 'found' ? answer.ads : [];
};
/** Error of a body that cannot be parsed. */
function errorOf(body: unknown): string {
  return errorOfText(JSON.stringify(body));
}
function errorOfText(reply: string): string {
  try {
    parseAnswer(reply, 'domain');
  } catch (error) {
    if (error instanceof SourceUnreadable)
      return error.message.replace('The source upstream answered in an unknown shape: ', '');
    throw error;
  }
  return 'read';
}

test('the platform of an answer qualifies its ids, and is a word', () => {
  expect(found({ ...shapeB, platform: 'meta', advertiser_id: '123', creative_id: 'a:b' })).toMatchObject([
    { advertiserId: 'meta:123', creativeId: 'meta:a:b' },
  ]);
  expect(found({ ...shapeB, platform: null })).toMatchObject([
    { advertiserId: 'google:AR00000000000000000001' },
  ]);
  expect(errorOf(answerWith({ ...shapeB, platform: 'Meta Ads' }))).toMatch(/ads\[0\]\.platform: /);
});

describe('an answer is parsed', () => {
  test('with a shape-B ad, its variants and no text', () => {
    expect(found(shapeB)).toEqual([
      {
        advertiserId: 'google:AR00000000000000000001',
        creativeId: 'google:CR00319266917934170113',
        advertiserName: 'Acme',
        format: 'Text',
        originalUrl: 'https://adstransparency.google.com/x',
        variants: [{ content: '<img src="a">', height: 90, width: 728 }],
        start: '2023-11-17',
        lastSeen: '2024-02-29',
        text: null,
      },
    ]);
  });

  test('with a shape-A ad as text only, without invented ids', () => {
    const text = {
      headline: 'Buy',
      description: 'Now',
      displayUrl: 'acme.com',
      finalUrl: 'https://acme.com/',
      adType: 'text',
    };
    const [ad] = found(shapeA);
    expect(ad).toMatchObject({ advertiserId: null, creativeId: null, start: null, variants: [], text });
  });

  test('with the union of both shapes, even from an installation that passes on ads without ids', () => {
    const [both, textOnly] = found(
      { ...shapeB, headline: 'Buy' },
      {
        ...shapeA,
        advertiser_id: null,
        creative_id: null,
        original_url: null,
        variants: [],
        start: null,
        last_seen: null,
      },
    );
    expect(both).toMatchObject({
      creativeId: 'google:CR00319266917934170113',
      text: { headline: 'Buy', finalUrl: null },
    });
    expect(textOnly).toMatchObject({
      creativeId: null,
      text: { headline: 'Buy', finalUrl: 'https://acme.com/' },
    });
  });

  test('with the details of a Nightshift, and without those of another form', () => {
    const details = { ...noDetails, daysShown: 3, regions: [], payer: 'Acme' };
    const json = { ...toDetailsJson(details), news: 1 };
    expect(found({ ...shapeB, platform: 'google', details: json })[0]?.details).toEqual(details);
    expect(found({ ...shapeA, details: json })[0]?.details).toEqual(details);
    for (const other of [null, 'text', [json], {}, { days_shown: '3' }])
      expect(found({ ...shapeB, details: other })[0]).not.toHaveProperty('details');
    expect(
      errorOf(
        answerWith({
          ...shapeA,
          headline: '',
          description: null,
          display_url: ' ',
          final_url: null,
          ad_type: null,
          details: json,
        }),
      ),
    ).toContain('all five fields are empty');
  });

  test('with null for unknown values', () => {
    const unknown = { original_url: null, start: null, last_seen: null, advertiser_name: null, format: null };
    const [ad] = found({ ...shapeB, ...unknown, variants: [{ content: 'v', height: null, width: null }] });
    expect(ad).toMatchObject({
      start: null,
      format: null,
      variants: [{ content: 'v', height: null, width: null }],
    });
  });

  test('without optional keys, and with unknown keys', () => {
    expect(read({ ads: [] }, 'name').answer).toEqual({ kind: 'none', matchedBy: 'name' });
    const extra = { ads: [{ ...shapeB, region: 'DE' }], page: 1, message: 7 };
    expect(read(extra).answer).toMatchObject({ kind: 'found', matchedBy: 'domain' });
  });

  test('as unreadable if it has an error and no ads', () => {
    for (const reported of [{ error: 'overloaded' }, { errors: [{ status: 503 }] }, { error: { code: 1 } }])
      expect(() => read({ ads: [], ...reported })).toThrow(SourceUnreadable);
    for (const nothing of [{ error: null }, { error: '' }, { errors: [] }])
      expect(read({ ads: [], ...nothing }).answer).toMatchObject({ kind: 'none' });
    expect(read({ ads: [shapeB], errors: ['one page is missing'] }).answer).toMatchObject({ kind: 'found' });
  });

  test('as partial or truncated if it is marked so or counts more ads than it has', () => {
    const extentOf = (reported: object) => {
      const { answer } = read({ ads: [shapeB], ...reported });
      return answer.kind === 'found' ? answer.extent : null;
    };
    expect(extentOf({ ads_count: 1 })).toMatchObject({ partial: false, truncated: false });
    expect(extentOf({ partial: true })).toMatchObject({ partial: true, truncated: false });
    expect(extentOf({ truncated: true })).toMatchObject({ partial: false, truncated: true });
    expect(extentOf({ ads_count: 2 })).toMatchObject({ partial: false, truncated: true });
    expect(extentOf({ estimate_low: 4, estimate_high: 5 })).toMatchObject({ estimate: { low: 4, high: 5 } });
    expect(extentOf({ estimate_low: 4 })).toMatchObject({ estimate: null });
    expect(() => read({ ads: [shapeB], truncated: 'yes' })).toThrow(SourceUnreadable);
  });

  test('with the charge of the source, with or without ads', () => {
    expect(read({ ads: [], credits_consumed: 0 }).charged).toBe(0);
    expect(read(answerWith(shapeB)).charged).toBe(0.2);
    expect(read({ ads: [shapeB] }).charged).toBeNull();
  });

  test('as no_match if it is marked so', () => {
    expect(read({ ads: [], match: 'no_match' }).answer).toEqual({ kind: 'no_match' });
    expect(read({ ads: [], match: 'domain' }).answer).toMatchObject({ kind: 'none' });
  });

  test('with its ads in order and without duplicates', () => {
    const ads = found(
      { ...shapeB, creative_id: 'CR2' },
      { ...shapeB, creative_id: 'CR1', format: 'first' },
      { ...shapeB, creative_id: 'CR1', format: 'second' },
      { ...shapeB, creative_id: 'CR1', advertiser_id: 'AR2', format: 'other advertiser' },
      shapeA,
      shapeA,
    );
    expect(ads.map(({ creativeId, format }) => [creativeId, format])).toEqual([
      ['google:CR2', 'Text'],
      ['google:CR1', 'first'],
      ['google:CR1', 'other advertiser'],
      [null, null],
      [null, null],
    ]);
  });

  test('with NUL characters and lone surrogates replaced, and pairs unchanged', () => {
    const [ad] = found({
      ...shapeB,
      advertiser_name: 'a\0b\uD800c\uDC00 😀',
      variants: [{ content: '\0', height: 1, width: 1 }],
    });
    expect(ad).toMatchObject({
      advertiserName: 'a\uFFFDb\uFFFDc\uFFFD 😀',
      variants: [{ content: '\uFFFD' }],
    });
  });
});

describe('an answer is unreadable', () => {
  test.each<[string, unknown, string]>([
    ['null', null, 'body: '],
    ['an array', [shapeB], 'body: '],
    ['a text', 'no ads', 'body: '],
    ['an empty object', {}, 'ads: '],
    ['null instead of ads', { ads: null }, 'ads: '],
    ['ads as an object', { ads: {} }, 'ads: '],
    ['null instead of an ad', answerWith(shapeB, null), 'ads[1]: '],
    ['an ad that is an array', answerWith([]), 'ads[0]: '],
    ['an ad of neither shape', answerWith(shapeB, { title: 'Buy' }), 'ads[1]: '],
    ['an empty ad', answerWith({}), 'ads[0]: '],
    ['a shape-A ad without text', answerWith({ ...shapeA, ...emptyTexts() }), 'ads[0]: '],
    ['a charge as text', { ads: [], credits_consumed: '0.2' }, 'credits_consumed: '],
    ['a charge of null', { ads: [], credits_consumed: null }, 'credits_consumed: '],
    ['a charge below 0', { ads: [], credits_consumed: -1 }, 'credits_consumed: '],
    ['a count as text', { ads: [], ads_count: '0' }, 'ads_count: '],
    ['a count of ads without ads', { ads: [], ads_count: 3 }, 'ads_count: '],
    ['no_match together with ads', { ...answerWith(shapeB), match: 'no_match' }, 'match: '],
  ])('with %s', (_, body, path) => {
    expect(errorOf(body).slice(0, path.length)).toBe(path);
  });

  test('with an infinite charge', () => {
    expect(errorOfText('{"ads": [], "credits_consumed": 1e999}')).toContain('credits_consumed: ');
  });

  test.each<[string, unknown]>([
    ['advertiser_id', 1],
    ['advertiser_id', ''],
    ['advertiser_id', null],
    ['creative_id', 319266917934],
    ['creative_id', 'C'.repeat(257)],
    ['original_url', 5],
    ['variants', null],
    ['variants', {}],
    ['start', 1700196259],
    ['start', '2024-02-30'],
    ['start', '0000-01-01'],
    ['start', '2024-2-3'],
    ['start', ''],
    ['last_seen', '2024-01-01T00:00:00Z'],
    ['last_seen', '2023-02-29'],
    ['advertiser_name', ['Acme']],
    ['format', false],
    ['headline', 1],
  ])('with a shape-B ad whose %s is %j', (key, value) => {
    expect(errorOf(answerWith(shapeB, { ...shapeB, [key]: value }))).toContain(`ads[1].${key}: `);
  });

  test.each<[string, unknown]>([
    ['content', null],
    ['content', 1],
    ['height', '90'],
    ['height', 90.5],
    ['height', -1],
    ['width', 2_147_483_648],
  ])('with a variant whose %s is %j', (key, value) => {
    const variants = [shapeB.variants[0], { ...shapeB.variants[0], [key]: value }];
    expect(errorOf(answerWith({ ...shapeB, variants }))).toContain(`ads[0].variants[1].${key}: `);
  });

  test('with a message that does not quote the answer', () => {
    expect(errorOf(answerWith({ ...shapeB, start: 'hunter2' }))).not.toContain('hunter2');
  });

  test('or parsed with its ads, for any JSON', () => {
    const field = fc.constantFrom(...Object.keys(shapeB), ...Object.keys(shapeA));
    const ad = fc.dictionary(
      field,
      fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom(...Object.values(shapeB))),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(ad, fc.constant(shapeB), fc.jsonValue()), { minLength: 1 }), (ads) => {
        const reported = errorOf({ ads });
        return reported === 'read' ? read({ ads }).answer.kind === 'found' : reported.startsWith('ads[');
      }),
    );
  });
});

function emptyTexts(): Record<string, string | null> {
  return { headline: '', description: ' ', display_url: null, final_url: null, ad_type: '' };
}
