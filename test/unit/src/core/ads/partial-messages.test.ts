import { expect, test } from 'vitest';
import type { PartialReason } from '../../../../../src/core/ads/ads-answer.ts';
import { partialMessages } from '../../../../../src/core/ads/partial-messages.ts';

const pageFailed = 'A later page could not be fetched: there may be more ads.';
const uncertain = (advertisers: string) =>
  `${advertisers} may belong to the company: decide with nightshift companies review.`;

test.each<[PartialReason | null, number | null, readonly string[]]>([
  [null, null, [pageFailed]],
  ['page_failed', null, [pageFailed]],
  ['page_failed', 3, [pageFailed, uncertain('3 advertisers')]],
  ['uncertain_advertisers', 1, [uncertain('1 advertiser')]],
  ['uncertain_advertisers', 1200, [uncertain('1,200 advertisers')]],
])(
  'a partial answer for the reason %s, with %s uncertain advertisers, says so',
  (partialReason, count, texts) => {
    expect(partialMessages({ partial: true, partialReason, uncertainAdvertisers: count })).toEqual(texts);
  },
);

test('an answer with too many advertisers names the remedy, and a complete one says nothing', () => {
  const [message] = partialMessages({
    partial: true,
    partialReason: 'too_many_advertisers',
    uncertainAdvertisers: null,
  });
  expect(message).toContain('nightshift companies map');
  expect(partialMessages({ partial: false, partialReason: null, uncertainAdvertisers: null })).toEqual([]);
});
