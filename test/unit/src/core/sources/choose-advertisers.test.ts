import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseAdvertisers, type Suggestions } from '../../../../../src/core/sources/choose-advertisers.ts';

/** Names with their countries; ids by position. */
function advertisers(...lines: readonly string[]): Suggestions['advertisers'] {
  return lines.map((line, i) => ({
    id: `AR${String(i + 1).padStart(20, '0')}`,
    name: line.slice(0, -5),
    country: line.slice(-3, -1),
  }));
}

/** Suggestions of Google's search for "nike", as captured (a recorded `SearchSuggestions`). */
const nike: Suggestions = {
  advertisers: advertisers(
    ...['nikey (BG)', 'Nikena (BG)', 'Nikesh (IN)', 'NIKE SRL (IT)', 'Nike Lee (US)', 'Nike Srl (IT)'],
    ...['Jan Nikel (CZ)', 'Nike Kola (US)', 'nikethan g (IN)', 'Nike Klara (US)'],
  ),
  domains: [
    ...[
      'nike.cl',
      'nike.sk',
      'nike.in',
      'nike.ae',
      'nike.sa',
      'nike.com',
      'sniker.es',
      'bionike.it',
      'bionike.ro',
    ],
    'daniken.ro',
  ],
};

function byDomains(name: string, domains: readonly string[], region: string | null = null) {
  const chosen = chooseAdvertisers({ name, domain: null }, { domains, advertisers: [] }, region);
  return chosen.kind === 'domain' ? chosen.domain : chosen.kind;
}

describe('suggestions for "nike"', () => {
  test('select the domain nike.com instead of advertisers of that name', () => {
    expect(chooseAdvertisers({ name: 'Nike, Inc.', domain: null }, nike)).toEqual({
      kind: 'domain',
      domain: 'nike.com',
    });
  });

  test('select nike.sk in the region Slovakia', () => {
    expect(chooseAdvertisers({ name: 'nike', domain: null }, nike, 'SK')).toEqual({
      kind: 'domain',
      domain: 'nike.sk',
    });
    expect(chooseAdvertisers({ name: 'nike', domain: null }, nike, 'FR')).toEqual({
      kind: 'domain',
      domain: 'nike.com',
    });
  });

  test('select no match if several domains of the name are left, and nike.com is not among them', () => {
    const domains = nike.domains.filter((domain) => domain !== 'nike.com');
    expect(chooseAdvertisers({ name: 'nike', domain: null }, { ...nike, domains })).toEqual({
      kind: 'no_match',
    });
  });
});

describe('the selected domain', () => {
  test.each([
    ['Coca-Cola Company', ['cola.com', 'coca-cola.com'], 'coca-cola.com'],
    ['Müller GmbH', ['muellers.de', 'mueller.de'], 'mueller.de'],
    ['München', ['münchen.de'], 'xn--mnchen-3ya.de'],
    ['Nike', ['shop.nike.com', 'www.nike.com'], 'nike.com'],
    ['Nike', ['nike.cl'], 'nike.cl'],
    ['Nike', ['nike.info', 'nike.io', 'nike.co.uk'], 'nike.io'],
    ['Nike', ['nike.co.uk', 'nike.org'], 'nike.org'],
  ])('for %s among %j is %s', (name, domains, domain) => {
    expect(byDomains(name, domains)).toBe(domain);
  });

  test.each([
    ['GB', ['nike.com', 'nike.co.uk'], 'nike.co.uk'],
    ['gb', ['nike.com', 'nike.uk'], 'nike.uk'],
    ['AU', ['nike.com', 'nike.com.au'], 'nike.com.au'],
    // Two of the region: the generic one decides.
    ['GB', ['nike.uk', 'nike.co.uk', 'nike.com'], 'nike.com'],
  ])('in the region %s among %j is %s', (region, domains, domain) => {
    expect(byDomains('Nike', domains, region)).toBe(domain);
  });

  test.each([
    ['two domains with the same ending', 'Coca-Cola', ['coca-cola.com', 'cocacola.com']],
    ['two domains of countries other than the region', 'Nike', ['nike.cl', 'nike.sk']],
    ['a domain that only resembles the name', 'Nike', ['nikey.com']],
    ['a shared host', 'Facebook', ['facebook.com']],
    ['invalid domains', 'Nike', ['not a domain', '']],
  ])('is missing for %s', (_, name, domains) => {
    expect(byDomains(name, domains)).toBe('no_match');
  });
});

describe('without a domain of the name', () => {
  test('the own advertisers are selected, and namesakes are candidates', () => {
    const suggestions = {
      domains: ['bionike.it'],
      advertisers: advertisers('Nike Retail BV (NL)', 'Nike, Inc. (US)', 'NIKE SRL (IT)', 'nikey (BG)'),
    };
    const chosen = chooseAdvertisers({ name: 'Nike Inc', domain: null }, suggestions);
    expect(chosen).toMatchObject({
      kind: 'advertisers',
      advertisers: [{ name: 'Nike Retail BV' }, { name: 'Nike, Inc.' }],
    });
    const names = chosen.kind === 'advertisers' ? chosen.candidates.map(({ name }) => name) : [];
    expect(names).toContain('NIKE SRL');
    expect(names).not.toContain('nikey');
  });

  test('an advertiser with umlauts written as two letters is selected', () => {
    const chosen = chooseAdvertisers(
      { name: 'Jägermeister', domain: null },
      {
        domains: [],
        advertisers: advertisers('Jaegermeisterin (DE)', 'Jaegermeister AG (DE)'),
      },
    );
    expect(chosen).toMatchObject({ kind: 'advertisers', advertisers: [{ name: 'Jaegermeister AG' }] });
  });

  test('no similar advertiser is selected', () => {
    const suggestions = { domains: ['bionike.it'], advertisers: advertisers('nikey (BG)', 'Nike Lee (US)') };
    expect(chooseAdvertisers({ name: 'Nike', domain: null }, suggestions)).toEqual({
      kind: 'no_match',
    });
  });

  test('an advertiser that is not verified and has a common name is a candidate, with what is known about it', () => {
    const [apple] = advertisers('Apple (AU)').map((each) => ({ ...each, verified: false, adsCount: 3 }));
    if (apple === undefined) throw new Error('There is no advertiser.');
    const suggestions = { domains: [], advertisers: [apple] };
    expect(chooseAdvertisers({ name: 'Apple', domain: null }, suggestions)).toMatchObject({
      kind: 'no_match',
      candidates: [
        {
          name: 'Apple',
          location: 'AU',
          verification: 'UNVERIFIED',
          adsCount: 3,
          reasons: expect.arrayContaining(['unverified']) as unknown,
        },
      ],
    });
  });
});

test('the selection does not depend on the order of the suggestions', () => {
  const { advertisers: all, domains } = nike;
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...domains]),
      fc.shuffledSubarray([...all]),
      fc.constantFrom(null, 'IN', 'SK'),
      (someDomains, someAdvertisers, region) => {
        const one = chooseAdvertisers(
          { name: 'Nike', domain: null },
          { domains: someDomains, advertisers: someAdvertisers },
          region,
        );
        const sorted = {
          domains: someDomains.sort(),
          advertisers: someAdvertisers.sort((a, b) => (a.id < b.id ? -1 : 1)),
        };
        const other = chooseAdvertisers({ name: 'Nike', domain: null }, sorted, region);
        expect(one.kind).toBe(other.kind);
        if (one.kind === 'domain') expect(one).toEqual(other);
      },
    ),
  );
});
