import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apiKeyPattern,
  createApiKey,
  defaultScopes,
  digestApiKey,
  hintOf,
  isApiKey,
  isSameDigest,
  scopes,
} from '../../../../../src/core/accounts/api-key.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixChars = 'ns_live_'.length;
const secretChars = 30;

describe('a new API key', () => {
  const keys = Array.from({ length: 20_000 }, createApiKey);
  const secrets = keys.map((key) => key.slice(prefixChars, prefixChars + secretChars));

  test('always has the published format and a correct checksum', () => {
    expect(keys.filter((key) => !apiKeyPattern.test(key) || !isApiKey(key))).toEqual([]);
  });

  test('is unique', () => {
    expect(new Set(secrets).size).toBe(keys.length);
  });

  test('has evenly distributed digits, without modulo bias', () => {
    const expected = (keys.length * secretChars) / base62.length;
    const counts = countDigits(secrets.join(''));
    // Six standard deviations: a false alarm once in millions of runs. A biased digit is 21 % above.
    const biased = [...base62].filter(
      (digit) => Math.abs((counts.get(digit) ?? 0) - expected) > expected * 0.065,
    );
    expect(biased).toEqual([]);
  });

  test('can have every digit at every position', () => {
    const seen = Array.from(
      { length: secretChars },
      (_, i) => new Set(secrets.map((secret) => secret[i])).size,
    );
    expect(seen).toEqual(Array.from({ length: secretChars }, () => base62.length));
  });
});

describe('the checksum of an API key', () => {
  test('detects every change of a single character', () => {
    for (let n = 0; n < 20; n += 1) {
      const key = createApiKey();
      expect(changesOf(key).filter(isApiKey)).toEqual([]);
    }
  });

  test('detects two swapped adjacent characters', () => {
    const key = createApiKey();
    for (let at = prefixChars; at < key.length - 1; at += 1) {
      const [a = '', b = ''] = [key[at], key[at + 1]];
      if (a !== b) expect(isApiKey(`${key.slice(0, at)}${b}${a}${key.slice(at + 2)}`)).toBe(false);
    }
  });

  test('is the CRC-32 of the 30 characters in base 62, so that secret scanners can verify it', () => {
    expect(isApiKey(`ns_live_${'0'.repeat(30)}${toBase62(crcOf('0'.repeat(30)))}`)).toBe(true);
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Za-z]{30}$/), (secret) =>
        isApiKey(`ns_live_${secret}${toBase62(crcOf(secret))}`),
      ),
      { seed: takeSeedNumber() },
    );
  });
});

describe('a text that is not an API key', () => {
  const key = createApiKey();

  test.each([
    ['an empty text', ''],
    ['the prefix alone', 'ns_live_'],
    ['a key without its prefix', key.slice(prefixChars)],
    ['a key with another prefix', `ns_test_${key.slice(prefixChars)}`],
    ['a key with its prefix in capitals', `NS_LIVE_${key.slice(prefixChars)}`],
    ['a key with one character more', `${key}0`],
    ['a key with one character less', key.slice(0, -1)],
    ['a key after a blank', ` ${key}`],
    ['a key before a line break', `${key}\n`],
    ['a key of a repeated header', `${key}, ${key}`],
    ['a key with an invalid character', `${key.slice(0, 20)}-${key.slice(21)}`],
  ])('is rejected: %s', (_case, text) => {
    expect(isApiKey(text)).toBe(false);
  });

  test('never causes an exception', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `ns_live_${text}`),
    );
    fc.assert(
      fc.property(texts, (text) => !isApiKey(text)),
      { seed: takeSeedNumber(), numRuns: 2_000 },
    );
  });
});

describe('the stored part of an API key', () => {
  test('has the SHA-256 of the whole key', () => {
    const key = createApiKey();
    expect(digestApiKey(key)).toEqual(createHash('sha256').update(key, 'utf8').digest());
    expect(digestApiKey('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  test('has a digest that equals only the digest of the same key', () => {
    const key = createApiKey();
    const digest = digestApiKey(key);
    expect(isSameDigest(digest, digestApiKey(key))).toBe(true);
    expect(isSameDigest(digest, digestApiKey(createApiKey()))).toBe(false);
    expect(isSameDigest(digest, digest.subarray(0, 31))).toBe(false);
    expect(isSameDigest(digest, Buffer.alloc(0))).toBe(false);
  });

  test('has a hint of eight characters, too few to use as a key', () => {
    const key = createApiKey();
    const hint = hintOf(key);
    expect(hint).toBe(`${key.slice(0, 12)}…${key.slice(-4)}`);
    expect(isApiKey(hint)).toBe(false);
  });
});

test('an API key has all scopes except admin by default', () => {
  expect(defaultScopes).toEqual(scopes.filter((scope) => scope !== 'admin'));
  expect(scopes).toContain('admin');
});

function countDigits(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const digit of text) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  return counts;
}

/** Every key that differs from this one in one of its last 36 characters. */
function changesOf(key: string): readonly string[] {
  return Array.from({ length: key.length - prefixChars }, (_, i) => i + prefixChars).flatMap((at) =>
    [...base62]
      .filter((digit) => digit !== key[at])
      .map((digit) => `${key.slice(0, at)}${digit}${key.slice(at + 1)}`),
  );
}

/** CRC-32 (IEEE 802.3), bit by bit. */
function crcOf(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Six digits, most significant first. */
function toBase62(value: number): string {
  return Array.from({ length: 6 }, (_, i) => base62[Math.floor(value / 62 ** (5 - i)) % 62] ?? '').join('');
}
