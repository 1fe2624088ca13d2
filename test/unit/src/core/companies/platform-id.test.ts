import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAdKey, parseAdKey } from '../../../../../src/core/ads/ad-key.ts';
import {
  fullId,
  platformId,
  platformOf,
  platformOfAd,
  qualifiedId,
  shortId,
} from '../../../../../src/core/companies/platform-id.ts';

const platform = fc.oneof(fc.constant('google'), fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/));
const id = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.stringMatching(/^[a-z]{0,3}:[a-z0-9:]{0,3}$/),
);

test('a qualified id is its platform and the id of the platform', () => {
  fc.assert(
    fc.property(platform, id, (of, text) => {
      const qualified = qualifiedId(of, text);
      expect([platformOf(qualified), platformId(qualified)]).toEqual([of, text]);
    }),
  );
});

test('the short form of a qualified id is the id again, and that of Google has no prefix', () => {
  fc.assert(
    fc.property(platform, id, (of, text) => {
      const qualified = qualifiedId(of, text);
      expect(fullId(shortId(qualified))).toBe(qualified);
      if (of !== 'google') expect(shortId(qualified)).toBe(qualified);
      else if (!text.includes(':')) expect(shortId(qualified)).toBe(text);
    }),
  );
});

test('an id without a platform, and an ad without ids, count as of Google', () => {
  expect(platformOf('AR1')).toBe('google');
  expect(platformId('AR1')).toBe('AR1');
  expect(platformOfAd({ advertiserId: null })).toBe('google');
  expect(platformOfAd({ advertiserId: 'meta:1' })).toBe('meta');
});

test('the public id of an ad of Google does not name its platform, and an ad of another platform has its own', () => {
  const [google, meta] = ['google', 'meta'].map((of) =>
    formatAdKey({ kind: 'creative', advertiserId: qualifiedId(of, 'A'), creativeId: qualifiedId(of, 'C') }),
  );
  expect(google).toBe(`ad_${Buffer.from('["A","C"]').toString('base64url')}`);
  expect(parseAdKey(google ?? '')).toMatchObject({ advertiserId: 'google:A', creativeId: 'google:C' });
  expect(parseAdKey(meta ?? '')).toMatchObject({ advertiserId: 'meta:A', creativeId: 'meta:C' });
  expect(parseAdKey(`ad_${Buffer.from('["google:A","google:C"]').toString('base64url')}`)).toBeNull();
});
