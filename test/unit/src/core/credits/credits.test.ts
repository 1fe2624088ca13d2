import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  creditsNumber,
  formatCredits,
  microPerCredit,
  parseCredits,
} from '../../../../../src/core/credits/credits.ts';

const micro = fc.bigInt(-(10n ** 18n) + 1n, 10n ** 18n - 1n);

test('an amount is parsed to the same amount after formatting', () => {
  fc.assert(fc.property(micro, (amount) => parseCredits(formatCredits(amount)) === amount));
});

test('an amount is formatted without trailing zeros and without an exponent', () => {
  const form = /^-?(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;
  fc.assert(fc.property(micro, (amount) => form.test(formatCredits(amount))));
});

test('amounts add up exactly, unlike floating-point numbers', () => {
  const tenth = parseCredits('0.1');
  expect(Array.from({ length: 10 }, () => tenth).reduce((sum, one) => sum + one, 0n)).toBe(microPerCredit);
  expect(formatCredits(parseCredits('0.2') * 3n)).toBe('0.6');
});

test.each([
  ['12', 12_000_000n],
  ['0.2', 200_000n],
  ['1,000.5', 1_000_500_000n],
  ['1,234,567', 1_234_567_000_000n],
  [' 7 ', 7_000_000n],
  ['-3.000001', -3_000_001n],
  ['007', 7_000_000n],
  ['-0', 0n],
  ['999999999999', 999_999_999_999_000_000n],
])('%s is parsed as %s microcredits', (text, expected) => {
  expect(parseCredits(text)).toBe(expected);
});

test.each([
  '',
  ' ',
  '.5',
  '5.',
  '1.0000001',
  '1e3',
  '0x10',
  '1,00',
  '1,0000',
  ',1',
  '+1',
  '1 000',
  '--1',
  'NaN',
  '٣',
  '1.2.3',
])('"%s" is rejected as an amount', (text) => {
  expect(() => parseCredits(text)).toThrow(expect.objectContaining({ code: 'validation_error' }));
});

describe('an amount as a JSON number', () => {
  test('is exact for 0.2 credits', () => {
    expect(JSON.stringify(creditsNumber(200_000n))).toBe('0.2');
    expect(JSON.stringify(creditsNumber(0n))).toBe('0');
    expect(JSON.stringify(creditsNumber(3n * 200_000n))).toBe('0.6');
  });

  test('equals its text within the range of exact numbers', () => {
    const held = fc.bigInt(0n, 10n ** 15n);
    fc.assert(fc.property(held, (amount) => creditsNumber(amount) === Number(formatCredits(amount))));
    fc.assert(fc.property(held, (amount) => BigInt(Math.round(creditsNumber(amount) * 1e6)) === amount));
  });
});
