import fc from 'fast-check';
import { toASCII } from 'tr46';
import { describe, expect, test } from 'vitest';
import { parseDomainName } from '../../../../../../src/core/emails/syntax/idna.ts';
import { takeSeedNumber } from '../../../../../support/seed-number.ts';

describe('a domain name', () => {
  test.each([
    ['example.com', 'example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com', 'example.com'],
    ['localhost', 'localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
    ['r3---sn-x.com', 'r3---sn-x.com', 'r3---sn-x.com'],
    ['r3---sn-x.münchen.de', 'r3---sn-x.xn--mnchen-3ya.de', 'r3---sn-x.münchen.de'],
    ['münchen.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['MU\u0308NCHEN.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['ｘｎ－－mnchen-3ya.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['faß.de', 'xn--fa-hia.de', 'faß.de'],
    ['βόλος.gr', 'xn--nxasmm1c.gr', 'βόλος.gr'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['a．b｡c', 'a.b.c', 'a.b.c'],
    ['한국', 'xn--3e0b707e', '한국'],
    ['ᄒ\u1161ᆫ국', 'xn--3e0b707e', '한국'],
    ['مثال', 'xn--mgbh0fb', 'مثال'],
    ['אבג.com', 'xn--4dbcd.com', 'אבג.com'],
    ['\u{10330}a', 'xn--a-ie2i', '\u{10330}a'],
  ])('%s is %s in ASCII and %s in Unicode', (text, ascii, unicode) => {
    expect(parseDomainName(text)).toEqual({ kind: 'domain', ascii, unicode });
  });

  test('has at most 253 characters', () => {
    const name = `${`${'a'.repeat(62)}.`.repeat(4)}a`;
    expect(name).toHaveLength(253);
    expect(parseDomainName(name).kind).toBe('domain');
    expect(reasonOf(`${name}a`)).toBe('address_too_long');
  });

  test('has labels of at most 63 characters in ASCII', () => {
    expect(parseDomainName('a'.repeat(63)).kind).toBe('domain');
    expect(reasonOf('a'.repeat(64))).toBe('domain_label_too_long');
    expect(parseDomainName(`${'a'.repeat(55)}ü`)).toMatchObject({ kind: 'domain' });
    expect(reasonOf(`${'a'.repeat(56)}ü`)).toBe('domain_label_too_long');
    expect(parseDomainName('\u1100\u1161\u11a8'.repeat(20)).kind).toBe('domain');
  });
});

test('a name of Latin, Greek or Cyrillic characters has the A-labels of UTS #46', () => {
  const strict = { useSTD3ASCIIRules: true, checkBidi: true, checkJoiners: true };
  const character = fc.integer({ min: 0x61, max: 0x53f }).map((code) => String.fromCharCode(code));
  const mark = fc.constantFrom('\u0301', '\u0308', '\u0345', '-', '.', 'a', 'z', 'ü');
  const text = fc
    .array(fc.oneof(character, mark), { minLength: 1, maxLength: 5 })
    .map((each) => each.join(''));
  let taken = 0;
  fc.assert(
    fc.property(text, (typed) => {
      const name = parseDomainName(typed);
      if (name.kind === 'invalid') return;
      taken += 1;
      expect(name.ascii).toBe(toASCII(typed, strict));
      expect(name.unicode).toBe(name.unicode.normalize('NFC').toLowerCase());
    }),
    { seed: takeSeedNumber(), numRuns: 5_000 },
  );
  expect(taken).toBeGreaterThan(500);
});

describe('a character with a context rule (RFC 5892, appendix A)', () => {
  test.each([
    ['middle dot between two l', 'l·l', 'col·legi'],
    ['keraia before Greek', '͵α', 'a͵β'],
    ['geresh after Hebrew', 'א׳', 'א׳ב'],
    ['gershayim after Hebrew', 'א״ב', 'אב״'],
    ['katakana middle dot next to kana or Han', 'ア・ア', '・あ', 'a・丈'],
    ['Arabic-Indic digits', 'ب٠', 'ب٠٩'],
    ['extended Arabic-Indic digits', 'ب۰', 'ب۰۹'],
    ['zero-width joiner after a virama', 'क्\u200dष'],
    ['zero-width non-joiner after a virama, or between letters that join', 'क्\u200cष', 'بي\u200cبي'],
    ['joiner after the virama of Khmer', 'ក្\u200dក'],
  ])('%s is allowed in its context', (_case, ...names) => {
    for (const name of names) expect(parseDomainName(name)).toMatchObject({ kind: 'domain', unicode: name });
  });

  test.each([
    ['middle dot elsewhere', '·l', 'l·', 'a·l', 'l·a', 'l··l'],
    ['keraia not before Greek', 'α͵', 'α͵b', '͵'],
    ['geresh not after Hebrew', '׳א', 'a׳', '׳'],
    ['gershayim not after Hebrew', '״א', 'a״'],
    ['katakana middle dot in Latin', '・', 'a・b'],
    ['both kinds of Arabic digits', 'ب٠۰', 'ب۰٠'],
    ['zero-width joiner elsewhere', 'क\u200dष', '\u200dष', 'a\u200db'],
    ['zero-width non-joiner elsewhere', 'a\u200cb', 'क्\u200cषx\u200cy', '\u200cب'],
  ])('%s is rejected outside of its context', (_case, ...names) => {
    for (const name of names) expect(reasonOf(name)).toBe('idna_invalid');
  });
});

describe('text outside of IDNA 2008', () => {
  test.each([
    ['symbols', '☃', '♥', '€uro', '√'],
    ['emoji', '😀', 'i❤'],
    ['punctuation', 'a…b', 'a–b', '“a”', '¿que'],
    ['letter-like numbers and marks for symbols', 'ↀ', 'a\u20dd'],
    ['music', '\u{1d100}', 'a\u{1d165}'],
    ['parts of Hangul syllables', '\u1100', '\u1161', '\ua960'],
    ['the exceptions of RFC 5892 §2.6', 'بـ', '\u07fa', '한\u302e', '\u3031', '\u303b'],
    ['the digit that Unicode reclassified (RFC 6452)', '\u19da'],
    ['unassigned and private code points', '\u0378', '\ue000', '\u{1fffd}'],
  ])('is rejected in a domain name: %s', (_case, ...names) => {
    for (const name of names) expect(reasonOf(name)).toBe('idna_invalid');
  });

  test.each(['ß', 'ς', '۽', '۾', '་', '〇'])(
    'does not include %s, by an exception of RFC 5892 §2.6',
    (name) => {
      expect(parseDomainName(name)).toMatchObject({ kind: 'domain', unicode: name });
    },
  );

  test.each([
    ['starts with a mark', '\u0301a', '\u0903a', '\u0488a'],
    ['has hyphens at positions three and four', 'üb--er', 'xn--b--er-jva'],
    ['mixes directions', 'aא', 'א1a', '1א', 'א0٠', '0a.א'],
  ])('includes a label that %s', (_case, ...names) => {
    for (const name of names) expect(reasonOf(name)).toBe('idna_invalid');
  });
});

describe('an xn-- label that is not an A-label', () => {
  test.each([
    ['encodes nothing', 'xn--'],
    ['encodes ASCII', 'xn--example-'],
    ['is not Punycode', 'xn--x', 'xn--a-é'],
    ['is not the canonical encoding', 'xn---9uc'],
    ['encodes a capital letter', 'xn--wca'],
    ['encodes a disallowed character', 'xn--n3h', 'xn--7a'],
    ['encodes text that is not in NFC', 'xn--munchen-gie'],
    ['encodes an A-label', 'xn--xn---epa'],
    ['encodes a wrong mix of directions', 'xn--a-0hc'],
    ['encodes half of a surrogate pair', 'xn--ib9b'],
    ['encodes a code point beyond Unicode', 'xn--99999999'],
  ])('is rejected if it %s', (_case, ...names) => {
    for (const name of names) expect(reasonOf(name)).toBe('idna_invalid');
  });
});

describe('a text that is not a domain name', () => {
  test.each([
    ['', 'domain_invalid'],
    ['.', 'domain_invalid'],
    ['。', 'domain_invalid'],
    ['example.', 'domain_invalid'],
    ['ü。', 'domain_invalid'],
    ['.example', 'domain_invalid'],
    ['a..b', 'domain_invalid'],
    ['-a', 'domain_invalid'],
    ['a-', 'domain_invalid'],
    ['-ü', 'domain_invalid'],
    ['ü-', 'domain_invalid'],
    ['a_b', 'domain_invalid'],
    ['a/b', 'domain_invalid'],
    ['a@b', 'domain_invalid'],
    ['[::1]', 'domain_invalid'],
    ['ü%', 'domain_invalid'],
    ['℀.com', 'idna_invalid'],
    ['a b', 'unsafe_characters'],
    ['a\u3000b', 'unsafe_characters'],
    ['a\n', 'unsafe_characters'],
    ['a\u00adb', 'unsafe_characters'],
    ['a\u034fb', 'unsafe_characters'],
    ['\ud800', 'unsafe_characters'],
  ])('%j is rejected: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });
});

test('both spellings of a name parse as the same name', () => {
  fc.assert(
    fc.property(names, (text) => {
      const name = parseDomainName(text);
      if (name.kind === 'invalid') return;
      expect(parseDomainName(name.ascii)).toEqual(name);
      expect(parseDomainName(name.unicode)).toEqual(name);
      expect(name.ascii).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/);
    }),
    { seed: takeSeedNumber(), numRuns: 5_000 },
  );
});

const letters = fc.constantFrom(
  ...'abx09-ßäéñlςαβאבجيب٠۰कषンあ丈한국·͵׳・',
  '\u200c',
  '\u200d',
  '\u094d',
  '\u0301',
  '\u{10330}',
);
const label = fc.oneof(
  fc.string({ unit: letters, minLength: 1, maxLength: 6 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
  fc.stringMatching(/^xn--[a-z0-9-]{1,8}$/),
);
const names = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));

function reasonOf(text: string): string {
  const name = parseDomainName(text);
  return name.kind === 'invalid' ? name.reason : `none: ${name.ascii}`;
}
