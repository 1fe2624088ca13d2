import { expect, test } from 'vitest';
import { parseMatchLine } from '../../../../../../src/cli/commands/sources/parse-match-line.ts';

test('a full line is read with all its fields', () => {
  const line = {
    company_name: ' Nike ',
    company_domain: 'https://www.nike.com/de',
    company_country: 'US',
    advertiser_name: 'Nike Retail BV',
    advertiser_legal_name: 'Nike Retail B.V.',
    advertiser_location: 'NL',
    advertiser_verified: true,
    found_by: 'domain',
    ads_count: 34,
    target_domains: ['nike.com'],
    other: {},
  };
  expect(parseMatchLine(JSON.stringify(line))).toEqual({
    kind: 'pair',
    id: undefined,
    company: { name: 'Nike', domain: 'nike.com', country: 'US' },
    advertiser: {
      name: 'Nike Retail BV',
      foundBy: 'domain',
      legalName: 'Nike Retail B.V.',
      location: 'NL',
      verified: true,
      adsCount: 34,
      targetDomains: ['nike.com'],
    },
  });
});

test('a page on a shared host is no domain of the company', () => {
  expect(parseMatchLine('{"company_name": "Acme", "company_domain": "facebook.com/acme"}')).toMatchObject({
    company: { name: 'Acme', domain: null },
  });
});

test.each([
  ['{"company_domain": 1}', '"company_domain" is not a string or null'],
  ['{"advertiser_verified": "yes"}', '"advertiser_verified" is not true, false or null'],
  ['{"ads_count": 1.5}', '"ads_count" is not a whole number'],
  ['{"target_domains": ["a.com", 2]}', '"target_domains" is not an array of strings'],
  ['{"found_by": 1}', '"found_by" is not "domain" or "name"'],
])('%s is rejected: %s', (text, reason) => {
  expect(parseMatchLine(text)).toEqual({ kind: 'invalid', reason });
});
