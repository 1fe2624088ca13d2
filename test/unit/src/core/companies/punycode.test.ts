import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePunycode, encodePunycode } from '../../../../../src/core/companies/punycode.ts';

test.each([
  ['mnchen-3ya', 'münchen'],
  ['e1afmkfd', 'пример'],
  ['85x722f', '食狮'],
  ['bcher-kva', 'bücher'],
])('punycode %s decodes to %s, which encodes to it', (encoded, label) => {
  expect(decodePunycode(encoded)).toBe(label);
  expect(encodePunycode(label)).toBe(encoded);
});

test('punycode that Node.js encodes decodes to the same label', () => {
  const letters = fc.array(fc.constantFrom(...'aznü-ößжя株式会社ソ한ñ9'), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(letters, (each) => {
      const label = each.join('');
      const ascii = domainToASCII(label);
      if (ascii.startsWith('xn--')) expect(decodePunycode(ascii.slice(4))).toBe(label.normalize('NFC'));
    }),
  );
});

test('an encoded label decodes to the same label', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (label) => {
      expect(decodePunycode(encodePunycode(label))).toBe(label);
    }),
  );
});

test.each(['é', '!', 'zzzzzzzzzzzz', '99999999999'])('invalid punycode decodes to null: %s', (text) => {
  expect(decodePunycode(text)).toBeNull();
});

test('punycode decoding never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      decodePunycode(text);
    }),
  );
});
