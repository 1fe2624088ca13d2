import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../../../src/core/email/address.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';

const longestLocal = 'a'.repeat(64);

describe('an address that mail can be sent to', () => {
  test.each([
    ['jane@example.com', 'jane@example.com'],
    ['Jane.Doe@Example.COM', 'Jane.Doe@example.com'],
    ['  jane@example.com\n', 'jane@example.com'],
    ['jane+news@mail.example.co.uk', 'jane+news@mail.example.co.uk'],
    ["o'neil@example.com", "o'neil@example.com"],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['1@x.io', '1@x.io'],
    ['jane@xn--mnchen-3ya.de', 'jane@xn--mnchen-3ya.de'],
    ['jane@MÜNCHEN.de', 'jane@münchen.de'],
    ['жанна@пример.рф', 'жанна@пример.рф'],
    ['jane@a.b.c.d.example.com', 'jane@a.b.c.d.example.com'],
    [`${longestLocal}@example.com`, `${longestLocal}@example.com`],
    [`jane@${'a'.repeat(63)}.com`, `jane@${'a'.repeat(63)}.com`],
    ['jane@3m.com', 'jane@3m.com'],
  ])('%j is read as %s', (text, normalised) => {
    expect(parseAddress(text)).toMatchObject({ kind: 'address', address: { normalised } });
  });

  test('is taken apart: local part as it is, domain lowered, in ASCII, and the part that was registered', () => {
    expect(parseAddress('Jane.Doe@Mail.MÜNCHEN.de')).toEqual({
      kind: 'address',
      address: {
        localPart: 'Jane.Doe',
        domain: 'mail.münchen.de',
        asciiDomain: 'mail.xn--mnchen-3ya.de',
        registrableDomain: 'xn--mnchen-3ya.de',
        normalised: 'Jane.Doe@mail.münchen.de',
      },
    });
  });

  test('keeps the case of its local part: only its server knows whether it counts', () => {
    expect(normalisedOf('JANE@EXAMPLE.COM')).toBe('JANE@example.com');
    expect(normalisedOf('jane@EXAMPLE.COM')).not.toBe(normalisedOf('JANE@example.com'));
  });
});

describe('a text that mail cannot be sent to', () => {
  test.each([
    ['', 'missing_at'],
    ['jane', 'missing_at'],
    ['example.com', 'missing_at'],
    ['jane at example.com', 'unsafe_characters'],
    ['@example.com', 'local_part_empty'],
    ['@', 'local_part_empty'],
    ['jane@', null],
    ['.jane@example.com', 'local_part_invalid'],
    ['jane.@example.com', 'local_part_invalid'],
    ['jane..doe@example.com', 'local_part_invalid'],
    ['jane@doe@example.com', 'local_part_invalid'],
    ['"jane"@example.com', 'local_part_invalid'],
    ['<jane@example.com>', null],
    ['jane(work)@example.com', 'local_part_invalid'],
    ['jane,john@example.com', 'local_part_invalid'],
    ['jane;john@example.com', 'local_part_invalid'],
    ['mailto:jane@example.com', 'local_part_invalid'],
    ['jane\\@example.com', 'local_part_invalid'],
    [`${longestLocal}a@example.com`, 'local_part_too_long'],
    [`${'ü'.repeat(33)}@example.com`, 'local_part_too_long'],
    [`jane@${`${'a'.repeat(60)}.`.repeat(4)}example.com`, 'address_too_long'],
    ['jane@localhost', 'dotless_domain'],
    ['jane@com', 'dotless_domain'],
    ['jane@example..com', 'domain_invalid'],
    ['jane@.example.com', 'domain_invalid'],
    ['jane@example.com.', 'domain_invalid'],
    ['jane@-example.com', 'domain_invalid'],
    ['jane@example-.com', 'domain_invalid'],
    ['jane@exam_ple.com', 'domain_invalid'],
    ['jane@exam%70le.com', 'domain_invalid'],
    ['jane@example.com/x', 'domain_invalid'],
    ['jane@example.com:25', 'domain_invalid'],
    ['jane@example.com?x=1', 'domain_invalid'],
    [`jane@${'a'.repeat(64)}.com`, 'domain_invalid'],
    ['jane@127.0.0.1', 'domain_invalid'],
    ['jane@[127.0.0.1]', 'domain_invalid'],
    ['jane@[IPv6:::1]', 'domain_invalid'],
    ['jane@１２７.0.0.1', 'domain_invalid'],
    ['jane@exa\0mple.com', 'unsafe_characters'],
    ['jane\r\nRCPT TO:<eve@evil.org>@example.com', 'unsafe_characters'],
    ['jane@example.com\r\nDATA\r\nx', 'unsafe_characters'],
    ['ja ne@example.com', 'unsafe_characters'],
    ['ja\u200bne@example.com', 'unsafe_characters'],
    ['jane\u202e@example.com', 'unsafe_characters'],
    ['ja\ud800ne@example.com', 'unsafe_characters'],
  ])('%j is refused: %s', (text, reason) => {
    expect(parseAddress(text)).toEqual({ kind: 'invalid', reason: reason ?? (expect.any(String) as string) });
  });

  test.each(['/x', '?x', '#x', '\\x', ':25', '%2ecom', '*', '<x', ';x', '_x'])(
    'an international domain with %j behind it is refused as well, as one in ASCII is',
    (rest) => {
      expect(parseAddress(`jane@münchen.de${rest}`)).toEqual({ kind: 'invalid', reason: 'domain_invalid' });
    },
  );

  test('a megabyte of it is refused like a short one', () => {
    for (const part of ['a', '.', '@', 'a.', 'ü', '\ud800', ' a']) {
      expect(parseAddress(`${part.repeat(500_000)}@example.com`).kind).toBe('invalid');
    }
  });
});

describe('whatever the text', () => {
  test('reading it never throws, and what is taken is safe to hand to a mail server', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseAddress(text);
        if (parsed.kind === 'invalid') return /^[a-z_]+$/.test(parsed.reason);
        const { localPart, domain, asciiDomain, normalised } = parsed.address;
        expect(normalised).toBe(`${localPart}@${domain}`);
        expect(normalised).not.toMatch(/[\s\p{Cc}\p{Cs}<>",;:\\()[\]]/u);
        expect(domain).not.toMatch(/[/?#%@_*|^]/);
        expect(asciiDomain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
        expect(Buffer.byteLength(localPart)).toBeLessThanOrEqual(64);
        expect(Buffer.byteLength(normalised)).toBeLessThanOrEqual(254);
        return true;
      }),
      { seed: takeSeedNumber(), numRuns: 5_000 },
    );
  });

  test('an address that was read and is read again is the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normalised = normalisedOf(text);
        if (normalised !== null) expect(normalisedOf(normalised)).toBe(normalised);
      }),
      { seed: takeSeedNumber(), numRuns: 2_000 },
    );
  });

  test('a good address is taken, its local part kept to the letter and its domain lowered', () => {
    fc.assert(
      fc.property(localParts, fc.domain(), caseOf, (localPart, domain, change) => {
        fc.pre(localPart.length + domain.length < 254);
        expect(normalisedOf(`${localPart}@${change(domain)}`)).toBe(`${localPart}@${domain.toLowerCase()}`);
      }),
      { seed: takeSeedNumber(), numRuns: 2_000 },
    );
  });
});

const atoms = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/);
const localParts = fc.array(atoms, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
const caseOf = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.toUpperCase(),
);
/** Addresses, texts that are almost addresses, and texts that are none. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.emailAddress(),
  fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.domain()).map((parts) => parts.join('@')),
  fc.tuple(atoms, fc.string({ unit: 'grapheme', maxLength: 30 })).map((parts) => parts.join('@')),
  fc
    .array(
      fc.constantFrom('a', 'Z', '9', '.', '@', '-', '_', 'ü', '/', '%2e', ':', '。', ' ', '\0', 'xn--', '"'),
      {
        maxLength: 20,
      },
    )
    .map((parts) => parts.join('')),
  fc.string({ minLength: 200, maxLength: 400 }).map((text) => `${text}@example.com`),
);

function normalisedOf(text: string): string | null {
  const parsed = parseAddress(text);
  return parsed.kind === 'address' ? parsed.address.normalised : null;
}
