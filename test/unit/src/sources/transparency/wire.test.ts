import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EmptyReply } from '../../../../../src/sources/transparency/empty-reply.ts';
import { readSuggestions } from '../../../../../src/sources/transparency/suggestions.ts';
import { readCreatives } from '../../../../../src/sources/transparency/wire.ts';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';
import { creativesOf } from '../../../../support/sources/transparency-creatives.ts';

const rows = creativesOf(1, 'acme.com', 40).map(({ row }) => row);
const page = { 1: rows, 2: 'CgoAP7zm', 4: '100000', 5: '200000' };
const read = (reply: unknown, isFirst = true) => readCreatives(JSON.stringify(reply), isFirst);
const firstAd = (changes: object) => {
  const [ad] = read({ ...page, 1: [{ ...rows[0], ...changes }, ...rows] }).ads;
  if (ad === undefined) throw new Error('There is no ad.');
  return ad;
};

describe('a page of creatives', () => {
  test('is parsed in its order, with the token and the bounds of the total', () => {
    const { ads, ...rest } = read(page);
    expect(rest).toEqual({ next: 'CgoAP7zm', estimate: { low: 100_000, high: 200_000 } });
    expect(ads.map(({ creativeId }) => creativeId)).toEqual(rows.map((row) => `google:${row['2']}`));
  });

  test('is parsed after a guard line, and with escaped markup', () => {
    const text = JSON.stringify(page).replaceAll('<', '\\u003c').replaceAll('=', '\\u003d');
    expect(readCreatives(`)]}'\n${text}`, true)).toEqual(read(page));
    expect(readCreatives(`)]}'\n\n${text}`, true)).toEqual(read(page));
  });

  test.each([
    [1, 'Text'],
    [2, 'Image'],
    [3, 'Video'],
    [4, '4'],
  ])('has the format of the code %i', (code, format) => {
    expect(firstAd({ 4: code })).toMatchObject({ format, variants: [{ height: 200 }] });
  });

  test.each([
    ['a script', { 1: { 4: 'https://displayads-formats.googleusercontent.com/x' } }],
    ['a text', { 2: 'Shoes for everyone' }],
    ['no preview', {}],
  ])('has no variants for a creative with %s as preview', (_, preview) => {
    expect(firstAd({ 3: preview })).toMatchObject({ variants: [] });
  });

  test.each([
    [
      'a script',
      { 1: { 4: 'https://a.example/content.js?a=1&htmlParentId=x&sig=S' } },
      'https://a.example/content.js?a=1&sig=S',
    ],
    [
      'a frame of an HTML5 bundle',
      {
        3: {
          2: '<iframe width="300" src="https://tpc.example/archive/sadbundle/$csp/1/index.html"></iframe>',
        },
      },
      'https://tpc.example/archive/sadbundle/$csp/1/index.html',
    ],
    ['a script without a web address', { 1: { 4: 'javascript:alert(1)' } }, null],
    ['an image', rows[0]?.['3'], null],
  ])('has in its details the URL of %s', (_, preview, previewUrl) => {
    expect(firstAd({ 3: preview }).details).toEqual({
      ...noDetails,
      daysShown: 864,
      previewUrl,
    });
  });

  test('has no details if the reply has none, and no domain that is none', () => {
    expect(firstAd({ 13: undefined })).not.toHaveProperty('details');
    expect(firstAd({ 13: '864', 14: 'acme.com' }).details).toEqual({
      ...noDetails,
      targetDomain: 'acme.com',
    });
  });

  test('may have missing names and unknown keys', () => {
    expect(firstAd({ 12: undefined, 15: 'new' })).toMatchObject({ advertiserName: null });
    expect(read({ ...page, 8: 'new' }).ads).toHaveLength(40);
  });

  test.each([
    ['an unknown format of preview', { 3: { 6: 'x' } }],
    ['markup that is not an image', { 3: { 3: { 2: '<iframe src="x"></iframe>' } } }],
    ['an image without a URL', { 3: { 3: { 2: '<img height="200" width="380">' } } }],
    ['an id that is a number', { 2: 13798212767800361000 }],
    ['an id without leading zeros', { 2: 'CR319266917934170113' }],
    ['swapped ids', { 1: rows[0]?.['2'], 2: rows[0]?.['1'] }],
    ['a time that is a number', { 6: { 1: 1_700_196_259 } }],
    ['a time that is a date', { 7: { 1: '2026-07-02' } }],
    ['a format that is text', { 4: 'text' }],
  ])('is unreadable with %s', (_, changes) => {
    expect(() => firstAd(changes)).toThrow(SourceUnreadable);
  });

  test.each<[string, unknown]>([
    ['creatives without a total', { ...page, 4: undefined }],
    ['reversed bounds', { ...page, 4: '9', 5: '8' }],
    ['a token under another key despite a larger total', { ...page, 2: undefined, 6: 'CgoAP7zm' }],
    ['creatives under another key', { ...page, 1: undefined, 6: rows }],
    ['a total without creatives', { 4: '8', 5: '9' }],
    ['a total and an empty list', { 1: [], 4: '8', 5: '9' }],
    ['a lower bound and an empty list', { 1: [], 4: '8' }],
    ['unknown keys only', { data: [] }],
    ['a token only', { 2: 'CgoAP7zm' }],
  ])('is unreadable with %s', (_, reply) => {
    expect(() => read(reply)).toThrow(SourceUnreadable);
  });

  test.each([
    ['a total of 0', { 4: '0', 5: '0' }],
    ['an empty list', { 1: [] }],
    ['both', { 1: [], 4: '0', 5: '0' }],
  ])('is empty with %s', (_, reply) => {
    expect(read(reply)).toMatchObject({ ads: [], next: null });
  });

  test('may lack a total or be empty if it is not the first', () => {
    expect(read({ 1: rows }, false).ads).toHaveLength(40);
    expect(read({ 1: [], 4: '8000', 5: '9000' }, false)).toMatchObject({ ads: [], next: null });
    expect(() => read({ 4: '8000', 5: '9000' }, false)).toThrow(SourceUnreadable);
  });

  test('has ids of 22 characters, and a first day that is not after the last', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }).map((id) => String(id).padStart(20, '0'));
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(digits, digits, seconds, seconds, (advertiser, creative, one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)].map(String);
        const row = { ...rows[0], 1: `AR${advertiser}`, 2: `CR${creative}`, 6: { 1: first }, 7: { 1: last } };
        const ad = read({ 1: [row], 4: '1', 5: '1' }).ads[0];
        expect(ad).toMatchObject({
          advertiserId: `google:AR${advertiser}`,
          creativeId: `google:CR${creative}`,
        });
        expect(String(ad?.start) <= String(ad?.lastSeen)).toBe(true);
        expect(ad?.start).toMatch(/^\d{4}-\d\d-\d\d$/);
      }),
    );
  });
});

test('an empty object is neither a page nor suggestions', () => {
  for (const text of ['{}', ' {} ', ")]}'\n{}"]) {
    for (const read of [
      () => readCreatives(text, true),
      () => readCreatives(text, false),
      () => readSuggestions(text),
    ])
      expect(read).toThrow(EmptyReply);
  }
});

test('suggestions keep their order, ids and countries', () => {
  const reply = {
    1: [
      { 1: { 1: 'NIKEX SRL', 2: 'AR00000000000000000001', 3: 'IT', 4: { 2: { 1: '21', 2: '21' } } } },
      { 1: { 1: 'Nikexey', 2: 'AR00000000000000000002', 5: true } },
      { 2: { 1: 'nikex.com' } },
      { 2: { 1: 'nikex.sk' } },
    ],
    3: 'CgA=',
  };
  expect(readSuggestions(JSON.stringify(reply))).toEqual({
    domains: ['nikex.com', 'nikex.sk'],
    advertisers: [
      { id: 'google:AR00000000000000000001', name: 'NIKEX SRL', country: 'IT', verified: null, adsCount: 21 },
      {
        id: 'google:AR00000000000000000002',
        name: 'Nikexey',
        country: null,
        verified: false,
        adsCount: null,
      },
    ],
  });
});

test.each<[string, unknown]>([
  ['a row of another type', { 1: [{ 3: {} }] }],
  ['an id that is a number', { 1: [{ 1: { 1: 'x', 2: 1 } }] }],
  ['rows under another key', { 3: 'CgA=', 4: [] }],
  ['unknown keys only', { data: [] }],
])('suggestions are unreadable with %s', (_, reply) => {
  expect(() => readSuggestions(JSON.stringify(reply))).toThrow(SourceUnreadable);
});

test('any reply is parsed or unreadable', () => {
  const changed = fc.tuple(fc.constantFrom('1', '2', '4', '5', '6'), fc.jsonValue());
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(changed).map((changes) => JSON.stringify({ ...page, ...Object.fromEntries(changes) })),
  );
  fc.assert(
    fc.property(text, fc.boolean(), (reply, isFirst) => {
      for (const read of [() => readCreatives(reply, isFirst), () => readSuggestions(reply)]) {
        try {
          read();
        } catch (error) {
          expect(error).toBeInstanceOf(SourceUnreadable);
        }
      }
    }),
  );
});
