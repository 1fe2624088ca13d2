import { expect, test } from 'vitest';
import { addDetails } from '../../../../../src/core/ads/add-details.ts';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import type { Ad } from '../../../../../src/core/ads/ad.ts';

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
const other = { ...ad, creativeId: 'CR2' };
const text = { headline: 'H', description: null, displayUrl: null, finalUrl: null, adType: null };
const textOnly = { ...ad, advertiserId: null, creativeId: null, text };
const otherText = { ...textOnly, text: { ...text, headline: 'Other' } };
const details = { ...noDetails, daysShown: 3 };

test('stored ads get the details of the same ads as reported, by their ids or their texts', () => {
  const reported = [other, { ...ad, advertiserName: 'Acme Inc', details }, { ...textOnly, details }];
  expect(addDetails([ad, other, textOnly, otherText], reported)).toEqual([
    { ...ad, details },
    other,
    { ...textOnly, details },
    otherText,
  ]);
});

test('stored ads keep their own details, and stay the same without any reported', () => {
  const own = { ...ad, details: { ...noDetails, payer: 'Acme' } };
  expect(addDetails([own], [{ ...ad, details }])).toEqual([own]);
  const stored = [ad, own];
  expect(addDetails(stored, [ad])).toBe(stored);
});
