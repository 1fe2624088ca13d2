import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  profileAdvertiser,
  type MatchedAdvertiser,
} from '../../../../../../src/core/companies/match/advertiser-profile.ts';
import {
  profileCompany,
  type MatchedCompany,
} from '../../../../../../src/core/companies/match/company-profile.ts';
import {
  evaluateAdvertiser,
  evaluateProfiles,
  type AdvertiserMatch,
} from '../../../../../../src/core/companies/match/evaluate-advertiser.ts';
import { matchReasons, type MatchReason } from '../../../../../../src/core/companies/match/reasons.ts';
import { randomRuns } from '../../../../../support/faults/random-runs.ts';

interface Case {
  readonly company: string | (Partial<MatchedCompany> & { readonly name: string | null });
  readonly advertiser: string | (Partial<MatchedAdvertiser> & { readonly name: string });
  readonly relation: AdvertiserMatch['relation'];
  readonly reason: MatchReason;
}

/** `Name|domain` in short. */
function companyOf(company: Case['company']): MatchedCompany {
  if (typeof company !== 'string') return { domain: null, ...company };
  const [name = '', domain = ''] = company.split('|');
  return { name: name === '' ? null : name, domain: domain === '' ? null : domain };
}

function evaluate(company: Case['company'], advertiser: Case['advertiser']): AdvertiserMatch {
  const given = typeof advertiser === 'string' ? { name: advertiser } : advertiser;
  return evaluateAdvertiser(companyOf(company), { foundBy: 'name', ...given });
}

const unverifiedInItaly = { location: 'IT', verified: false };

const cases: readonly Case[] = [
  // Subsidiaries
  { company: 'Zalanda|zalanda.de', advertiser: 'Zalanda SE', relation: 'own', reason: 'name_equal' },
  {
    company: 'Zalanda|zalanda.com',
    advertiser: 'Zalanda Polska Sp. z o.o.',
    relation: 'own',
    reason: 'adds_place',
  },
  {
    company: 'Zalanda|zalanda.com',
    advertiser: 'Zalanda Retail B.V.',
    relation: 'own',
    reason: 'adds_corporate_word',
  },
  {
    company: 'Zalanda|zalanda.com',
    advertiser: 'Zalanda of North America, LLC',
    relation: 'own',
    reason: 'adds_place',
  },
  {
    company: '|zalanda.com',
    advertiser: 'zalanda.com Services S.à r.l.',
    relation: 'own',
    reason: 'adds_generic_word',
  },
  {
    company: 'Müllner|muellner.de',
    advertiser: 'Muellner Vertriebs GmbH',
    relation: 'own',
    reason: 'adds_corporate_word',
  },
  {
    company: 'Telvaria Deutschland AG',
    advertiser: 'Deutsche Telvaria',
    relation: 'own',
    reason: 'words_reordered',
  },
  {
    company: 'Lundqvist (Erik)',
    advertiser: 'Erik Lundqvist and Company',
    relation: 'own',
    reason: 'words_reordered',
  },
  {
    company: 'International Widget Machines|iwm.com',
    advertiser: 'IWM Deutschland GmbH',
    relation: 'own',
    reason: 'initials',
  },
  {
    company: 'BWX|bwx.de',
    advertiser: 'Bavarische Wagen Xylographie AG',
    relation: 'own',
    reason: 'initials',
  },
  // Other scripts
  {
    company: 'Nadila|nadila.com',
    advertiser: '유한회사 나딜라코리아',
    relation: 'own',
    reason: 'sound_alike',
  },
  {
    company: 'Nadila|nadila.com',
    advertiser: '株式会社ナディラジャパン',
    relation: 'own',
    reason: 'sound_alike',
  },
  { company: 'Velkor|velkor.ru', advertiser: 'ООО «Велкор»', relation: 'own', reason: 'name_equal' },
  { company: 'Sklaven|sklaven.gr', advertiser: 'ΣΚΛΑΒΕΝ ΕΛΛΑΣ Α.Ε.', relation: 'own', reason: 'adds_place' },
  { company: 'Nadila|nadila.com', advertiser: '三越百貨', relation: 'unknown', reason: 'other_script' },
  // Dealers, agencies, local businesses, persons
  {
    company: 'Toyara|toyara.com',
    advertiser: 'Toyara of Orlando',
    relation: 'third_party',
    reason: 'of_place',
  },
  {
    company: 'Toyara|toyara.com',
    advertiser: 'Autohaus Toyara Weber',
    relation: 'third_party',
    reason: 'adds_dealer_word',
  },
  {
    company: 'Toyara|toyara.com',
    advertiser: 'Toyara Marketing Agency',
    relation: 'third_party',
    reason: 'adds_agency_word',
  },
  {
    company: 'Toyara|toyara.com',
    advertiser: 'Kanzlei Toyara',
    relation: 'third_party',
    reason: 'adds_profession',
  },
  {
    company: 'Toyara|toyara.com',
    advertiser: 'Bill Brown Toyara',
    relation: 'third_party',
    reason: 'adds_person',
  },
  { company: 'Toyara|toyara.com', advertiser: 'Toyarra', relation: 'third_party', reason: 'name_similar' },
  {
    company: 'Toyara|toyara.com',
    advertiser: 'Quandex LLC',
    relation: 'third_party',
    reason: 'no_shared_name',
  },
  // Namesakes
  {
    company: 'Nuke|nuke.com',
    advertiser: { name: 'NUKE SRL', ...unverifiedInItaly },
    relation: 'unknown',
    reason: 'local_form',
  },
  {
    company: 'Apple|apple.com',
    advertiser: { name: 'Apple', location: 'AU', verified: false },
    relation: 'unknown',
    reason: 'common_name',
  },
  {
    company: 'Apple|apple.com',
    advertiser: 'Apple Vacations, LLC',
    relation: 'third_party',
    reason: 'known_other',
  },
  {
    company: 'Marck & Co., Inc.|marck.com',
    advertiser: { name: 'Marck KGaA', location: 'DE' },
    relation: 'unknown',
    reason: 'listed_forms',
  },
  {
    company: 'Nordia Electric|nordiaelectric.com',
    advertiser: 'Nordia Motors Ltd',
    relation: 'third_party',
    reason: 'other_branch',
  },
  { company: 'Nordia 6', advertiser: 'Nordia 8', relation: 'unknown', reason: 'other_branch' },
  { company: 'Nordia 6', advertiser: 'Nordia 6 Ltd', relation: 'own', reason: 'name_equal' },
  {
    company: 'Toyara|toyara.com',
    advertiser: 'Toyara Chemical Ltd',
    relation: 'unknown',
    reason: 'adds_industry',
  },
];

describe('evaluation of an advertiser', () => {
  test.each(cases)(
    '$company with $advertiser is $relation: $reason',
    ({ company, advertiser, relation, reason }) => {
      expect(evaluate(company, advertiser)).toMatchObject({
        relation,
        reasons: expect.arrayContaining([reason]) as unknown,
      });
    },
  );

  test('the same country, a verification and a domain make a common name the company', () => {
    const bare = { name: 'Orange SA' };
    const full = { ...bare, location: 'FR', verified: true, foundBy: 'domain' } as const;
    const company = { name: 'Orange', domain: 'orange.com', country: 'France' };
    expect(evaluate(company, { ...bare, location: 'US' }).relation).not.toBe('own');
    expect(evaluate(company, full)).toMatchObject({ relation: 'own' });
    expect(evaluate(company, full).reasons).toEqual(expect.arrayContaining(['same_country', 'verified']));
  });

  test('an advertiser that a domain finds without its name is not certain to be a third party', () => {
    const agency = { name: 'Quandex Ltd', foundBy: 'domain' } as const;
    expect(evaluate('Toyara|toyara.com', agency).relation).toBe('unknown');
    expect(evaluate('Toyara|toyara.com', { ...agency, name: 'Quandex Media Agency' }).relation).toBe(
      'third_party',
    );
  });

  test('a legal name that is the company’s helps, and one with nothing in common harms', () => {
    const shown = evaluate('Toyara|toyara.com', 'Toyara').confidence;
    const fits = evaluate('Toyara|toyara.com', { name: 'Toyara', legalName: 'Toyara Europe B.V.' });
    const differs = evaluate('Toyara|toyara.com', { name: 'Toyara', legalName: 'John Smith' });
    const dealer = evaluate('Toyara|toyara.com', { name: 'Toyara', legalName: 'Toyara of Orlando, Inc.' });
    expect(fits.confidence).toBeGreaterThanOrEqual(shown);
    expect(fits.reasons).toContain('legal_name_fits');
    expect(differs).toMatchObject({
      relation: 'unknown',
      reasons: expect.arrayContaining(['legal_name_differs']) as unknown,
    });
    expect(dealer.relation).toBe('third_party');
  });

  test('ads that point to the company’s domain help, and ads that point elsewhere harm', () => {
    const company = 'Orange|orange.com';
    const helped = evaluate(company, {
      name: 'Orange Services',
      targetDomains: ['https://shop.orange.com/x', 'orange.fr'],
    });
    const harmed = evaluate(company, { name: 'Orange Services', targetDomains: ['tangerine.com'] });
    expect(helped).toMatchObject({
      relation: 'own',
      reasons: expect.arrayContaining(['advertises_domain']) as unknown,
    });
    expect(harmed.relation).not.toBe('own');
    expect(harmed.reasons).toContain('advertises_elsewhere');
    expect(evaluate(company, { name: 'Orange', foundBy: 'domain', adsCount: 200 }).reasons).toContain(
      'many_ads',
    );
  });

  test('without a company or an advertiser the answer is unknown', () => {
    expect(evaluate('', 'Toyara')).toEqual({ relation: 'unknown', confidence: 0.3, reasons: ['no_company'] });
    expect(evaluate('Toyara', '…').reasons).toEqual(['no_advertiser_name']);
  });

  test('prepared companies and advertisers give the same answers as single pairs', () => {
    const names = ['Toyara Europe B.V.', 'Toyara of Orlando', 'ООО «Тояра»'];
    const toyara = companyOf('Toyara|toyara.com');
    const prepared = profileCompany(toyara);
    for (const name of names) {
      const advertiser = { name, foundBy: 'domain' } as const;
      expect(evaluateProfiles(prepared, profileAdvertiser(advertiser))).toEqual(
        evaluateAdvertiser(toyara, advertiser),
      );
    }
  });

  test('any names give a probability and known reasons', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('Toyara', '나이키', 'ソニー', 'ООО', 'of', '&'),
    );
    fc.assert(
      fc.property(text, text, fc.boolean(), (name, advertiser, isNamed) => {
        const company = isNamed ? { name, domain: null } : { name: null, domain: 'toyara.com' };
        const match = evaluateAdvertiser(company, { name: advertiser, foundBy: 'name' });
        expect(match.confidence).toBeGreaterThan(0);
        expect(match.confidence).toBeLessThan(1);
        expect(match.reasons.length).toBeGreaterThan(0);
        expect(match.reasons.every((reason) => reason in matchReasons)).toBe(true);
      }),
      { numRuns: randomRuns(400) },
    );
  });
});
