import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import { noDetails, type AdDetails, type AdvertiserDetails } from '../../../../../src/core/ads/ad-details.ts';
import type { CompanyMapping } from '../../../../../src/core/companies/company-mapping.ts';
import { ownOnly, relateAds, type AskedCompany } from '../../../../../src/core/ads/relate.ts';

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
  readonly searchedBy?: AskedCompany['searchedBy'];
}

function asked({ name, domain, mapping = [], searchedBy = 'domain' }: SearchedCompany): AskedCompany {
  return { company: { name: name ?? null, domain: domain ?? null }, mapping, searchedBy };
}

/** Relations of advertisers with these names; ids by position. */
function related(company: SearchedCompany, ...names: readonly (string | null)[]) {
  const ads = names.map((each, i) => ad(`google:AR${i + 1}`, each));
  return relateAds(asked(company), ads).map(({ relation }) => relation);
}

describe('relation of an ad in a search by domain', () => {
  test.each([
    ['Nike, Inc.', 'own'],
    ['Nike Retail BV', 'own'],
    ['NIKE', 'own'],
    ['유한회사 나이키코리아', 'own'],
    ['Foot Locker', 'third_party'],
    ['Nike of Orlando', 'third_party'],
    ['', 'unknown'],
    ['???', 'unknown'],
    [null, 'unknown'],
  ])('to nike.com is, for %j: %s', (name, relation) => {
    expect(related({ domain: 'nike.com' }, name)).toEqual([relation]);
  });

  test.each([
    ['coca-cola.com', 'Coca-Cola Deutschland GmbH', 'own'],
    ['coca-cola.com', 'Coca Cola Hellenic', 'unknown'],
    ['mueller.de', 'Müller Handels GmbH', 'own'],
    ['toyota.com', 'Toyota of Orlando', 'third_party'],
  ])('to %s is, for %s: %s', (domain, name, relation) => {
    expect(related({ domain }, name)).toEqual([relation]);
  });

  test('is own if the advertiser has the name that was searched with the domain', () => {
    const search = { domain: 'brd.ro', name: 'Groupe Société Générale SA' };
    expect(related(search, 'GROUPE SOCIETE GENERALE')).toEqual(['own']);
  });

  test('is the same for all ads of an advertiser: that of its best matching name', () => {
    const ads = [
      ad('google:AR1', null),
      ad('google:AR2', 'Nike of Orlando'),
      ad('google:AR1', 'Swoosh'),
      ad('google:AR1', 'Nike, Inc.'),
    ];
    expect(
      relateAds(asked({ domain: 'nike.com' }), ads).map(({ ad: { advertiserId }, relation }) => [
        advertiserId,
        relation,
      ]),
    ).toEqual([
      ['google:AR1', 'own'],
      ['google:AR2', 'third_party'],
      ['google:AR1', 'own'],
      ['google:AR1', 'own'],
    ]);
  });
});

describe('relation of an ad in a search by name', () => {
  const details = (advertiser: AdvertiserDetails): AdDetails => ({ ...noDetails, advertiser });

  test.each([
    ['Nike', 'Nike, Inc.', { legalName: null, location: 'US', verification: 'VERIFIED' }, 'own'],
    ['Nike, Inc.', 'NIKE SRL', { legalName: null, location: 'IT', verification: 'VERIFIED' }, 'unknown'],
    [
      'Merck & Co., Inc.',
      'Merck KGaA',
      { legalName: null, location: 'DE', verification: null },
      'third_party',
    ],
    ['Apple', 'Apple', { legalName: null, location: 'AU', verification: 'UNVERIFIED' }, 'unknown'],
    ['Toyota', 'Toyota of Orlando', { legalName: null, location: 'US', verification: null }, 'third_party'],
  ])('to %s is, for %s with %j: %s', (name, advertiserName, advertiser, relation) => {
    const ads = [{ ...ad('google:AR1', advertiserName), details: details(advertiser) }];
    const [found] = relateAds(asked({ name, searchedBy: 'name' }), ads);
    expect(found?.relation).toBe(relation);
    expect(found?.evaluated).toMatchObject(advertiser);
    expect(found?.evaluated?.match.reasons).not.toEqual([]);
  });

  test('follows from what the source says beside the ads, if these have no name', () => {
    const known = [{ id: 'google:AR1', name: 'Nike Retail B.V.', country: 'NL', verified: true }];
    const search = { ...asked({ name: 'Nike', searchedBy: 'name' }), known };
    expect(relateAds(search, [ad('google:AR1', null)])).toMatchObject([
      { relation: 'own', evaluated: { location: 'NL', verification: 'VERIFIED' } },
    ]);
  });
});

test.each(['domain', 'name', 'mapping'] as const)(
  'the company mapping takes precedence over names, searched by %s',
  (searchedBy) => {
    const mapping = [
      { advertiserId: 'google:AR1', role: 'deny' },
      { advertiserId: 'google:AR2', role: 'agency' },
      { advertiserId: 'google:AR3', role: 'allow' },
    ] as const;
    const names = ['Nike, Inc.', 'Nike Media', 'Swoosh', 'Nike'];
    const search = { domain: 'nike.com', mapping, searchedBy };
    expect(related(search, ...names)).toEqual(['third_party', 'own', 'own']);
    const ads = names.map((each, i) => ad(`google:AR${i + 1}`, each));
    expect(relateAds(asked(search), ads).map(({ evaluated }) => evaluated === null)).toEqual([
      true,
      true,
      searchedBy === 'mapping',
    ]);
  },
);

test('the company mapping takes precedence over every evaluation', () => {
  const word = fc.constantFrom('Nike', 'Inc.', 'Retail', 'GmbH', 'of Orlando', 'Agency', '나이키', 'nikey');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
      fc.constantFrom('allow', 'agency', 'deny'),
      fc.constantFrom('domain', 'name', 'mapping'),
      fc.constantFrom('VERIFIED', 'UNVERIFIED', null),
      (advertiserName, role, searchedBy, verification) => {
        const advertiser = { legalName: null, location: null, verification };
        const its = { ...ad('google:AR1', advertiserName), details: { ...noDetails, advertiser } };
        const search = {
          domain: 'nike.com',
          mapping: [{ advertiserId: 'google:AR1', role }],
          searchedBy,
        } as const;
        const expected = { allow: ['own'], agency: ['third_party'], deny: [] }[role];
        expect(relateAds(asked(search), [its]).map(({ relation }) => relation)).toEqual(expected);
      },
    ),
  );
});

test('every ad of a search by mapped advertisers is an own ad', () => {
  expect(related({ name: 'Nike', searchedBy: 'mapping' }, 'Nike', 'Swoosh', null)).toEqual([
    'own',
    'own',
    'own',
  ]);
});

test('an ad without an advertiser is an own ad', () => {
  const search = asked({ domain: 'nike.com' });
  expect(relateAds(search, [ad(null, null)])).toMatchObject([{ relation: 'own', evaluated: null }]);
});

describe('the filter of own ads', () => {
  function own(search: SearchedCompany, ...names: readonly (string | null)[]) {
    const ads = names.map((each, i) => ad(`google:AR${i + 1}`, each));
    const left = ownOnly(relateAds(asked(search), ads), search.mapping ?? []);
    return left.kind === 'found' ? left.ads.map((each) => each.ad.advertiserName) : left.kind;
  }
  const domain = 'nike.com';

  test('keeps the own ads', () => {
    expect(own({ domain }, 'Foot Locker', 'Nike, Inc.', null, 'Nike')).toEqual(['Nike, Inc.', 'Nike']);
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
