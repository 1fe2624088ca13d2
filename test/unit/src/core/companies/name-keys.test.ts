import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactName, germanName, normaliseName } from '../../../../../src/core/companies/company-name.ts';
import { nameCharsMax } from '../../../../../src/core/companies/company.ts';
import { compactKeys, nameKeys } from '../../../../../src/core/companies/name-keys.ts';

describe('nameKeys', () => {
  test.each([
    ['NIKE, Inc.', ['nike']],
    ['Müller & Söhne GmbH', ['muller and sohne', 'mueller and soehne']],
    ['Mueller GmbH', ['mueller']],
    ['Straße AG', ['strasse']],
    ['!!!', []],
    ['x'.repeat(nameCharsMax + 1), []],
    ['ü'.repeat(nameCharsMax), ['u'.repeat(nameCharsMax)]],
  ])('of %j are %j', (name, keys) => {
    expect(nameKeys(name)).toEqual(keys);
  });

  test('are only the normalised name and its German spelling, never empty or duplicate', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const keys = nameKeys(name);
        for (const key of keys) expect([normaliseName(name), germanName(name)]).toContain(key);
        expect(keys).not.toContain('');
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

describe('compactKeys', () => {
  test('start with the compact name', () => {
    expect(compactKeys('The Coca-Cola Company')).toEqual([compactName('The Coca-Cola Company')]);
    expect(compactKeys('Müller & Söhne')).toEqual(['mullerandsohne', 'muellerandsoehne']);
  });
});
