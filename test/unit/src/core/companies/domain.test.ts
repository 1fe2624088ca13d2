import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeSeedNumber } from '../../../../support/seed-number.ts';
import {
  parseDomain,
  registrableDomainOf,
  registrableLabel,
} from '../../../../../src/core/companies/domain.ts';

describe('parseDomain', () => {
  test.each([
    ['nike.com', 'nike.com'],
    ['  NIKE.COM \n', 'nike.com'],
    ['www.nike.com', 'nike.com'],
    ['nike.com.', 'nike.com'],
    ['https://www.Nike.com/path?x=1#y', 'nike.com'],
    ['https://nike.com:8443/x', 'nike.com'],
    ['//nike.com/x', 'nike.com'],
    ['nike.com/de/schuhe', 'nike.com'],
    ['shop.nike.co.uk', 'nike.co.uk'],
    ['https://www.tiktok.com/@nike', 'tiktok.com'],
    ['jo@acme.com', 'acme.com'],
    ['mailto:jo@mail.acme.com', 'acme.com'],
    ['_dmarc.nike.com', 'nike.com'],
  ])('parses %j to the registrable domain %s', (text, domain) => {
    expect(parseDomain(text)).toEqual({ kind: 'domain', domain });
  });

  test.each([
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['MÜNCHEN.DE', 'xn--mnchen-3ya.de'],
    ['https://www.münchen.de:8080/ä?ö#ü', 'xn--mnchen-3ya.de'],
    ['jo@münchen.de', 'xn--mnchen-3ya.de'],
    ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
    ['straße.de', 'xn--strae-oqa.de'],
    ['STRAẞE.de', 'xn--strae-oqa.de'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['nike．com', 'nike.com'],
    ['nike。com', 'nike.com'],
    ['ni\u00adke.com\u200b', 'nike.com'],
  ])('parses an internationalized domain to its ASCII form: %j to %s', (text, domain) => {
    expect(parseDomain(text)).toEqual({ kind: 'domain', domain });
  });

  test.each([
    ['foo.github.io', 'foo.github.io'],
    ['www.foo.github.io', 'foo.github.io'],
    ['myshop.myshopify.com', 'myshop.myshopify.com'],
    ['github.io', 'github.io'],
    ['www.wordpress.com', 'wordpress.com'],
  ])('respects private suffixes, and accepts the domain of their owner: %s is %s', (text, domain) => {
    expect(parseDomain(text)).toEqual({ kind: 'domain', domain });
  });

  test.each([
    ['', 'not a domain: empty'],
    ['192.168.1.1', 'not a domain: an IP address'],
    ['http://192.168.1.1:80/', 'not a domain: an IP address'],
    ['http://[::1]/', 'not a domain: an IP address'],
    ['2001:db8::1', 'not a domain: an IP address'],
    ['localhost', 'not a domain: no dot in it'],
    ['2130706433', 'not a domain: no dot in it'],
    ['com', 'not a domain: no dot in it'],
    ['co.uk', 'not a domain: "co.uk" is an ending that many share'],
    ['acme.evil', 'not a domain: unknown ending ".evil"'],
    ['acme.local', 'not a domain: unknown ending ".local"'],
    ['127.1', 'not a domain: unknown ending ".1"'],
    [
      `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
      'not a domain: longer than 253 characters',
    ],
    ['x'.repeat(9_000), 'not a domain: too long'],
    ['ni\0ke.com', 'not a domain: control or broken characters'],
    ['nike.com\r\nHost: evil.org', 'not a domain: control or broken characters'],
    ['\ud800nike.com', 'not a domain: control or broken characters'],
    ['not a domain', 'not a domain: blanks in it'],
    ['nike.com,adidas.com', 'not a domain: more than one, or a list separator in it'],
    ['https://bank.com@evil.org/', 'not a domain: a link with a user name in it'],
    ['https://jo:secret@nike.com', 'not a domain: a link with a user name in it'],
    ['jo@bank.com@evil.org', 'not a domain: a link with a user name in it'],
    ['nike..com', 'not a domain: characters that a domain cannot have'],
    ['-nike.com', 'not a domain: characters that a domain cannot have'],
    ['na_me.com', 'not a domain: characters that a domain cannot have'],
    ['%6eike.com', 'not a domain: characters that a domain cannot have'],
    ['xn--a.com', 'not a domain: characters that a domain cannot have'],
    [`${'a'.repeat(64)}.com`, 'not a domain: characters that a domain cannot have'],
    ['javascript:alert(1)', 'not a domain: characters that a domain cannot have'],
    ['jo@', 'not a domain: characters that a domain cannot have'],
  ])('rejects %j: %s', (text, reason) => {
    expect(parseDomain(text)).toEqual({ kind: 'not_a_domain', reason });
  });

  test('does not repeat a secret of a rejected link in the reason', () => {
    expect(JSON.stringify(parseDomain('https://jo:secret@nike.com'))).not.toContain('secret');
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.emailAddress(), fc.domain()), (text) => {
        const parsed = parseDomain(text);
        if (parsed.kind === 'domain') expect(parseDomain(parsed.domain)).toEqual(parsed);
      }),
    );
  });

  test('returns a lower-case ASCII domain or a short reason for any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.domain().map((domain) => `ü${domain}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseDomain(text);
        if (parsed.kind === 'domain') expect(parsed.domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
        else expect(parsed.reason.length).toBeLessThan(330);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('registrableLabel', () => {
  test.each([
    ['nike.com', 'nike'],
    ['nike.co.uk', 'nike'],
    ['foo.github.io', 'foo'],
    ['wordpress.com', 'wordpress'],
    ['xn--mnchen-3ya.de', 'münchen'],
    ['xn--e1afmkfd.xn--p1ai', 'пример'],
    ['coca-cola.com', 'coca-cola'],
  ])('returns the label of %s: %s', (domain, label) => {
    expect(registrableLabel(domain)).toBe(label);
  });
});

test('registrableDomainOf returns the same as parseDomain for a well-formed lower-case host name', () => {
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/);
  const ending = fc.constantFrom(
    ...[
      'com',
      'co.uk',
      'github.io',
      'www.ck',
      'com.ck',
      '1',
      '0x7f',
      'xn--p1ai',
      'localhost',
      'blogspot.com',
    ],
  );
  const host = fc
    .tuple(fc.array(fc.oneof(label, fc.constantFrom('www', 'xn--mnchen-3ya', 'xn--a', '127', '1'))), ending)
    .map(([labels, end]) => [...labels, end].join('.'));
  fc.assert(
    fc.property(host, (name) => {
      const parsed = parseDomain(name);
      expect(registrableDomainOf(name)).toBe(parsed.kind === 'domain' ? parsed.domain : null);
    }),
    { seed: takeSeedNumber(), numRuns: 5_000 },
  );
});
