import { expect, test } from 'vitest';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import { adBounds, storableAd } from '../../../../../src/core/ads/storable-ad.ts';

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
