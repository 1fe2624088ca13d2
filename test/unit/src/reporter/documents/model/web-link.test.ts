import { expect, test } from 'vitest';
import { webLink } from '../../../../../../src/reporter/documents/model/web-link.ts';
import { addresses } from '../../../../../support/xss/addresses.ts';

test('web URL becomes a link with its host', () => {
  expect(webLink('https://www.nike.com/shop?ad=1&x=2#top')).toEqual({
    href: 'https://www.nike.com/shop?ad=1&x=2#top',
    host: 'nike.com',
  });
  expect(webLink('http://127.0.0.1:8080/')).toEqual({
    href: 'http://127.0.0.1:8080/',
    host: '127.0.0.1:8080',
  });
});

test('host with lookalike letters shows as punycode', () => {
  expect(webLink('https://аррӏе.com/')?.host).toBe('xn--80ak6aa92e.com');
});

test.each([
  null,
  '',
  'nike.com',
  '/shop',
  '#top',
  'mailto:a@nike.com',
  'ftp://nike.com/',
  'https:nike.com',
  'https:\\\\nike.com\\',
  'https://user:secret@nike.com/',
  'https://nike.com@evil.example/',
  'https://nike.com/a b',
  'https://nike.com/\u202egpj.exe',
  `https://nike.com/${'x'.repeat(2000)}`,
])('%j does not become a link', (address) => {
  expect(webLink(address)).toBeNull();
});

test('only web URLs among hostile addresses become links', () => {
  for (const address of addresses) {
    const link = webLink(address);
    if (link !== null) expect(link.href).toMatch(/^https?:\/\/[a-z0-9.]+\//);
  }
});
