import { describe, expect, test } from 'vitest';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import type { CompanyMapping } from '../../../../../src/core/companies/company-mapping.ts';
import { ownOnly, relateAds } from '../../../../../src/core/ads/relate.ts';

function ad(advertiserId: string | null, advertiserName: string | null): Ad {
  return {
    advertiserId,
    creativeId: advertiserId === null ? null : 'CR1',
    advertiserName,
    format: null,
    originalUrl: null,
    variants: [],
    start: null,
    lastSeen: null,
    text: null,
  };
}

interface Asked {
  readonly name?: string;
  readonly domain?: string;
  readonly mapping?: CompanyMapping;
}

/** The relations of advertisers by these names, in a search by the domain; ids by place. */
function related({ name, domain, mapping = [] }: Asked, ...names: readonly (string | null)[]) {
  const asked = { company: { name: name ?? null }, mapping, searchedDomain: domain ?? null };
  const ads = names.map((each, i) => ad(`AR${i + 1}`, each));
  return relateAds(asked, ads).map(({ relation }) => relation);
}

describe('in a search by domain', () => {
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
  ])('nike.com tells who %j is: %s', (name, relation) => {
    expect(related({ domain: 'nike.com' }, name)).toEqual([relation]);
  });

  test.each([
    ['coca-cola.com', 'Coca Cola Hellenic', 'own'],
    ['coca-cola.com', 'Coca', 'third_party'],
    ['mueller.de', 'Müller Handels GmbH', 'own'],
    ['münchen.de', 'Munchen Tourismus', 'own'],
    ['brd.ro', 'Publicis Media', 'third_party'],
  ])('the label of %s tells who %s is: %s', (domain, name, relation) => {
    expect(related({ domain }, name)).toEqual([relation]);
  });

  test('the name beside the domain tells as well', () => {
    const asked = { domain: 'brd.ro', name: 'Groupe Société Générale SA' };
    expect(related(asked, 'GROUPE SOCIETE GENERALE')).toEqual(['own']);
    expect(related(asked, 'Groupe Societe Generale Romania')).toEqual(['own']);
    expect(related(asked, 'Groupe Societe', 'Societe Generale')).toEqual(['third_party', 'third_party']);
  });

  test('all ads of an advertiser have the relation that any of its names gives it', () => {
    const ads = [ad('AR1', null), ad('AR2', 'Agency'), ad('AR1', 'Swoosh'), ad('AR1', 'Nike, Inc.')];
    const asked = { company: { name: null }, mapping: [], searchedDomain: 'nike.com' };
    expect(
      relateAds(asked, ads).map(({ ad: { advertiserId }, relation }) => [advertiserId, relation]),
    ).toEqual([
      ['AR1', 'own'],
      ['AR2', 'third_party'],
      ['AR1', 'own'],
      ['AR1', 'own'],
    ]);
  });
});

test('the mapping comes before every name', () => {
  const mapping = [
    { advertiserId: 'AR1', role: 'deny' },
    { advertiserId: 'AR2', role: 'agency' },
    { advertiserId: 'AR3', role: 'allow' },
  ] as const;
  const names = ['Nike, Inc.', 'Nike Media', 'Swoosh', 'Nike'];
  expect(related({ domain: 'nike.com', mapping }, ...names)).toEqual(['third_party', 'own', 'own']);
  expect(related({ mapping }, ...names)).toEqual(['third_party', 'own', 'own']);
});

test('whom a search by advertisers finds is the company', () => {
  expect(related({ name: 'Nike' }, 'Nike', 'Swoosh', null)).toEqual(['own', 'own', 'own']);
});

test('an ad without an advertiser is the company', () => {
  const asked = { company: { name: null }, mapping: [], searchedDomain: 'nike.com' };
  expect(relateAds(asked, [ad(null, null)])).toMatchObject([{ relation: 'own' }]);
});

describe('leaving third parties out', () => {
  function own({ mapping = [], ...asked }: Asked, ...names: readonly (string | null)[]) {
    const company = { company: { name: null }, mapping, searchedDomain: asked.domain ?? null };
    const ads = names.map((each, i) => ad(`AR${i + 1}`, each));
    const left = ownOnly(relateAds(company, ads), mapping);
    return left.kind === 'found' ? left.ads.map((each) => each.ad.advertiserName) : left.kind;
  }
  const domain = 'nike.com';

  test('keeps the own ads', () => {
    expect(own({ domain }, 'Agency', 'Nike, Inc.', null, 'Nike')).toEqual(['Nike, Inc.', 'Nike']);
  });

  test('never says "none" where nobody knows which advertiser is the company', () => {
    expect(own({ domain }, 'Agency')).toBe('no_match');
    expect(own({ domain }, null)).toBe('no_match');
    expect(own({ domain, mapping: [{ advertiserId: 'AR1', role: 'agency' }] }, 'Agency')).toBe('no_match');
    expect(own({ domain, mapping: [{ advertiserId: 'AR9', role: 'deny' }] }, 'Agency')).toBe('no_match');
  });

  test('says "none" where the operator has said who the company is, and where there were no ads', () => {
    expect(own({ domain, mapping: [{ advertiserId: 'AR9', role: 'allow' }] }, 'Agency')).toBe('none');
    expect(own({ domain, mapping: [{ advertiserId: 'AR1', role: 'deny' }] }, 'Agency')).toBe('none');
    expect(own({ domain })).toBe('none');
  });
});
