import { describe, expect, test } from 'vitest';
import { parseMatchLine } from '../../../../../src/cli/commands/sources/parse-match-line.ts';
import { profileCompany } from '../../../../../src/core/companies/match/company-profile.ts';
import { profileName } from '../../../../../src/core/companies/match/name-profile.ts';
import { companyKeys, keyWordsMax, nativeKeys } from '../../../../../src/sources/bigquery/name-keys.ts';
import { evaluatePair, readLabelledPairs } from '../../../../support/companies/labelled-pairs.ts';
import { keysInName } from '../../../../support/sources/bigquery-table.ts';

const keysOf = (name: string | null, domain: string | null = null) =>
  companyKeys(profileCompany({ name, domain }));

test.each<[string | null, string | null, readonly string[]]>([
  ['Zalanda, Inc.', 'zalanda.com', ['zalanda']],
  [null, 'zalanda.com', ['zalanda']],
  ['Zalanda Bank AG', null, ['zalandabank', 'zalanda', 'bankzalanda']],
  ['Zalanda Electronics', 'zalanda.com', ['zalandaelectronics', 'zalanda', 'electronicszalanda']],
  ['Brixo & Tamber', null, ['brixoandtamber', 'brixotamber']],
  ['Möllar', null, ['mollar']],
  ['Quork', null, ['quork', '.quork']],
  ['International Brixo Machines', null, ['internationalbrixomachines', 'brixomachines', 'ibm']],
  ['A', null, []],
])('%j at %j is searched by %j', (name, domain, keys) => {
  expect(keysOf(name, domain)).toEqual(keys);
});

test('a company is searched by the names of its family, too', () => {
  expect(keysOf('Nike, Inc.', 'nike.com')).toEqual(expect.arrayContaining(['nike', '.nike', 'converse']));
  expect(keysOf(null, 'youtube.com')).toContain('google');
});

test('a name in another script is searched as it is written, too', () => {
  expect(nativeKeys('ООО «Найк»')).toEqual(['наик']);
  expect(nativeKeys('Müller 24 GmbH')).toEqual([]);
});

describe('the query selects', () => {
  test.each([
    ['Nike', null, 'Nike, Inc.'],
    ['Nike Inc', null, 'Nike, Inc.'],
    ['Nike', null, 'NIKE Retail B.V.'],
    [null, 'nike.com', 'Nike France SAS'],
    ['Müller', null, 'Mueller Drogerie GmbH'],
    ['Mueller', null, 'MÜLLER Handels GmbH & Co. KG'],
    ["L'Oréal", null, 'L’OREAL ESPAÑA'],
    ['Johnson & Johnson', null, 'Johnson and Johnson Consumer B.V.'],
    ['A. O. Smith', null, 'AO Smith Europe B.V.'],
    ['AO Smith', null, 'A.O. Smith Europe B.V.'],
    ['Google', null, 'Googleireland Ltd'],
    ['Eli Lilly', null, 'Lilly (Eli) GmbH'],
    ['BMW', null, 'Bayerische Motoren Werke AG'],
    [null, 'youtube.com', 'Google Ireland Limited'],
    ['Møller', null, 'Moller AS'],
  ])('for %j at %j the advertiser %j', (name, domain, advertiser) => {
    expect(keysInName(advertiser)).toEqual(
      expect.arrayContaining([expect.toBeOneOf([...keysOf(name, domain)])]),
    );
  });

  test('each name that is spelled otherwise but has the same words for the evaluation', () => {
    const names = readLabelledPairs().map(
      ({ line }) => (JSON.parse(line) as { advertiser_name: string }).advertiser_name,
    );
    // The letters of an abbreviation, such as `S.n.c.`, are words of the query.
    const inLatin = names.filter(
      (name) => /^[\p{Script=Latin}\P{L}]+$/u.test(name) && !/\p{L}\.\p{L}/u.test(name),
    );
    expect(inLatin.length).toBeGreaterThan(1500);
    const missed = inLatin.filter((name) => {
      const profile = profileName(name);
      return (
        profile !== null && profile.words.length <= keyWordsMax && !keysInName(name).includes(profile.compact)
      );
    });
    expect(missed).toEqual([]);
  });

  test('at least 95 of 100 own advertisers that the evaluation recognizes in Latin letters', () => {
    let own = 0;
    const lost: string[] = [];
    for (const pair of readLabelledPairs()) {
      const parsed = parseMatchLine(pair.line);
      if (parsed.kind === 'invalid' || evaluatePair(pair).relation !== 'own') continue;
      const { company, advertiser } = parsed;
      const names = [advertiser.name, advertiser.legalName ?? null].flatMap((name) => name ?? []);
      if (!names.some((name) => /^[\p{Script=Latin}\P{L}]+$/u.test(name))) continue;
      own += 1;
      const keys = new Set(companyKeys(profileCompany(company)));
      if (!names.flatMap(keysInName).some((key) => keys.has(key))) lost.push(pair.line);
    }
    expect(own).toBeGreaterThan(1000);
    expect(lost.length / own, lost.join('\n')).toBeLessThan(0.05);
  });
});
