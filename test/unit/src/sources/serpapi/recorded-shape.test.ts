import { expect, test } from 'vitest';
import { differenceFromRecorded } from '../../../../../src/sources/replies/compare-recorded.ts';
import { serpapiShape } from '../../../../../src/sources/serpapi/recorded-shape.ts';

const same = { missing: [], added: [] };
const row = {
  advertiser_id: 'AR1',
  advertiser: 'Acme',
  ad_creative_id: 'CR1',
  format: 'text',
  first_shown: 1,
  last_shown: 2,
};
const differenceOf = (rows: readonly object[], metadata: object = {}) =>
  differenceFromRecorded(
    [serpapiShape],
    JSON.stringify({
      search_metadata: { status: 'Success', ...metadata },
      search_information: { total_results: rows.length },
      ad_creatives: rows,
    }),
  );

test('a reply with or without any key that replies of SerpApi may have is the same as the recorded ones', () => {
  const links = { details_link: 'x', serpapi_details_link: 'x' };
  const live = {
    ...row,
    ...links,
    total_days_shown: 3,
    target_domain: 'acme.com',
    image: 'x',
    width: 1,
    height: 1,
  };
  const endpoints = { json_endpoint: 'x', markdown_endpoint: 'x', pixel_position_endpoint: 'x' };
  expect(differenceOf([live], endpoints)).toEqual(same);
  // The documentation's own example has no days, and an ad of a video no picture.
  expect(differenceOf([{ ...row, ...links, link: 'x' }])).toEqual(same);
  expect(differenceOf([row])).toEqual(same);
  expect(differenceOf([{ ...row, minimum_views_count: 1, maximum_budget_spent: '400 USD' }])).toEqual(same);
});

test('a reply with another name of a key that every reply has differs from the recorded ones', () => {
  const { advertiser, ...rest } = row;
  expect(differenceOf([{ ...rest, company: advertiser }])).toEqual({
    missing: ['ad_creatives[].advertiser'],
    added: ['ad_creatives[].company'],
  });
});
