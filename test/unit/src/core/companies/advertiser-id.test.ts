import { expect, test } from 'vitest';
import { parseAdvertiserId } from '../../../../../src/core/companies/advertiser-id.ts';

test.each(['AR14106713362364628993', ' AR00000000000000000001\n', 'acme-inc', '4711', 'ARTIS', '名'])(
  'advertiser id %j is accepted unchanged',
  (text) => {
    expect(parseAdvertiserId(text)).toEqual({ kind: 'id', advertiserId: text.trim(), warning: null });
  },
);

test.each([
  ['ar14106713362364628993', /mistyped/],
  ['ARO4106713362364628993', /mistyped/],
  ['AR1410671336236462899', /mistyped/],
  ['AR141067133623646289933', /mistyped/],
  ['AR-14106713362364628993', /mistyped/],
  ['14106713362364628993', /mistyped/],
  ['AR14106713362364628993,AR16735076323512287233', /mistyped/],
  ['CR10126761610920853505', /a creative/],
  ['https://adstransparency.google.com/advertiser/AR14106713362364628993', /an address/],
])('advertiser id %s is accepted with a warning', (text, warning) => {
  expect(parseAdvertiserId(text)).toMatchObject({ kind: 'id', advertiserId: text });
  expect(parseAdvertiserId(text)).toHaveProperty('warning', expect.stringMatching(warning));
});

test.each([
  ['', 'not an advertiser id: empty'],
  ['  ', 'not an advertiser id: empty'],
  ['AR 14106713362364628993', 'not an advertiser id: blanks in it'],
  ['AR1\u20282', 'not an advertiser id: blanks in it'],
  ['AR1\u001b[2J', 'not an advertiser id: control or invisible characters'],
  ['AR1\u200b2', 'not an advertiser id: control or invisible characters'],
  ['AR1\ud8002', 'not an advertiser id: control or invisible characters'],
  ['x'.repeat(257), 'not an advertiser id: longer than 256 characters'],
])('%j is rejected as an advertiser id', (text, reason) => {
  expect(parseAdvertiserId(text)).toEqual({ kind: 'not_an_id', reason });
});

test('an advertiser id of 256 characters is accepted', () => {
  expect(parseAdvertiserId('x'.repeat(256)).kind).toBe('id');
});
