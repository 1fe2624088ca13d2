import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatAddress,
  parseAddress,
  type AddressProfile,
  type EmailAddress,
} from '../../../../../../src/core/emails/syntax/address.ts';
import { randomRuns } from '../../../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../../../support/seed-number.ts';

const profiles: readonly AddressProfile[] = ['deliverable', 'rfc5321'];

/** Pieces of addresses and of texts that are almost addresses. */
const pieces = fc.constantFrom(
  ...['a', 'Z', '9', '.', '@', '-', '_', '"', '\\', '[', ']', ':', '::', 'IPv6:', '1.2.3.4', '(', '<', ','],
  ...[
    'xn--',
    'xn--mnchen-3ya',
    'com',
    '.com',
    '.test',
    '%2e',
    '/',
    ' ',
    '\0',
    '\r\n',
    '\t',
    '\u007f',
    '\u0085',
  ],
  ...['ü', 'u\u0308', '\u0308', 'ß', 'ς', '。', '．', '＠', '\u00a0', '\u00ad', '\u200b', '\u200c', '\u200d'],
  ...['א', 'ب', '٠', '۰', 'क्', '・', 'l·l', '한', '\u1100', '😀', '\u{10330}', '\ud800', '\udc00', '\uffff'],
  ...['\u037e', '\u212a', '=\u0338', '<\u0338'],
);
const ofPieces = fc.array(pieces, { maxLength: 16 }).map((parts) => parts.join(''));

const atom = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/);
const dotString = fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join('.'));
const quotedString = fc
  .array(fc.oneof(fc.stringMatching(/^[ -~]$/), fc.constantFrom('é', '\\"', '\\\\', '..')), { maxLength: 12 })
  .map((parts) => `"${parts.map((part) => (/^["\\]$/.test(part) ? `\\${part}` : part)).join('')}"`);
const internationalLocal = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const label = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,8}[A-Za-z0-9])?$/),
  fc.string({ unit: fc.constantFrom(...'aZ9äßςéжאبक한ア丈'), minLength: 1, maxLength: 6 }),
);
const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));
const literal = fc.oneof(
  fc.ipV4().map((address) => `[${address}]`),
  fc.ipV6().map((address) => `[IPv6:${address}]`),
);
const nearlyAddress = fc
  .tuple(
    fc.oneof(dotString, quotedString, internationalLocal, ofPieces),
    fc.oneof(fc.domain(), name, literal, ofPieces),
  )
  .map((parts) => parts.join('@'));

/** Lengths around the limits of a local part, a label and an address. */
const ofEdgeLength = fc
  .tuple(
    fc.integer({ min: 60, max: 66 }),
    fc.array(fc.integer({ min: 58, max: 64 }), { minLength: 2, maxLength: 4 }),
    fc.constantFrom('a', 'ü'),
  )
  .map(([local, labels, letter]) => {
    const domain = labels.map((length) => `${'a'.repeat(length - 1)}${letter}`).join('.');
    return `${letter.repeat(local)}@${domain}`;
  });

const latin1 = fc
  .uint8Array({ maxLength: 80 })
  .map((bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const utf16 = fc
  .uint16Array({ maxLength: 40 })
  .map((units) => Array.from(units, (unit) => String.fromCharCode(unit)).join(''));
const long = fc.tuple(ofPieces, fc.integer({ min: 2, max: 200 })).map(([text, times]) => text.repeat(times));
const anyText = fc.oneof(
  { weight: 6, arbitrary: nearlyAddress },
  { weight: 3, arbitrary: ofPieces },
  { weight: 1, arbitrary: ofEdgeLength },
  { weight: 1, arbitrary: latin1 },
  { weight: 1, arbitrary: utf16 },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: long },
);

describe('address parsing', () => {
  test('parseAddress never throws, and accepted addresses satisfy the grammar', { timeout: 120_000 }, () => {
    const taken = { deliverable: 0, rfc5321: 0 };
    const runs = randomRuns(1_000_000);
    fc.assert(
      fc.property(anyText, (text) => {
        const deliverable = addressOf(text, 'deliverable');
        const mailbox = addressOf(text, 'rfc5321');
        if (deliverable !== null) {
          taken.deliverable += 1;
          expectSameAgain(deliverable, 'deliverable');
          expectStricter(deliverable, text.trim() === text ? mailbox : addressOf(text.trim(), 'rfc5321'));
        }
        if (mailbox !== null) {
          taken.rfc5321 += 1;
          expectSameAgain(mailbox, 'rfc5321');
          expectSendable(mailbox);
        }
      }),
      { seed: takeSeedNumber(), numRuns: runs },
    );
    // Enough texts are accepted; otherwise the test would prove nothing.
    expect(taken.deliverable).toBeGreaterThan(runs / 20);
    expect(taken.rfc5321).toBeGreaterThan(taken.deliverable);
  });
});

/** parse∘format is the identity, and the key of an address equals the key of the address that it spells. */
function expectSameAgain(address: EmailAddress, profile: AddressProfile): void {
  expectSame(addressOf(formatAddress(address), profile), address);
  const ofKey =
    address.normalised === formatAddress(address) ? address : addressOf(address.normalised, profile);
  expectSame(ofKey?.normalised, address.normalised);
}

/** Asserts that it can be sent: within the limits of RFC 5321, the local part in composed and well-formed Unicode, the domain in ASCII. */
function expectSendable({ localPart, asciiDomain, requiresSmtputf8 }: EmailAddress): void {
  const octets = Buffer.byteLength(localPart);
  expectSame(octets <= 64 && octets + 1 + asciiDomain.length <= 254, true);
  expectSame(localPart.normalize('NFC'), localPart);
  expectSame(/\p{Cs}/u.test(localPart), false);
  expectSame(/^[!-~]+$/.test(asciiDomain), true);
  expectSame(requiresSmtputf8, octets > localPart.length);
}

/** Asserts that a deliverable address, without surrounding spaces, is a mailbox of RFC 5321 with the same parts, and safe to use. */
function expectStricter(deliverable: EmailAddress, mailbox: EmailAddress | null): void {
  expectSame(mailbox, deliverable);
  expectSame(/[\s\p{Cc}\p{Cs}<>",;:\\()[\]]/u.test(deliverable.localPart), false);
  expectSame(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(deliverable.asciiDomain), true);
}

/** `expect` alone would take longer than the code under test. */
function expectSame(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected);
}

test('parsing does not depend on earlier addresses', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 2, maxLength: 20 }), (texts) => {
      const first = texts.map((text) => parseAddress(text));
      for (const text of texts) parseAddress(text.toUpperCase(), 'rfc5321');
      for (const text of texts) parseAddress(`someone@${text.slice(text.indexOf('@') + 1)}`, 'rfc5321');
      expectSame(
        texts.map((text) => parseAddress(text)),
        first,
      );
    }),
    { seed: takeSeedNumber(), numRuns: randomRuns(10_000) },
  );
});

/** From the RFCs that reserve them, independent of the code under test. */
function isSpecialUse(domain: string): boolean {
  return /\.(?:test|example|invalid|localhost|local|onion|alt|internal|arpa)$/i.test(domain);
}

test('a valid address keeps its local part, with its domain in lower case', () => {
  fc.assert(
    fc.property(dotString, fc.domain(), fc.boolean(), (localPart, domain, isUpper) => {
      fc.pre(localPart.length + domain.length < 254);
      // fast-check generates names such as `a.alt` as domains, but RFC 9476 excludes them from DNS.
      fc.pre(!isSpecialUse(domain));
      const typed = `${localPart}@${isUpper ? domain.toUpperCase() : domain}`;
      expect(addressOf(typed, 'deliverable')?.normalised).toBe(`${localPart}@${domain.toLowerCase()}`);
    }),
    { seed: takeSeedNumber(), numRuns: randomRuns(10_000) },
  );
});

test('a quoted local part has the key of the same text without quotes, if it needs none', () => {
  fc.assert(
    fc.property(dotString, fc.infiniteStream(fc.boolean()), (localPart, escapes) => {
      const escaped = Array.from(localPart, (letter) => (escapes.next().value ? `\\${letter}` : letter));
      const quoted = `"${escaped.join('')}"`;
      fc.pre(quoted.length <= 64);
      expect(addressOf(`${quoted}@x.org`, 'rfc5321')?.normalised).toBe(`${localPart}@x.org`);
    }),
    { seed: takeSeedNumber(), numRuns: randomRuns(10_000) },
  );
});

const millionChars = 1_000_000;
const growing = [
  'a',
  '.',
  '@',
  'a.',
  '"',
  '\\"',
  ' ',
  ' a',
  'ü',
  'a\u0301',
  '한',
  '\ud800',
  '\0',
  '[',
  ':',
  '\u200c',
];

/** Generous: the slowest takes a few milliseconds, and quadratic code would take an hour. */
const megabyteMsMax = 10_000;

test.each(profiles)('a megabyte of text is rejected at once: %s', (profile) => {
  for (const part of growing) {
    const filler = part.repeat(millionChars / part.length);
    for (const text of [filler, `${filler}@example.com`, `"${filler}"@example.com`, `jane@${filler}.com`]) {
      const startedAt = performance.now();
      expect(parseAddress(text, profile).kind).toBe('invalid');
      expect(performance.now() - startedAt).toBeLessThan(megabyteMsMax);
    }
  }
});

function addressOf(text: string, profile: AddressProfile): EmailAddress | null {
  const parsed = parseAddress(text, profile);
  return parsed.kind === 'address' ? parsed.address : null;
}
