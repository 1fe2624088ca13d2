import { afterEach, describe, expect, test } from 'vitest';
import { evaluateAdvertiser } from '../../../../../../src/core/companies/match/evaluate-advertiser.ts';
import { addFamilies, allFamilies } from '../../../../../../src/core/companies/match/families/families.ts';
import { parseFamilies } from '../../../../../../src/core/companies/match/families/parse-families.ts';
import { profileName } from '../../../../../../src/core/companies/match/name-profile.ts';

const families = `
# Synthetic
DE Zalanda; Zalanda Group | Kwelmora; Brinjo | @zalanda.com | !Zalanda Chemicals
US Zalanda | Plexon | @zalandagroup.com | !Zalanda Group
`;

afterEach(() => addFamilies(''));

function evaluate(name: string, advertiser: string, domain: string | null = null, country?: string) {
  addFamilies(families);
  return evaluateAdvertiser({ name, domain, country }, { name: advertiser, foundBy: 'name' });
}

describe('families of companies', () => {
  test('a line has a country, names, parts, domains and namesakes', () => {
    expect(parseFamilies(families)[0]).toEqual({
      country: 'DE',
      names: ['Zalanda', 'Zalanda Group'],
      brands: ['Kwelmora', 'Brinjo'],
      domains: ['zalanda.com'],
      namesakes: ['Zalanda Chemicals'],
    });
    expect(parseFamilies('# comment\nno family')).toEqual([]);
  });

  test('the shipped families are many, each with a usable name, in less than 450 kB', () => {
    const shipped = allFamilies();
    expect(shipped.length).toBeGreaterThan(1200);
    const names = shipped.flatMap((family) => [...family.names, ...family.brands, ...family.namesakes]);
    expect(names.filter((name) => profileName(name) === null)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(names.join('; ')))).toBeLessThan(450_000);
  });

  test('a brand, a parent and a namesake are known', () => {
    expect(evaluate('Zalanda', 'Kwelmora SARL', 'zalanda.com')).toMatchObject({
      relation: 'own',
      reasons: ['known_brand'],
    });
    expect(evaluate('Kwelmora', 'Zalanda SE', 'kwelmora.com').reasons).toContain('known_parent');
    expect(evaluate('Zalanda', 'Zalanda Chemicals Ltd', 'zalanda.com')).toMatchObject({
      relation: 'third_party',
      reasons: expect.arrayContaining(['known_other']) as unknown,
    });
  });

  test('a brand of the same company is no part of another brand', () => {
    expect(evaluate('Kwelmora', 'Brinjo GmbH', 'kwelmora.com').relation).toBe('third_party');
  });

  test('a name of two families needs a domain or a country', () => {
    expect(evaluate('Zalanda', 'Plexon Inc').relation).toBe('third_party');
    expect(evaluate('Zalanda', 'Plexon Inc', null, 'US').relation).toBe('own');
    expect(evaluate('Zalanda', 'Plexon Inc', 'zalandagroup.com').relation).toBe('own');
    expect(evaluate('Zalanda', 'Kwelmora GmbH', 'zalandagroup.com').relation).toBe('third_party');
  });
});
