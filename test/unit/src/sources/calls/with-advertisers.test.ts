import { expect, test } from 'vitest';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import type { AdsAnswer } from '../../../../../src/core/ads/ads-answer.ts';
import { withAdvertisers } from '../../../../../src/sources/calls/with-advertisers.ts';

const ad: Ad = {
  advertiserId: 'AR1',
  creativeId: 'CR1',
  advertiserName: 'Acme',
  format: null,
  originalUrl: null,
  variants: [],
  start: null,
  lastSeen: null,
  text: null,
};
const found = (...ads: readonly Ad[]): AdsAnswer => ({ kind: 'found', ads, matchedBy: 'name' });
const acme = { id: 'AR1', name: 'Acme', country: 'US', verified: true };
const advertiser = { legalName: null, location: 'US', verification: 'VERIFIED' };

test('ads get the country and the verification of their own advertiser', () => {
  const other = { ...ad, advertiserId: 'AR2' };
  expect(withAdvertisers(found(ad, other), [acme])).toEqual(
    found({ ...ad, details: { ...noDetails, advertiser } }, other),
  );
  const none = { kind: 'none', matchedBy: 'name' } as const;
  expect(withAdvertisers(none, [acme])).toBe(none);
});

test('statements about the ad itself take precedence, and an unknown advertiser adds none', () => {
  const own = { legalName: 'Acme Inc.', location: null, verification: 'UNVERIFIED' };
  const detailed = { ...ad, details: { ...noDetails, daysShown: 3, advertiser: own } };
  expect(withAdvertisers(found(detailed), [acme])).toEqual(
    found({ ...ad, details: { ...detailed.details, advertiser: { ...own, location: 'US' } } }),
  );
  const unknown = { id: 'AR1', name: 'Acme', country: null };
  expect(withAdvertisers(found(ad), [unknown])).toEqual(found(ad));
});
