import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geoTargetOf, parseRegion, regionOfGeoTarget } from '../../../../../src/core/ads/regions.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const pairs = letters.flatMap((first) => letters.map((second) => first + second));
const known = pairs.filter(isKnown);

describe('geo target of a region', () => {
  test.each([
    ['US', 2840],
    ['GB', 2826],
    ['DE', 2276],
    ['FR', 2250],
    ['IT', 2380],
    ['NL', 2528],
    ['JP', 2392],
    ['KR', 2410],
    ['IN', 2356],
    ['BR', 2076],
    ['AU', 2036],
    ['CA', 2124],
    ['AL', 2008],
    ['ZM', 2894],
  ])('is, for %s, the id %i of Google', (code, target) => {
    expect(geoTargetOf(code)).toBe(target);
  });

  test('exists for the Isle of Man and the Canary Islands', () => {
    expect([geoTargetOf('IM'), geoTargetOf('IC')]).toEqual([20340, 20277]);
  });

  test('is unique for each of the 249 codes of ISO 3166-1 and IC', () => {
    expect(known).toHaveLength(250);
    const targets = known.map((code) => geoTargetOf(code));
    expect(new Set(targets).size).toBe(250);
    expect(targets.map(regionOfGeoTarget)).toEqual(known);
    expect([0, 1000, 2999].map(regionOfGeoTarget)).toEqual([null, null, null]);
    const usual = targets.filter((target) => target > 2000 && target < 3000);
    expect(usual).toHaveLength(248);
  });

  test.each(['ZZ', 'UK', 'us', '', '__proto__', 'toString', '840'])(
    'does not exist for %j, which is rejected',
    (code) => {
      expect(() => geoTargetOf(code)).toThrow(ValidationError);
    },
  );
});

describe('text of a region', () => {
  test('is parsed in any case, with blanks around it, to upper case', () => {
    for (const code of known) {
      expect(parseRegion(code)).toBe(code);
      expect(parseRegion(` ${code.toLowerCase()}\t`)).toBe(code);
    }
  });

  test.each([
    ['uk', 'GB'],
    ['EL', 'GR'],
    ['USA', 'US'],
    ['eea', 'one country'],
    ['anywhere', 'leave the region out'],
    ['XK', 'no code of its own'],
    ['Germany', 'two letters'],
    ['2840', 'two letters'],
    ['', 'two letters'],
  ])('is rejected with a hint: %j', (text, hint) => {
    expect(() => parseRegion(text)).toThrow(ValidationError);
    expect(() => parseRegion(text)).toThrow(hint);
  });

  test('is parsed to a region with a geo target, or rejected with a validation error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...pairs)), (text) => {
        try {
          expect(geoTargetOf(parseRegion(text))).toBeGreaterThan(2000);
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
        }
      }),
    );
  });
});

function isKnown(code: string): boolean {
  try {
    return geoTargetOf(code) > 0;
  } catch {
    return false;
  }
}
