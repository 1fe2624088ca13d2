import { expect, test } from 'vitest';
import { readCreatives, toAds } from '../../../../../src/sources/bigquery/creatives.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const row = {
  advertiser_id: 'AR00000000000000000001',
  creative_id: 'CR00000000000000000002',
  ad_format_type: 'IMAGE',
  advertiser_disclosed_name: null,
  advertiser_legal_name: 'Acme Holding SE',
  advertiser_location: 'DE',
  advertiser_verification_status: 'VERIFIED',
  region_stats: [
    { region_code: 'FR', first_shown: '2024-01-03', last_shown: '2024-05-06' },
    { region_code: 'DE', first_shown: '2023-12-31', last_shown: '2024-02-01' },
  ],
  name_keys: ['acme', 'acmeholding'],
  ads_count: '12',
  advertisers_count: '3',
};

test('a creative has both names, the location and the number of ads of its advertiser', () => {
  expect(readCreatives([row])).toMatchObject([
    {
      advertiserId: row.advertiser_id,
      creativeId: row.creative_id,
      advertiserName: 'Acme Holding SE',
      disclosedName: null,
      legalName: 'Acme Holding SE',
      location: 'DE',
      format: 'Image',
      start: '2023-12-31',
      lastSeen: '2024-05-06',
      adsOfAdvertiser: 12,
      verification: 'VERIFIED',
      nameKeys: ['acme', 'acmeholding'],
      advertisersOfKey: 3,
    },
  ]);
});

test('an unknown day is null', () => {
  const region_stats = [{ region_code: 'FR', first_shown: null, last_shown: '2024-05-06' }];
  expect(readCreatives([{ ...row, region_stats }])).toMatchObject([{ start: null, lastSeen: '2024-05-06' }]);
});

test('a duplicate ad is dropped', () => {
  const again = { ...row, ad_format_type: 'TEXT' };
  const other = { ...row, creative_id: 'CR00000000000000000003' };
  const ads = toAds(readCreatives([row, again, other]));
  expect(ads.map(({ creativeId, format }) => [creativeId, format])).toEqual([
    ['google:CR00000000000000000002', 'Image'],
    ['google:CR00000000000000000003', 'Image'],
  ]);
});

test.each<[string, object]>([
  ['rows[1]: advertiser_id', { advertiser_id: null }],
  ['rows[1]: creative_id', { creative_id: 'CR2' }],
  ['rows[1]: region_stats', { region_stats: 'FR' }],
  [
    'rows[1].region_stats[0].first_shown',
    { region_stats: [{ ...row.region_stats[0], first_shown: '20240103' }] },
  ],
  ['rows[1].region_stats[0].last_shown', { region_stats: [{ ...row.region_stats[0], last_shown: '' }] }],
  ['rows[1].ads_count', { ads_count: null }],
  ['rows[1].ads_count', { ads_count: '-1' }],
  ['rows[1].advertisers_count', { advertisers_count: null }],
  ['rows[1].name_keys[1]', { name_keys: ['acme', null] }],
])('an invalid row is unreadable: %s', (path, change) => {
  const read = () => readCreatives([row, { ...row, ...change }]);
  expect(read).toThrow(SourceUnreadable);
  expect(read).toThrow(path);
});
