import { describe, expect, test } from 'vitest';
import {
  anySearch,
  wholeExtent,
  type AdsAnswer,
  type FoundAds,
  type SearchOptions,
  type StoredAds,
} from '../../../../../src/core/ads/ads-answer.ts';
import type { Ad } from '../../../../../src/core/ads/ad.ts';
import {
  googleMapping,
  type AdvertiserRole,
  type CompanyMapping,
} from '../../../../../src/core/companies/company-mapping.ts';
import { adsMaxFor, limitAnswer } from '../../../../../src/core/sources/limit-answer.ts';
import { company } from '../../../../support/sources/snapshots.ts';
import { questionAbout } from '../../../../support/sources/plain-exchange.ts';

const acme = company({ domain: 'acme.com' });
const ownOnly = { ownOnly: true };

describe('ads of a live source', () => {
  test('have the relation of their advertiser if it is not the company', () => {
    const answer = limit(foundBy('Acme Inc.', 'Bigger Agency', null));
    expect(answer).toMatchObject({
      kind: 'found',
      relations: new Map([
        ['google:AR-2', 'third_party'],
        ['google:AR-3', 'unknown'],
      ]),
      extent: wholeExtent,
    });
    expect(countAds(answer)).toBe(3);
  });

  test('get their relation from the domain that was selected for the name', () => {
    const named = company({ name: 'The Widget People' });
    const ads = foundBy('Acme Inc.');
    const chosen: FoundAds = { ...ads, matchedBy: 'name', searchedDomain: 'acme.com' };
    expect(limit(chosen, { company: named })).toMatchObject({ relations: new Map() });
    const elsewhere: FoundAds = { ...chosen, searchedDomain: 'widgets.com' };
    expect(limit(elsewhere, { company: named })).toMatchObject({
      relations: new Map([['google:AR-1', 'unknown']]),
    });
  });

  test('of a search by mapped advertisers are own ads, regardless of their names', () => {
    const answer = limit({ ...foundBy('Acme Inc.', 'Somebody'), matchedBy: 'mapping' });
    expect(answer).toMatchObject({ relations: new Map() });
  });

  describe('of a search by name', () => {
    const nike = company({ name: 'Nike, Inc.' });
    const byName = (...names: readonly string[]): FoundAds => ({ ...foundBy(...names), matchedBy: 'name' });

    test('are those of own advertisers; without the uncertain ones the answer is partial, with its reason', () => {
      const found = byName('Nike Retail BV', 'NIKE SRL', 'nikey');
      expect(limit(found, { company: nike })).toMatchObject({
        ads: [{ advertiserName: 'Nike Retail BV' }],
        matches: new Map([['google:AR-1', { relation: 'own' }]]),
        candidates: [{ advertiserId: 'google:AR-2', name: 'NIKE SRL', adsCount: 1 }],
        extent: { partial: true, partialReason: 'uncertain_advertisers', uncertainAdvertisers: 1 },
      });
      expect(limit(byName('Nike Retail BV', 'nikey'), { company: nike })).toMatchObject({
        candidates: [],
        extent: wholeExtent,
      });
    });

    test('result in no_match if all are of namesakes, with the uncertain ones as candidates', () => {
      expect(limit(byName('NIKE SRL'), { company: nike })).toMatchObject({
        kind: 'no_match',
        candidates: [{ name: 'NIKE SRL' }],
      });
      expect(limit(byName('nikey'), { company: nike })).toEqual({ kind: 'no_match' });
    });

    test('keep those of mapped agencies, and of namesakes that the operator has accepted', () => {
      const mapping = mapped(['google:AR-1', 'agency'], ['google:AR-2', 'allow']);
      const found = byName('Somebody', 'NIKE SRL', 'Nike Retail BV');
      expect(limit(found, { company: nike, mapping })).toMatchObject({
        ads: [
          { advertiserName: 'Somebody' },
          { advertiserName: 'NIKE SRL' },
          { advertiserName: 'Nike Retail BV' },
        ],
        relations: new Map([['google:AR-1', 'third_party']]),
        candidates: [],
        extent: wholeExtent,
      });
    });

    test('are incomplete for the graver of two reasons', () => {
      const extent = { ...wholeExtent, partial: true };
      expect(limit({ ...byName('Nike Retail BV', 'NIKE SRL'), extent }, { company: nike })).toMatchObject({
        extent: { partial: true, partialReason: 'page_failed', uncertainAdvertisers: 1 },
      });
    });
  });

  test('are limited to the requested number and then marked as truncated', () => {
    const answer = limit(foundBy('Acme Inc.', 'Bigger Agency', 'Other Agency'), {}, { adsMax: 2 });
    expect(countAds(answer)).toBe(2);
    expect(answer).toMatchObject({
      relations: new Map([['google:AR-2', 'third_party']]),
      extent: { ...wholeExtent, truncated: true },
    });
    expect(limit(foundBy('Acme Inc.', 'Agency'), {}, { adsMax: 2 })).toMatchObject({ extent: wholeExtent });
  });

  test('keep the extent that their source reports', () => {
    const extent = { partial: true, truncated: true, estimate: { low: 40, high: 50 } };
    expect(limit({ ...foundBy('Acme Inc.'), extent }, {}, { adsMax: 5 })).toMatchObject({ extent });
  });

  test('of denied advertisers are left out; the answer is none if no others exist', () => {
    const mapping = mapped(['google:AR-1', 'deny']);
    expect(countAds(limit(foundBy('Acme Inc.', 'Agency'), { mapping }))).toBe(1);
    expect(limit(foundBy('Acme Inc.'), { mapping })).toEqual({ kind: 'none', matchedBy: 'domain' });
  });

  test('are limited after others are left out', () => {
    const answer = limit(foundBy('Agency', 'Other Agency', 'Acme Inc.'), {}, { adsMax: 1, ownOnly: true });
    expect(answer).toMatchObject({ ads: [{ advertiserName: 'Acme Inc.' }], extent: wholeExtent });
  });
});

describe('the restriction to own ads', () => {
  test('leaves out ads of third parties, and those of unknown advertisers with the reason', () => {
    expect(limit(foundBy('Agency', 'Acme Inc.', null), {}, ownOnly)).toMatchObject({
      ads: [{ advertiserName: 'Acme Inc.' }],
      relations: new Map(),
      candidates: [{ advertiserId: 'google:AR-3' }],
      extent: { partial: true, partialReason: 'uncertain_advertisers' },
    });
  });

  test('results in no_match without own ads, or in none if the operator mapped the company', () => {
    const others = foundBy('Agency', null);
    expect(limit(others, {}, ownOnly)).toMatchObject({
      kind: 'no_match',
      candidates: [{ advertiserId: 'google:AR-2' }],
    });
    expect(limit(others, { mapping: mapped(['google:AR-2', 'agency']) }, ownOnly)).toEqual({
      kind: 'no_match',
    });
    expect(limit(others, { mapping: mapped(['google:AR-9', 'allow']) }, ownOnly)).toMatchObject({
      kind: 'none',
      matchedBy: 'domain',
    });
  });

  test('ignores a mapping with ids of another platform', () => {
    const page = mapped(['meta:153080620724', 'allow']);
    const search = { ...ownOnly, ownMapping: googleMapping };
    expect(limit(foundBy('Agency'), { mapping: page }, search)).toEqual({ kind: 'no_match' });
  });
});

describe('an incomplete answer without remaining ads', () => {
  const cases: readonly (readonly [string, FoundAds, CompanyMapping, Partial<SearchOptions>])[] = [
    ['all advertisers are denied', foundBy('Acme Inc.'), mapped(['google:AR-1', 'deny']), {}],
    ['no ad is an own ad', foundBy('Agency'), mapped(['google:AR-9', 'allow']), ownOnly],
    ['no ad is known to be an own ad', foundBy('Agency'), [], ownOnly],
    ['the source found no ads', foundBy(), [], {}],
  ];

  test.each(cases)('is a temporary error if it is partial: %s', (_, answer, mapping, search) => {
    const partial = { ...answer, extent: { ...wholeExtent, partial: true } };
    expect(() => limit(partial, { mapping }, search)).toThrow(
      expect.objectContaining({ code: 'source_unavailable', inDoubt: false, retry: { kind: 'backoff' } }),
    );
  });

  test.each(cases)('is no_match if it is truncated: %s', (_, answer, mapping, search) => {
    const truncated = { ...answer, extent: { ...wholeExtent, truncated: true } };
    expect(limit(truncated, { mapping }, search)).toEqual({ kind: 'no_match' });
  });
});

test.each<[string, CompanyMapping, Partial<SearchOptions>, number | null]>([
  ['the requested number', mapped(['google:AR-1', 'allow']), {}, 3],
  ['all, if third parties are left out', [], ownOnly, null],
  ['all, if an advertiser is denied', mapped(['google:AR-1', 'deny']), {}, null],
  ['all, if the company has an agency', mapped(['google:AR-1', 'agency']), {}, null],
])('the limit of ads for a source is %s', (_, mapping, search, adsMax) => {
  expect(adsMaxFor(mapping, { ...anySearch, adsMax: 3, ...search })).toBe(adsMax);
});

describe('ads of a stored snapshot', () => {
  const stored: StoredAds = {
    kind: 'stored',
    matchedBy: 'mapping',
    advertisers: [
      { key: 1n, relation: 'own' },
      { key: 2n, relation: 'third_party' },
    ],
  };

  test('are limited by the commit', () => {
    expect(limit(stored, {}, { adsMax: 7 })).toEqual({ ...stored, adsMax: 7 });
    expect(limit(stored)).toEqual({ ...stored, adsMax: null });
  });

  test('are those of own advertisers if only own ads are requested', () => {
    const own = stored.advertisers.slice(0, 1);
    expect(limit(stored, {}, ownOnly)).toMatchObject({ kind: 'stored', advertisers: own });
    const agency: StoredAds = { ...stored, advertisers: stored.advertisers.slice(1) };
    expect(limit(agency, { mapping: mapped(['google:AR-2', 'agency']) }, ownOnly)).toEqual({
      kind: 'no_match',
    });
    expect(
      limit(agency, { mapping: mapped(['google:AR-9', 'allow'], ['google:AR-2', 'agency']) }, ownOnly),
    ).toEqual({
      kind: 'none',
      matchedBy: 'mapping',
    });
  });
});

test.each<AdsAnswer>([
  { kind: 'none', matchedBy: 'name' },
  { kind: 'no_match' },
  { kind: 'repeated', lookupId: 4n },
])('an answer without own ads stays unchanged: $kind', (answer) => {
  expect(limit(answer, {}, { adsMax: 1, ownOnly: true })).toBe(answer);
});

function limit(
  answer: AdsAnswer,
  { company: searched = acme, ...changes }: Partial<Parameters<typeof limitAnswer>[1]> = {},
  search: Partial<Parameters<typeof limitAnswer>[2]> = {},
): AdsAnswer {
  return limitAnswer(answer, questionAbout(searched, changes), { ...anySearch, ...search });
}

/** One ad of each advertiser, by name; their ids are AR-1, AR-2 and so on. */
function foundBy(...names: readonly (string | null)[]): FoundAds {
  return {
    kind: 'found',
    ads: names.map((name, i) => adOf(`google:AR-${i + 1}`, name)),
    matchedBy: 'domain',
  };
}

function adOf(advertiserId: string, advertiserName: string | null): Ad {
  const unknown = { format: null, originalUrl: null, variants: [], start: null, lastSeen: null, text: null };
  return { advertiserId, creativeId: `cr of ${advertiserId}`, advertiserName, ...unknown };
}

function mapped(...entries: readonly (readonly [string, AdvertiserRole])[]): CompanyMapping {
  return entries.map(([advertiserId, role]) => ({ advertiserId, role }));
}

function countAds(answer: AdsAnswer): number {
  return answer.kind === 'found' ? answer.ads.length : 0;
}
