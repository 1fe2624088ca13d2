import { expect, test } from 'vitest';
import { anySearch } from '../../../../../src/core/ads/ads-answer.ts';
import { sourceKey } from '../../../../../src/core/changes/observation.ts';

test('the source key of an unlimited search is the name of the source', () => {
  expect(sourceKey('serpapi', null)).toBe('serpapi');
  expect(sourceKey('serpapi', { ...anySearch, ageMsMax: 5 })).toBe('serpapi');
});

test('the source key of a limited search has its limits, too', () => {
  expect(sourceKey('serpapi', { ...anySearch, region: 'DE' })).toBe('serpapi?region=DE');
  expect(
    sourceKey('snapshot', { region: 'DE', surface: null, adsMax: 100, ownOnly: true, ageMsMax: null }),
  ).toBe('snapshot?region=DE&max_ads=100&own_only');
});
