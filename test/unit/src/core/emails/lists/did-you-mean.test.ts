import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../../../../src/core/emails/syntax/address.ts';
import {
  createDidYouMean,
  typosOf,
  type DidYouMean,
} from '../../../../../../src/core/emails/lists/did-you-mean.ts';
import { parseDomain } from '../../../../../../src/core/companies/domain.ts';
import { takeSeedNumber } from '../../../../../support/seed-number.ts';
import { shippedEntries, shippedLists } from '../../../../../support/dns-smtp/shipped-lists.ts';
import { readTypoCorpus } from '../../../../../support/dns-smtp/typo-corpus.ts';

const providers = shippedEntries('providers');
const free = new Set(shippedEntries('free'));
const lookalikes = shippedEntries('lookalikes');

/** Suggests a domain for the domain of an address. */
function suggestionFor(
  domain: string,
  domainTakesMail: boolean | null = null,
  didYouMean: DidYouMean = shippedLists.didYouMean,
): string | null {
  const parsed = parseDomain(domain);
  const registrableDomain = parsed.kind === 'domain' ? parsed.domain : null;
  return didYouMean({ asciiDomain: domain, registrableDomain }, domainTakesMail);
}

describe('a typo in the name of a provider', () => {
  test.each([
    ['gmial.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gmqil.com', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hormail.com', 'hotmail.com'],
    ['hotmal.co.uk', 'hotmail.co.uk'],
    ['outlok.com', 'outlook.com'],
    ['outllook.com', 'outlook.com'],
    ['yajoo.com', 'yahoo.com'],
    ['yhaoo.co.uk', 'yahoo.co.uk'],
    ['iclod.com', 'icloud.com'],
    ['protonmial.com', 'protonmail.com'],
    ['freenrt.de', 'freenet.de'],
    ['t-onlin.de', 't-online.de'],
    ['comcas.net', 'comcast.net'],
  ])('%s suggests %s, with or without mail for the typed domain', (typed, meant) => {
    for (const takesMail of [null, true, false]) expect(suggestionFor(typed, takesMail)).toBe(meant);
  });

  test.each([
    ['gmailc.om', 'gmail.com'],
    ['yahooc.o.uk', 'yahoo.co.uk'],
    ['hotmai.lcom', 'hotmail.com'],
  ])('a swapped dot: %s suggests %s', (typed, meant) => {
    expect(suggestionFor(typed)).toBe(meant);
  });
});

describe('a top-level domain', () => {
  test.each([
    ['gmail.con', 'gmail.com'],
    ['gmail.cmo', 'gmail.com'],
    ['gmail.ocm', 'gmail.com'],
    ['gnail.con', 'gmail.com'],
    ['comcast.nry', 'comcast.net'],
    ['yahoo.couk', 'yahoo.co.uk'],
    ['gmx.dee', 'gmx.de'],
    ['acme-widgets.con', 'acme-widgets.com'],
    ['acme-widgets.ogr', 'acme-widgets.org'],
  ])('that does not exist is corrected if it is one typo away: %s to %s', (typed, meant) => {
    expect(suggestionFor(typed)).toBe(meant);
    expect(suggestionFor(typed, false)).toBe(meant);
  });

  test('that does not exist is kept if the domain accepts mail', () => {
    expect(suggestionFor('acme-widgets.con', true)).toBeNull();
    expect(suggestionFor('gmail.con', true)).toBeNull();
  });

  test.each([
    ['gmail.co', 'gmail.com'],
    ['hotmail.cm', 'hotmail.com'],
    ['hotmial.co', 'hotmail.com'],
    ['comcast.ne', 'comcast.net'],
  ])('that exists is a typo only if the domain accepts no mail: %s', (typed, meant) => {
    expect(suggestionFor(typed, false)).toBe(meant);
    expect(suggestionFor(typed, null)).toBeNull();
    expect(suggestionFor(typed, true)).toBeNull();
  });

  test('that exists is kept after any other name', () => {
    for (const typed of ['acme.co', 'acme.om', 'orange.gr', 'gmail.fr'])
      expect(suggestionFor(typed, false)).toBeNull();
  });
});

describe('no suggestion is made', () => {
  test.each([
    ['cloud.com', 'the first letter is missing'],
    ['hmail.com', 'only the first letter differs'],
    ['grail.com', 'a letter that is distant on the keyboard'],
    ['aok.com', 'a name too short'],
    ['gmc.de', 'a name too short'],
    ['libro.it', 'an existing word'],
    ['acme-widgets.og', 'an ending of two letters may be a country code'],
    ['com.om', 'a public suffix'],
    ['mail.gmial.com', 'a subdomain'],
    ['gmial.com.example.org', 'another parent domain'],
    ['mail.acme.cmo', 'a subdomain of a domain that does not exist'],
    ['gmai', 'no dot'],
    ['con', 'no dot'],
    ['gmeal.cam', 'a typo and a different ending'],
    ['gmx.frr', 'an ending that is neither common nor one of the provider'],
  ])('for %s: %s', (typed) => {
    for (const takesMail of [null, true, false]) expect(suggestionFor(typed, takesMail)).toBeNull();
  });

  test('for two candidates without one in .com', () => {
    const ofTwo = createDidYouMean(['provider.de', 'provider.se'], () => false);
    expect(suggestionFor('provider.fe', null, ofTwo)).toBeNull();
    const withCom = createDidYouMean(['provider.com', 'provider.cim', 'providers.com'], () => false);
    expect(suggestionFor('provider.cin', null, withCom)).toBe('provider.com');
  });

  test('for a known lookalike', () => {
    const didYouMean = createDidYouMean(['gmail.com'], (domain) => domain === 'gmal.com');
    expect([
      suggestionFor('gmal.com', false, didYouMean),
      suggestionFor('gmil.com', false, didYouMean),
    ]).toEqual([null, 'gmail.com']);
  });

  test('for a listed provider, free mailbox or privacy relay, even if it accepts no mail', () => {
    const known = [...providers, ...free, ...lookalikes, ...shippedEntries('privacy-relays')];
    for (const takesMail of [null, true, false]) {
      expect(known.filter((domain) => suggestionFor(domain, takesMail) !== null)).toEqual([]);
    }
  });

  test('for a free mailbox, even without its list', () => {
    const withoutList = createDidYouMean(providers, () => false);
    expect([...free].filter((domain) => suggestionFor(domain, null, withoutList) !== null)).toEqual([]);
  });

  test('for disposable domains, except for the few that imitate a provider', () => {
    const called = shippedEntries('disposable').filter((domain) => suggestionFor(domain) !== null);
    expect(called).toEqual(['gmial.com', 'hotmai.com', 'hotmial.com']);
  });

  test('for 1,000 realistic company domains', () => {
    const domains = businessDomains();
    expect(new Set(domains).size).toBe(1_000);
    for (const takesMail of [null, true, false]) {
      expect(domains.filter((domain) => suggestionFor(domain, takesMail) !== null)).toEqual([]);
    }
  });
});

const corpus = readTypoCorpus();

describe(`suggestions for ${corpus.title}, with its own providers`, () => {
  const didYouMean = createDidYouMean(corpus.providers, () => false);
  const read = corpus.cases.map((each) => ({ ...each, parsed: parseAddress(each.address) }));
  const valid = read.flatMap(({ address, meant, parsed }) =>
    parsed.kind === 'address' ? [{ address, meant, parsed: parsed.address }] : [],
  );

  test.each(valid)('are given for $address: $meant', ({ meant, parsed }) => {
    expect(didYouMean(parsed, false)).toBe(meant);
  });

  test('are not needed for invalid addresses, except for one with a # in its domain', () => {
    const rest = read.filter(({ parsed }) => parsed.kind === 'invalid');
    expect(rest.filter(({ meant }) => meant !== null).map(({ address }) => address)).toEqual(
      rest.length === 0 ? [] : ['test@#gmail.com'],
    );
  });
});

describe('suggestions for every provider', () => {
  const longNames = providers.filter((domain) => domain.indexOf('.') >= 5);

  test('correct each typo after the first letter, unless the typo is a known domain', () => {
    const known = new Set([...free, ...lookalikes]);
    const missed = longNames.flatMap((domain) =>
      typosOfDomain(domain).filter((typed) => {
        const didYouMean = shippedLists.didYouMean({ asciiDomain: typed, registrableDomain: typed }, null);
        return didYouMean !== domain && !known.has(typed);
      }),
    );
    expect(missed).toEqual([]);
  });

  test('are a provider, or the typed name with a common ending, and never the typed domain', () => {
    const anyDomain = fc.oneof(
      fc.constantFrom(...longNames).chain((domain) => fc.constantFrom(...typosOfDomain(domain))),
      fc.domain(),
      fc
        .tuple(fc.stringMatching(/^[a-z]{3,9}$/), fc.stringMatching(/^[a-z]{2,4}$/))
        .map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(anyDomain, fc.constantFrom(true, false, null), (typed, takesMail) => {
        const meant = suggestionFor(typed, takesMail);
        if (meant === null) return;
        expect(meant).not.toBe(typed);
        const name = typed.slice(0, typed.indexOf('.'));
        expect([...providers, `${name}.com`, `${name}.net`, `${name}.org`]).toContain(meant);
      }),
      { seed: takeSeedNumber(), numRuns: 5_000 },
    );
  });
});

test('typos are swapped, missing, doubled and adjacent keys', () => {
  const slips = typosOf('mail');
  for (const slip of [
    'amil',
    'mial',
    'mali',
    'nail',
    'maik',
    'ail',
    'mal',
    'mai',
    'mmail',
    'maill',
    'maiol',
    'mnail',
  ]) {
    expect(slips).toContain(slip);
  }
  for (const other of ['mail', 'rail', 'maid', 'email', 'mails', 'liam', 'mll'])
    expect(slips).not.toContain(other);
});

/** Variants of a domain with every typo that keeps the first letter. */
function typosOfDomain(domain: string): readonly string[] {
  const dot = domain.indexOf('.');
  return [...typosOf(domain.slice(0, dot))]
    .filter((slip) => slip.startsWith(domain.charAt(0)))
    .map((slip) => slip + domain.slice(dot));
}

/** A thousand domains such as `summit-partners.de`. */
function businessDomains(): readonly string[] {
  const first = [
    ...[
      'atlas',
      'blue',
      'bright',
      'cedar',
      'delta',
      'east',
      'first',
      'global',
      'golden',
      'green',
      'harbor',
      'horizon',
    ],
    ...[
      'iron',
      'lake',
      'metro',
      'north',
      'orange',
      'prime',
      'quantum',
      'river',
      'silver',
      'summit',
      'urban',
      'yellow',
    ],
    ...['out', 'hot', 'pro'],
  ];
  const second = [
    'bank',
    'foods',
    'group',
    'labs',
    'logistics',
    'look',
    'mail',
    'media',
    'motors',
    'partners',
    'works',
  ];
  const endings = ['com', 'net', 'de', 'fr', 'co.uk', 'io', 'org'];
  const all = first.flatMap((one) =>
    second.flatMap((other) =>
      endings.flatMap((ending) => [`${one}${other}.${ending}`, `${one}-${other}.${ending}`]),
    ),
  );
  return all.filter((domain, index) => index % 4 === 0 && !free.has(domain)).slice(0, 1_000);
}
