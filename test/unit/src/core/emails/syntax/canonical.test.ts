import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress, type EmailAddress } from '../../../../../../src/core/emails/syntax/address.ts';
import {
  canonicalAddress,
  splitName,
  subaddressOf,
} from '../../../../../../src/core/emails/syntax/canonical.ts';
import { takeSeedNumber } from '../../../../../support/seed-number.ts';

describe('the canonical address of likely duplicates', () => {
  test.each([
    ['Info+x@Example.COM', 'info@example.com'],
    ['jane.doe@example.com', 'jane.doe@example.com'],
    ['jane-doe@example.com', 'jane-doe@example.com'],
    ['jane+a+b@example.com', 'jane@example.com'],
    ['jane+@example.com', 'jane@example.com'],
    ['jane@münchen.de', 'jane@xn--mnchen-3ya.de'],
    ['J.a.n.e+news@gmail.com', 'jane@gmail.com'],
    ['jane@googlemail.com', 'jane@gmail.com'],
    ['Jane+a@outlook.com', 'jane@outlook.com'],
    ['jane.doe+a@hotmail.com', 'jane.doe@hotmail.com'],
    ['jane+a@live.com', 'jane@live.com'],
    ['jane.doe+a@me.com', 'jane.doe@icloud.com'],
    ['jane@mac.com', 'jane@icloud.com'],
    ['jane+a@fastmail.com', 'jane@fastmail.com'],
    ['jane+a@zohomail.com', 'jane@zohomail.com'],
    ['j.a-n_e+a@protonmail.com', 'jane@proton.me'],
    ['jane@pm.me', 'jane@proton.me'],
    ['jane.doe+a@ya.ru', 'jane-doe@yandex.ru'],
    ['jane-doe@yandex.com', 'jane-doe@yandex.ru'],
    ['jane-shop@yahoo.com', 'jane@yahoo.com'],
    ['jane.doe-shop@yahoo.co.uk', 'jane.doe@yahoo.co.uk'],
    ['jane+shop@yahoo.com', 'jane@yahoo.com'],
    ['jane-shop+spring@yahoo.com', 'jane@yahoo.com'],
  ])('of %s is %s', (address, key) => {
    expect(canonicalAddress(read(address))).toBe(key);
  });

  test('unifies two encodings of a letter', () => {
    expect(canonicalAddress(read('rene\u0301@example.com'))).toBe(canonicalAddress(read('René@example.com')));
  });

  test('keeps people of one provider apart', () => {
    const keys = [
      'jane@gmail.com',
      'john@gmail.com',
      'jane@yahoo.com',
      'jane@outlook.com',
      'jane@hotmail.com',
    ].map((address) => canonicalAddress(read(address)));
    expect(new Set(keys).size).toBe(5);
  });

  test('keeps a tag without a name', () => {
    expect(canonicalAddress(read('+jane@example.com'))).toBe('+jane@example.com');
    expect(canonicalAddress(read('-jane@yahoo.com'))).toBe('-jane@yahoo.com');
    expect(canonicalAddress(read('-_@proton.me'))).toBe('-_@proton.me');
  });

  test('finds no tag in quotes', () => {
    const quoted = { ...read('jane@example.com'), localPart: '"jane+x"' };
    expect(splitName(quoted)).toEqual({ name: '"jane+x"', tag: null });
    expect(canonicalAddress(quoted)).toBe('"jane+x"@example.com');
  });
});

describe('the tag of an address', () => {
  test.each([
    ['jane+news@example.com', 'news'],
    ['Jane+News+Daily@example.com', 'News+Daily'],
    ['jane-shop@yahoo.de', 'shop'],
    ['jane-shop@example.com', null],
    ['jane+@example.com', null],
    ['+news@example.com', null],
    ['jane@example.com', null],
  ])('of %s is %s', (address, tag) => {
    expect(subaddressOf(read(address))).toBe(tag);
  });
});

test('the canonical address is in lower case, has no tag, and is its own canonical address', () => {
  const names = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}(?:[.+-][A-Za-z0-9_-]{1,8}){0,3}$/);
  const domains = fc.oneof(
    fc.constantFrom('gmail.com', 'googlemail.com', 'yahoo.com', 'ya.ru', 'pm.me', 'mac.com', 'example.com'),
    fc.domain(),
  );
  fc.assert(
    fc.property(names, domains, (name, domain) => {
      const parsed = parseAddress(`${name}@${domain}`);
      fc.pre(parsed.kind === 'address');
      const key = canonicalAddress(parsed.address);
      expect(key).toBe(key.toLowerCase());
      expect(key).toMatch(/^[^@]*@[^@]+$/);
      const again = parseAddress(key);
      // A key is not necessarily an address: `jane.+x` leaves `jane.`.
      if (again.kind === 'address') expect(canonicalAddress(again.address)).toBe(key);
    }),
    { seed: takeSeedNumber(), numRuns: 2_000 },
  );
});

function read(text: string): EmailAddress {
  const parsed = parseAddress(text);
  if (parsed.kind === 'invalid') throw new Error(`${text}: ${parsed.reason}`);
  return parsed.address;
}
