import { describe, expect, test } from 'vitest';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import type { CompanyMapping } from '../../../../../src/core/companies/company-mapping.ts';
import { ownOnly, relateAds } from '../../../../../src/core/ads/relate.ts';

function ad(advertiserId: string | null, advertiserName: string | null): Ad {
  return {
    advertiserId,
    creativeId: advertiserId === null ? null : 'google:CR1',
    advertiserName,
    format: null,
    originalUrl: null,
    variants: [],
    start: null,
    lastSeen: null,
    text: null,
  };
}

interface SearchedCompany {
  readonly name?: string;
  readonly domain?: string;
  readonly mapping?: CompanyMapping;
}

/** Relations of advertisers with these names, in a search by the domain; ids by position. */
function related({ name, domain, mapping = [] }: SearchedCompany, ...names: readonly (string | null)[]) {
  const search = { company: { name: name ?? null }, mapping, searchedDomain: domain ?? null };
  const ads = names.map((each, i) => ad(`google:AR${i + 1}`, each));
  return relateAds(search, ads).map(({ relation }) => relation);
}

describe('relation of an ad in a search by domain', () => {
  test.each([
    ['Nike, Inc.', 'own'],
    ['Nike Retail BV', 'own'],
    ['NIKE', 'own'],
    ['유한회사 나이키코리아', 'third_party'],
    ['Nikey', 'third_party'],
    ['Bio Nike', 'third_party'],
    ['Foot Locker', 'third_party'],
    ['', 'unknown'],
    ['???', 'unknown'],
    [null, 'unknown'],
  ])('to nike.com is, for %j: %s', (name, relation) => {
    expect(related({ domain: 'nike.com' }, name)).toEqual([relation]);
  });

  test.each([
    ['coca-cola.com', 'Coca Cola Hellenic', 'own'],
    ['coca-cola.com', 'Coca', 'third_party'],
    ['mueller.de', 'Müller Handels GmbH', 'own'],
    ['münchen.de', 'Munchen Tourismus', 'own'],
    ['brd.ro', 'Publicis Media', 'third_party'],
  ])('to %s is, for %s: %s', (domain, name, relation) => {
    expect(related({ domain }, name)).toEqual([relation]);
  });

  test('is own if the advertiser has the name that was searched with the domain', () => {
    const search = { domain: 'brd.ro', name: 'Groupe Société Générale SA' };
    expect(related(search, 'GROUPE SOCIETE GENERALE')).toEqual(['own']);
    expect(related(search, 'Groupe Societe Generale Romania')).toEqual(['own']);
    expect(related(search, 'Groupe Societe', 'Societe Generale')).toEqual(['third_party', 'third_party']);
  });

  test('is the same for all ads of an advertiser: that of its best matching name', () => {
    const ads = [
      ad('google:AR1', null),
      ad('google:AR2', 'Agency'),
      ad('google:AR1', 'Swoosh'),
      ad('google:AR1', 'Nike, Inc.'),
    ];
    const search = { company: { name: null }, mapping: [], searchedDomain: 'nike.com' };
    expect(
      relateAds(search, ads).map(({ ad: { advertiserId }, relation }) => [advertiserId, relation]),
    ).toEqual([
      ['google:AR1', 'own'],
      ['google:AR2', 'third_party'],
      ['google:AR1', 'own'],
      ['google:AR1', 'own'],
    ]);
  });
});

test('the company mapping takes precedence over names', () => {
  const mapping = [
    { advertiserId: 'google:AR1', role: 'deny' },
    { advertiserId: 'google:AR2', role: 'agency' },
    { advertiserId: 'google:AR3', role: 'allow' },
  ] as const;
  const names = ['Nike, Inc.', 'Nike Media', 'Swoosh', 'Nike'];
  expect(related({ domain: 'nike.com', mapping }, ...names)).toEqual(['third_party', 'own', 'own']);
  expect(related({ mapping }, ...names)).toEqual(['third_party', 'own', 'own']);
});

test('every ad of a search by advertiser is an own ad', () => {
  expect(related({ name: 'Nike' }, 'Nike', 'Swoosh', null)).toEqual(['own', 'own', 'own']);
});

test('an ad without an advertiser is an own ad', () => {
  const search = { company: { name: null }, mapping: [], searchedDomain: 'nike.com' };
  expect(relateAds(search, [ad(null, null)])).toMatchObject([{ relation: 'own' }]);
});

describe('the filter of own ads', () => {
  function own({ mapping = [], ...search }: SearchedCompany, ...names: readonly (string | null)[]) {
    const company = { company: { name: null }, mapping, searchedDomain: search.domain ?? null };
    const ads = names.map((each, i) => ad(`google:AR${i + 1}`, each));
    const left = ownOnly(relateAds(company, ads), mapping);
    return left.kind === 'found' ? left.ads.map((each) => each.ad.advertiserName) : left.kind;
  }
  const domain = 'nike.com';

  test('keeps the own ads', () => {
    expect(own({ domain }, 'Agency', 'Nike, Inc.', null, 'Nike')).toEqual(['Nike, Inc.', 'Nike']);
  });

  test('returns no_match if the advertiser of the company is unknown', () => {
    expect(own({ domain }, 'Agency')).toBe('no_match');
    expect(own({ domain }, null)).toBe('no_match');
    expect(own({ domain, mapping: [{ advertiserId: 'google:AR1', role: 'agency' }] }, 'Agency')).toBe(
      'no_match',
    );
    expect(own({ domain, mapping: [{ advertiserId: 'google:AR9', role: 'deny' }] }, 'Agency')).toBe(
      'no_match',
    );
  });

  test('returns none if the operator mapped the company or if there were no ads', () => {
    expect(own({ domain, mapping: [{ advertiserId: 'google:AR9', role: 'allow' }] }, 'Agency')).toBe('none');
    expect(own({ domain, mapping: [{ advertiserId: 'google:AR1', role: 'deny' }] }, 'Agency')).toBe('none');
    expect(own({ domain })).toBe('none');
  });
});
