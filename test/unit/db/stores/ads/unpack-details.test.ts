import { expect, test } from 'vitest';
import { noDetails, type AdDetails } from '../../../../../src/core/ads/ad-details.ts';
import { summariseDetails } from '../../../../../src/core/ads/details-summary.ts';
import { packDetails } from '../../../../../db/stores/ads/pack-details.ts';
import { unpackDetails } from '../../../../../db/stores/ads/unpack-details.ts';

const days = { start: '2026-01-01', lastSeen: '2026-01-31' };
const counted = { lower: 3_000_000_000, upper: null, availableOn: null };
const full: AdDetails = {
  daysShown: 12,
  targetDomain: 'acme.com',
  previewUrl: 'https://acme.com/preview',
  topic: 'Health',
  payer: 'Acme SE',
  isGrantFunded: false,
  targeting: {
    demographicInfo: null,
    geoLocation: 'CRITERIA_INCLUDED',
    contextualSignals: null,
    customerLists: null,
    topicsOfInterest: 'CRITERIA_UNUSED',
  },
  regions: [
    {
      region: 'FR',
      firstShown: '2026-01-02',
      lastShown: null,
      timesShown: { lower: null, upper: null, availableOn: '2026-03-01' },
      timesShownFrom: null,
      timesShownTo: '2026-01-30',
      surfaces: [
        { surface: 'YOUTUBE', timesShown: counted },
        { surface: 'MAPS', timesShown: null },
      ],
    },
    {
      region: 'DE',
      firstShown: null,
      lastShown: null,
      timesShown: counted,
      timesShownFrom: null,
      timesShownTo: null,
      surfaces: [{ surface: 'MAPS', timesShown: null }],
    },
  ],
  advertiser: { legalName: 'Acme Societas', location: 'DE', verification: 'VERIFIED' },
};

test.each([
  ['full', full],
  ['without anything', noDetails],
  ['with a region only', { ...noDetails, regions: full.regions }],
  ['with an advertiser only', { ...noDetails, advertiser: full.advertiser }],
])('packed details %s are unpacked as they were', (_, details) => {
  expect(unpackDetails(packDetails(details, days), days)).toEqual(details);
});

test('days shown follow the days of the ad', () => {
  const packed = packDetails(full, days);
  expect(unpackDetails(packed, { ...days, lastSeen: '2026-02-05' }).daysShown).toBe(17);
  expect(unpackDetails(packed, { start: null, lastSeen: null }).daysShown).toBe(0);
});

test('the summary has one value per column', () => {
  expect(summariseDetails({ advertiserId: 'meta:1', details: full })).toEqual({
    platform: 'meta',
    payer: 'Acme SE',
    topic: 'Health',
    daysShown: 12,
    timesShownLower: 3_000_000_000,
    timesShownUpper: null,
    regions: ['FR', 'DE'],
    surfaces: ['MAPS', 'YOUTUBE'],
    targetDomain: 'acme.com',
    previewUrl: 'https://acme.com/preview',
    legalName: 'Acme Societas',
    location: 'DE',
    verification: 'VERIFIED',
  });
});
