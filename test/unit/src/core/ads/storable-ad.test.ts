import { expect, test } from 'vitest';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import { noDetails, type AdRegion } from '../../../../../src/core/ads/ad-details.ts';
import { adBounds } from '../../../../../src/core/ads/ad-bounds.ts';
import { storableAd } from '../../../../../src/core/ads/storable-ad.ts';

const { contentChars, textChars, addressChars } = adBounds;
const text = {
  headline: 'H',
  description: 'D',
  displayUrl: 'a.example',
  finalUrl: 'https://a.example',
  adType: 'text',
};
const ad: Ad = {
  advertiserId: 'google:AR1',
  creativeId: 'google:CR1',
  advertiserName: 'Acme',
  format: 'Image',
  originalUrl: 'https://a.example/1',
  variants: [{ content: '<img src="https://a.example/1">', height: 1, width: 1 }],
  start: null,
  lastSeen: null,
  text,
};
const variantOf = (chars: number) => ({ content: 'x'.repeat(chars), height: null, width: null });

test('an ad within the size limits is stored unchanged', () => {
  expect(storableAd(ad)).toBe(ad);
  const full = { ...ad, variants: [variantOf(contentChars - 1), variantOf(1)] };
  expect(storableAd(full)).toBe(full);
});

test('a variant is dropped as a whole if its markup exceeds the limit, alone or with others', () => {
  const variants = [variantOf(10_000_000), variantOf(contentChars - 1), variantOf(2), variantOf(1)];
  expect(storableAd({ ...ad, variants }).variants).toEqual([variants[1], variants[3]]);
});

test('long texts are truncated between characters, and a URL that is too long becomes null', () => {
  const long = '😀'.repeat(textChars);
  const stored = storableAd({
    ...ad,
    advertiserName: `x${long}`,
    originalUrl: `https://a.example/${'x'.repeat(addressChars)}`,
    text: { ...text, headline: long, finalUrl: `https://a.example/${'x'.repeat(addressChars)}` },
  });
  expect(stored).toMatchObject({ originalUrl: null, text: { finalUrl: null, description: 'D' } });
  for (const cut of [stored.advertiserName, stored.text?.headline]) {
    expect(cut).toMatch(/😀…$/u);
    expect(cut?.length).toBeLessThanOrEqual(textChars);
  }
});

test('details within the size limits stay equal, and larger ones are truncated', () => {
  const region: AdRegion = {
    region: 'DE',
    firstShown: null,
    lastShown: '2026-01-01',
    timesShown: null,
    timesShownFrom: null,
    timesShownTo: null,
    surfaces: [{ surface: 'SEARCH', timesShown: null }],
  };
  const advertiser = { legalName: 'Acme, Inc.', location: 'US', verification: 'VERIFIED' };
  const targeting = {
    demographicInfo: 'CRITERIA_UNUSED',
    geoLocation: null,
    contextualSignals: null,
    customerLists: null,
    topicsOfInterest: null,
  };
  const details = { ...noDetails, daysShown: 3, payer: 'Acme', regions: [region], advertiser, targeting };
  expect(storableAd({ ...ad, details })).toEqual({ ...ad, details });
  const long = 'x'.repeat(100_000);
  const surfaces = Array.from({ length: 50 }, (_, n) => ({ surface: `S${n}`, timesShown: null }));
  const regions = [
    { ...region, region: long },
    ...Array.from({ length: 1_000 }, () => ({ ...region, surfaces })),
  ];
  const stored = storableAd({
    ...ad,
    details: {
      ...details,
      targetDomain: long,
      previewUrl: `https://a.example/${long}`,
      topic: long,
      payer: long,
      regions,
      advertiser: { legalName: long, location: long, verification: long },
      targeting: { ...targeting, geoLocation: long },
    },
  });
  expect(stored.details?.previewUrl).toBeNull();
  expect(stored.details?.regions).toHaveLength(300);
  expect(stored.details?.regions[0]?.surfaces).toHaveLength(20);
  expect(JSON.stringify({ ...stored.details, regions: [] }).length).toBeLessThan(45_000);
});
