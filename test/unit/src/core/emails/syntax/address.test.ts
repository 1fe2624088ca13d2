import { describe, expect, test } from 'vitest';
import {
  formatAddress,
  parseAddress,
  type AddressProfile,
  type EmailAddress,
} from '../../../../../../src/core/emails/syntax/address.ts';

const longestLocal = 'a'.repeat(64);
const longestLabel = 'b'.repeat(63);
/** 189 characters: with a local part of 64 and an @, the longest possible address. */
const longDomain = `${longestLabel}.${longestLabel}.${'c'.repeat(57)}.org`;

describe('an address as users type it', () => {
  test.each([
    ['jane@example.com', 'jane@example.com'],
    ['Jane.Doe@Example.COM', 'Jane.Doe@example.com'],
    ['  jane@example.com\n', 'jane@example.com'],
    ['\u3000jane@example.com\u00a0', 'jane@example.com'],
    ['jane+news@mail.example.co.uk', 'jane+news@mail.example.co.uk'],
    ["o'neil@example.com", "o'neil@example.com"],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['1@x.io', '1@x.io'],
    ['jane@3m.com', 'jane@3m.com'],
    ['jane@123.com', 'jane@123.com'],
    ['jane@r3---sn.example.com', 'jane@r3---sn.example.com'],
    ['jane@a.b.c.d.example.com', 'jane@a.b.c.d.example.com'],
    ['jane@xn--mnchen-3ya.de', 'jane@münchen.de'],
    ['jane@MÜNCHEN.de', 'jane@münchen.de'],
    ['jane@mu\u0308nchen.de', 'jane@münchen.de'],
    ['jane@faß.de', 'jane@faß.de'],
    ['jane@ｅｘａｍｐｌｅ．com', 'jane@example.com'],
    ['jane@例え。jp', 'jane@例え.jp'],
    ['жанна@пример.рф', 'жанна@пример.рф'],
    ['rene\u0301@example.com', 'rené@example.com'],
    ['ශ්\u200dරී@example.com', 'ශ්\u200dරී@example.com'],
    ['می\u200cخواهم@example.com', 'می\u200cخواهم@example.com'],
    [`${longestLocal}@example.com`, `${longestLocal}@example.com`],
    [`${'ü'.repeat(32)}@example.com`, `${'ü'.repeat(32)}@example.com`],
    [`jane@${longestLabel}.com`, `jane@${longestLabel}.com`],
    [`${longestLocal}@${longDomain}`, `${longestLocal}@${longDomain}`],
  ])('%j parses as %s', (text, normalised) => {
    expect(addressOf(text).normalised).toBe(normalised);
  });

  test('has the local part as given, the domain in both spellings, and the registrable domain', () => {
    expect(parseAddress('Jane.Doe@Mail.MÜNCHEN.de')).toEqual({
      kind: 'address',
      address: {
        localPart: 'Jane.Doe',
        domain: 'mail.münchen.de',
        asciiDomain: 'mail.xn--mnchen-3ya.de',
        registrableDomain: 'xn--mnchen-3ya.de',
        normalised: 'Jane.Doe@mail.münchen.de',
        requiresSmtputf8: false,
      },
    });
  });

  test('keeps the case of its local part', () => {
    expect(addressOf('JANE@EXAMPLE.COM').normalised).toBe('JANE@example.com');
  });

  test('has one key for both spellings of its domain', () => {
    expect(addressOf('jane@xn--fa-hia.de').normalised).toBe(addressOf('jane@FAß.de').normalised);
    expect(addressOf('jane@fass.de').normalised).not.toBe(addressOf('jane@faß.de').normalised);
  });

  test('needs SMTPUTF8 only for its local part', () => {
    expect(addressOf('жанна@example.com').requiresSmtputf8).toBe(true);
    expect(addressOf('jane@пример.рф').requiresSmtputf8).toBe(false);
  });

  test('has no registrable domain without a known suffix', () => {
    expect(addressOf('jane@example.nosuchending').registrableDomain).toBeNull();
  });
});

describe('text that is not a deliverable address', () => {
  test.each([
    ['', 'missing_at'],
    ['jane', 'missing_at'],
    ['example.com', 'missing_at'],
    ['jane at example.com', 'missing_at'],
    ['jane＠example.com', 'missing_at'],
    ['@example.com', 'local_part_empty'],
    ['@', 'local_part_empty'],
    ['jane@', 'domain_invalid'],
    ['.jane@example.com', 'local_part_invalid'],
    ['jane.@example.com', 'local_part_invalid'],
    ['jane..doe@example.com', 'local_part_invalid'],
    ['.@example.com', 'local_part_invalid'],
    ['jane@doe@example.com', 'domain_invalid'],
    ['"jane"@example.com', 'quoted_local_not_allowed'],
    ['"jane doe"@example.com', 'quoted_local_not_allowed'],
    ['"jane@example.com', 'local_part_invalid'],
    ['"jane"doe@example.com', 'local_part_invalid'],
    ['<jane@example.com>', 'local_part_invalid'],
    ['Jane <jane@example.com>', 'unsafe_characters'],
    ['jane(work)@example.com', 'local_part_invalid'],
    ['jane,john@example.com', 'local_part_invalid'],
    ['jane;john@example.com', 'local_part_invalid'],
    ['jane\u037ejohn@example.com', 'local_part_invalid'],
    ['mailto:jane@example.com', 'local_part_invalid'],
    ['jane\\@example.com', 'local_part_invalid'],
    [`${longestLocal}a@example.com`, 'local_part_too_long'],
    [`${'ü'.repeat(33)}@example.com`, 'local_part_too_long'],
    [`${longestLocal}@${longDomain.replace('org', 'info')}`, 'address_too_long'],
    [`jane@${`${'a'.repeat(60)}.`.repeat(4)}example.com`, 'address_too_long'],
    [`jane@${longestLabel}b.com`, 'domain_label_too_long'],
    [`jane@${'ü'.repeat(60)}.com`, 'domain_label_too_long'],
    ['jane@localhost', 'dotless_domain'],
    ['jane@com', 'dotless_domain'],
    ['jane@example..com', 'domain_invalid'],
    ['jane@.example.com', 'domain_invalid'],
    ['jane@example.com.', 'domain_invalid'],
    ['jane@münchen.de。', 'domain_invalid'],
    ['jane@-example.com', 'domain_invalid'],
    ['jane@example-.com', 'domain_invalid'],
    ['jane@-münchen.de', 'domain_invalid'],
    ['jane@exam_ple.com', 'domain_invalid'],
    ['jane@exam%70le.com', 'domain_invalid'],
    ['jane@127.0.0.1', 'domain_invalid'],
    ['jane@１２７.0.0.1', 'domain_invalid'],
    ['jane@example.1', 'domain_invalid'],
    ['jane@[127.0.0.1]', 'domain_literal_not_allowed'],
    ['jane@[IPv6:::1]', 'domain_literal_not_allowed'],
    ['jane@[127.0.0.256]', 'domain_invalid'],
    ['jane@xn--a.com', 'idna_invalid'],
    ['jane@☃.net', 'idna_invalid'],
    ['jane@a\u05d0.com', 'idna_invalid'],
    ['jane@exa\0mple.com', 'unsafe_characters'],
    ['jane@exa mple.com', 'unsafe_characters'],
    ['jane@exa\u00admple.com', 'unsafe_characters'],
    ['jane@exa\u200bmple.com', 'unsafe_characters'],
    ['jane\r\nRCPT TO:<eve@evil.org>@example.com', 'unsafe_characters'],
    ['jane@example.com\r\nDATA\r\nx', 'unsafe_characters'],
    ['ja ne@example.com', 'unsafe_characters'],
    ['ja\u00a0ne@example.com', 'unsafe_characters'],
    ['ja\u0085ne@example.com', 'unsafe_characters'],
    ['ja\u200bne@example.com', 'unsafe_characters'],
    ['ja\u200dne@example.com', 'unsafe_characters'],
    ['\u200djane@example.com', 'unsafe_characters'],
    ['ja\ufe0fne@example.com', 'unsafe_characters'],
    ['ja\u3164ne@example.com', 'unsafe_characters'],
    ['jane\u202e@example.com', 'unsafe_characters'],
    ['ja\uffffne@example.com', 'unsafe_characters'],
    ['ja\ud800ne@example.com', 'unsafe_characters'],
    ['jane@ex\udc00ample.com', 'unsafe_characters'],
  ])('%j is rejected: %s', (text, reason) => {
    expect(parseAddress(text)).toEqual({ kind: 'invalid', reason });
  });

  test.each([
    ['test', 'example', 'invalid', 'a.localhost', 'local', 'onion', 'alt', 'internal', 'arpa', 'home.arpa'],
    ['TEST', 'ｔｅｓｔ'],
  ])('has a domain below a reserved name: .%s', (...endings) => {
    for (const ending of endings) {
      expect(parseAddress(`jane@mail.${ending}`)).toEqual({ kind: 'invalid', reason: 'special_use_domain' });
    }
  });

  test.each(['example.com', 'example.net', 'example.org', 'test.com', 'local.de'])(
    'does not include an address of a domain that DNS can have: %s',
    (domain) => {
      expect(addressOf(`jane@${domain}`).asciiDomain).toBe(domain);
    },
  );

  test.each(['/x', '?x', '#x', '\\x', ':25', '%2ecom', '*', '<x', ';x', '_x', '@x', '(x)'])(
    'has %j after an internationalized or ASCII domain',
    (rest) => {
      for (const domain of ['münchen.de', 'example.com']) {
        expect(parseAddress(`jane@${domain}${rest}`)).toEqual({ kind: 'invalid', reason: 'domain_invalid' });
      }
    },
  );
});

describe('a mailbox of RFC 5321', () => {
  test.each([
    ['jane@example.com', 'jane@example.com'],
    ['jane@localhost', 'jane@localhost'],
    ['jane@127.0.0.1', 'jane@127.0.0.1'],
    ['jane@mail.test', 'jane@mail.test'],
    ['"jane"@x.org', 'jane@x.org'],
    ['"j\\ane"@x.org', 'jane@x.org'],
    ['"jane doe"@x.org', '"jane doe"@x.org'],
    ['"jane\\ doe"@x.org', '"jane doe"@x.org'],
    ['"jane..doe"@x.org', '"jane..doe"@x.org'],
    ['"jane.doe"@x.org', 'jane.doe@x.org'],
    ['"jane@doe"@x.org', '"jane@doe"@x.org'],
    ['"\\"\\\\"@x.org', '"\\"\\\\"@x.org'],
    ['"\\\\a"@x.org', '"\\\\a"@x.org'],
    ['""@x.org', '""@x.org'],
    ['"жанна"@x.org', 'жанна@x.org'],
    ['jane@[192.0.2.1]', 'jane@[192.0.2.1]'],
    ['\u0085@x.org', '\u0085@x.org'],
    ['\uffff@x.org', '\uffff@x.org'],
    ['\u00a0@x.org', '\u00a0@x.org'],
    [`"${'a'.repeat(62)}"@x.org`, `${'a'.repeat(62)}@x.org`],
    ['e\u0301@x.org', 'é@x.org'],
  ])('%j is valid, normalised as %s', (text, normalised) => {
    expect(addressOf(text, 'rfc5321').normalised).toBe(normalised);
  });

  test('keeps the quotes of its local part', () => {
    const address = addressOf('"j\\ane"@EXAMPLE.com', 'rfc5321');
    expect(address.localPart).toBe('"j\\ane"');
    expect(formatAddress(address)).toBe('"j\\ane"@example.com');
  });

  test('can have an address literal as its domain', () => {
    expect(addressOf('jane@[IPv6:2001:DB8::1]', 'rfc5321')).toMatchObject({
      domain: '[IPv6:2001:DB8::1]',
      asciiDomain: '[IPv6:2001:DB8::1]',
      registrableDomain: null,
    });
  });

  test.each([
    [' jane@x.org', 'unsafe_characters'],
    ['jane@x.org ', 'unsafe_characters'],
    ['jane@x.org\u00a0', 'unsafe_characters'],
    ['jane@x.org.', 'domain_invalid'],
    ['jane@x.org(comment)', 'domain_invalid'],
    ['(comment)jane@x.org', 'local_part_invalid'],
    ['jane.(comment)doe@x.org', 'local_part_invalid'],
    ['"jane".doe@x.org', 'local_part_invalid'],
    ['"jane"."doe"@x.org', 'local_part_invalid'],
    ['"jane"x@x.org', 'local_part_invalid'],
    ['"ja"ne"@x.org', 'local_part_invalid'],
    ['"jane\\"@x.org', 'local_part_invalid'],
    ['"jane@x.org\\', 'local_part_invalid'],
    ['"jane\\ü"@x.org', 'local_part_invalid'],
    ['"ja\tne"@x.org', 'unsafe_characters'],
    ['"ja\\\tne"@x.org', 'unsafe_characters'],
    ['"ja\u007fne"@x.org', 'unsafe_characters'],
    [`"${'a'.repeat(63)}"@x.org`, 'local_part_too_long'],
    ['jane@x_y.org', 'domain_invalid'],
    ['\ud800@x.org', 'unsafe_characters'],
  ])('%j is rejected: %s', (text, reason) => {
    expect(parseAddress(text, 'rfc5321')).toEqual({ kind: 'invalid', reason });
  });

  test.each([
    '192.0.2.1',
    '255.255.255.255',
    '0.0.0.0',
    '001.002.003.004',
    'IPv6:1:2:3:4:5:6:7:8',
    'ipv6:::1',
    'IPV6:::',
    'IPv6:1::',
    'IPv6:1:2:3:4:5:6::',
    'IPv6:1:2:3::4:5:6',
    'IPv6:ABCD:ef01::',
    'IPv6:1:2:3:4:5:6:192.0.2.1',
    'IPv6:::192.0.2.1',
    'IPv6:1:2:3:4::192.0.2.1',
  ])('[%s] is an address literal', (literal) => {
    expect(addressOf(`jane@[${literal}]`, 'rfc5321').asciiDomain).toBe(`[${literal}]`);
  });

  test.each([
    '',
    '192.0.2',
    '192.0.2.1.5',
    '192.0.2.256',
    '192.0.2.0001',
    '192.0..1',
    '192.0.2.x',
    '1:2:3:4:5:6:7:8',
    'IPv6:',
    'IPv6:1:2:3:4:5:6:7',
    'IPv6:1:2:3:4:5:6:7:8:9',
    'IPv6:1:2:3:4:5:6::7',
    'IPv6:1::2::3',
    'IPv6::1:2:3:4:5:6:7',
    'IPv6:1:2:3:4:5:6:7:',
    'IPv6::::1',
    'IPv6:12345::',
    'IPv6:g::',
    'IPv6:fe80::1%eth0',
    'IPv6:1:2:3:4:5:192.0.2.1',
    'IPv6:1:2:3:4:5::192.0.2.1',
    'IPv6:192.0.2.1::',
    'IPv6:::192.0.2.1:1',
    'IPv6:192.0.2.1',
    'x-tag:content',
    'RFC-5321',
    '192.0.2.1]x',
    '[192.0.2.1]',
  ])('[%s] is not an address literal', (literal) => {
    const refusal = { kind: 'invalid', reason: 'domain_invalid' };
    expect(parseAddress(`jane@[${literal}]`, 'rfc5321')).toEqual(refusal);
    expect(parseAddress(`jane@[${literal}`, 'rfc5321')).toEqual(refusal);
  });
});

function addressOf(text: string, profile?: AddressProfile): EmailAddress {
  const parsed = parseAddress(text, profile);
  if (parsed.kind === 'invalid') throw new Error(`${JSON.stringify(text)} is refused: ${parsed.reason}`);
  return parsed.address;
}
