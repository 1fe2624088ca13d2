import { expect, test } from 'vitest';
import { parseAdvertiserId } from '../../../../../src/core/companies/advertiser-id.ts';

test.each([
  ['AR14106713362364628993', 'google:AR14106713362364628993'],
  [' AR00000000000000000001\n', 'google:AR00000000000000000001'],
  [' google:AR14106713362364628993 ', 'google:AR14106713362364628993'],
  ['meta:4711', 'meta:4711'],
  ['tiktok:7213000000000000000', 'tiktok:7213000000000000000'],
  ['linked_in2:urn:li:ad/1', 'linked_in2:urn:li:ad/1'],
  ['other:名', 'other:名'],
  ['meta:AR1', 'meta:AR1'],
])('advertiser id %j is read as %s', (text, advertiserId) => {
  expect(parseAdvertiserId(text)).toEqual({ kind: 'id', advertiserId, warning: null });
});

test.each([
  ['ar14106713362364628993', /mistyped/],
  ['ar:14106713362364628993', /mistyped/],
  ['ARO4106713362364628993', /mistyped/],
  ['AR1410671336236462899', /mistyped/],
  ['AR141067133623646289933', /mistyped/],
  ['AR-14106713362364628993', /mistyped/],
  ['AR14106713362364628993,AR16735076323512287233', /mistyped/],
  ['CR10126761610920853505', /a creative/],
  ['advertiser/AR14106713362364628993', /an address/],
])(
  'advertiser id %s is accepted as one of Google with a warning, with and without its platform',
  (text, warning) => {
    for (const given of [text, `google:${text}`]) {
      expect(parseAdvertiserId(given)).toMatchObject({ kind: 'id', advertiserId: `google:${text}` });
      expect(parseAdvertiserId(given)).toHaveProperty('warning', expect.stringMatching(warning));
    }
  },
);

test.each([
  ['https://adstransparency.google.com/advertiser/AR14106713362364628993', 'google:AR14106713362364628993'],
  [
    ' https://adstransparency.google.com/advertiser/AR14106713362364628993/creative/CR10126761610920853505?region=DE\n',
    'google:AR14106713362364628993',
  ],
  [
    'http://adstransparency.google.com/advertiser/AR00000000000000000001?region=anywhere#top',
    'google:AR00000000000000000001',
  ],
  [
    'https://www.facebook.com/ads/library/?active_status=active&country=ALL&view_all_page_id=15087023444&search_type=page',
    'meta:15087023444',
  ],
  ['https://facebook.com/profile.php?id=100064', 'meta:100064'],
])('the address %s of an advertiser is read as %s', (text, advertiserId) => {
  expect(parseAdvertiserId(text)).toEqual({ kind: 'id', advertiserId, warning: null });
});

test.each([
  'https://adstransparency.google.com/?region=DE',
  'https://adstransparency.google.com/advertiser/AR1410671336236462899',
  'https://adstransparency.google.com.evil.example/advertiser/AR14106713362364628993',
  'https://example.com/advertiser/AR14106713362364628993',
  'https://www.facebook.com/nike',
  'https://www.facebook.com/ads/library/?view_all_page_id=12x',
  'https://',
  'http://[',
])('the address %s is rejected as an advertiser', (text) => {
  const reason = `not an advertiser id: "${text}" is not the page of an advertiser`;
  expect(parseAdvertiserId(text)).toEqual({ kind: 'not_an_id', reason });
});

test('plain digits are an id of Google only with its platform, and look mistyped', () => {
  expect(parseAdvertiserId('google:14106713362364628993')).toMatchObject({
    kind: 'id',
    warning: expect.stringMatching(/mistyped/) as string,
  });
});

test.each(['14106713362364628993', '4711', 'acme-inc', 'ARTIS', 'Meta:4711', ':4711', '名'])(
  'advertiser id %s without its platform is rejected',
  (text) => {
    const reason = `not an advertiser id: "${text}" has no platform`;
    expect(parseAdvertiserId(text)).toEqual({ kind: 'not_an_id', reason });
  },
);

test.each([
  ['', 'not an advertiser id: empty'],
  ['  ', 'not an advertiser id: empty'],
  ['meta:', 'not an advertiser id: empty'],
  ['AR 14106713362364628993', 'not an advertiser id: blanks in it'],
  ['meta: 4711', 'not an advertiser id: blanks in it'],
  ['AR1\u20282', 'not an advertiser id: blanks in it'],
  ['AR1\u001b[2J', 'not an advertiser id: control or invisible characters'],
  ['AR1\u200b2', 'not an advertiser id: control or invisible characters'],
  ['meta:1\ud8002', 'not an advertiser id: control or invisible characters'],
  [`meta:${'x'.repeat(257)}`, 'not an advertiser id: longer than 256 characters'],
  [`${'x'.repeat(41)}:1`, 'not an advertiser id: a platform of more than 40 characters'],
])('%j is rejected as an advertiser id', (text, reason) => {
  expect(parseAdvertiserId(text)).toEqual({ kind: 'not_an_id', reason });
});

test('an advertiser id of 256 characters after its platform is accepted', () => {
  expect(parseAdvertiserId(`meta:${'x'.repeat(256)}`).kind).toBe('id');
});
