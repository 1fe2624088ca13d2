import { describe, expect, test } from 'vitest';
import { parseMatchLine } from '../../../../../../src/cli/commands/sources/parse-match-line.ts';
import { profileAdvertiser } from '../../../../../../src/core/companies/match/advertiser-profile.ts';
import { profileCompany } from '../../../../../../src/core/companies/match/company-profile.ts';
import { evaluateProfiles } from '../../../../../../src/core/companies/match/evaluate-advertiser.ts';
import { advertiserWords, companyWords } from '../../../../../../src/core/companies/match/search-words.ts';
import { readLabelledPairs } from '../../../../../support/companies/labelled-pairs.ts';

function searchWords(name: string | null, domain: string | null): readonly string[] {
  return companyWords(profileCompany({ name, domain }));
}

/** True if an advertiser of this name is found for the company. */
function isFound(company: { name?: string; domain?: string }, advertiser: string): boolean {
  const words = new Set(advertiserWords(advertiser));
  return searchWords(company.name ?? null, company.domain ?? null).some((word) => words.has(word));
}

describe('search words', () => {
  test.each([
    [{ domain: 'nike.com' }, 'Nike Retail BV'],
    [{ domain: 'nike.com' }, '유한회사 나이키코리아'],
    [{ domain: 'cocacola.com' }, 'Coca Cola HBC'],
    [{ domain: 'coca-cola.com' }, 'Grupo Coca-Cola FEMSA'],
    [{ name: 'Coca-Cola' }, 'CocaCola Hellenic'],
    [{ name: 'Google' }, 'Googleireland Ltd'],
    [{ name: 'Robert Bosch GmbH' }, 'Bosch Thermotechnik'],
    [{ name: 'Eli Lilly' }, 'Lilly (Eli) Deutschland'],
    [{ name: 'BMW' }, 'Bayerische Motoren Werke AG'],
    [{ name: 'International Business Machines' }, 'IBM Deutschland GmbH'],
    [{ name: 'Johnson & Johnson' }, 'Johnson and Johnson Services'],
    [{ name: 'Deutsche Bank AG' }, 'Deutsche Bank Luxembourg S.A.'],
  ])('find for %j the advertiser %s', (company, advertiser) => {
    expect(isFound(company, advertiser)).toBe(true);
  });

  test.each([
    [{ domain: 'nike.com' }, 'nikey'],
    [{ domain: 'nike.com' }, 'Jan Nikel'],
    [{ name: 'Acme Software Group' }, 'Software Group Ltd'],
  ])('do not find for %j the advertiser %s', (company, advertiser) => {
    expect(isFound(company, advertiser)).toBe(false);
  });

  test('find every labelled advertiser that is evaluated as own', () => {
    const missed = readLabelledPairs().filter(({ line }) => {
      const parsed = parseMatchLine(line);
      if (parsed.kind === 'invalid') throw new Error(parsed.reason);
      const { company, advertiser } = parsed;
      const profile = profileCompany(company);
      const names = [advertiser.name, advertiser.legalName].flatMap((name) => name ?? []);
      const words = new Set(names.flatMap(advertiserWords));
      const { relation } = evaluateProfiles(profile, profileAdvertiser({ ...advertiser, foundBy: 'name' }));
      return relation === 'own' && !companyWords(profile).some((word) => words.has(word));
    });
    // A company whose name is in another script is found by its domain only.
    const inLatin = missed.filter(({ line }) => !/"company_name":"(?:Яндекс|당근마켓)"/.test(line));
    expect(inLatin.map(({ line }) => line)).toEqual([]);
  });

  test('of a name that is too long or empty are none', () => {
    expect(advertiserWords('')).toEqual([]);
    expect(advertiserWords('x'.repeat(501))).toEqual([]);
  });
});
