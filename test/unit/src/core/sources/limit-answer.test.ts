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

describe('ads that a live source found', () => {
  test('get the relation of their advertiser, where that is not the company itself', () => {
    const answer = limit(foundBy('Acme Inc.', 'Bigger Agency', null));
    expect(answer).toMatchObject({
      kind: 'found',
      relations: new Map([
        ['AR-2', 'third_party'],
        ['AR-3', 'unknown'],
      ]),
      extent: wholeExtent,
    });
    expect(countAds(answer)).toBe(3);
  });

  test('of a domain that was chosen for the name are judged by that domain', () => {
    const named = company({ name: 'The Widget People' });
    const ads = foundBy('Acme Inc.');
    const chosen: FoundAds = { ...ads, matchedBy: 'name', searchedDomain: 'acme.com' };
    expect(limit(chosen, { company: named })).toMatchObject({ relations: new Map() });
    const elsewhere: FoundAds = { ...chosen, searchedDomain: 'widgets.com' };
    expect(limit(elsewhere, { company: named })).toMatchObject({
      relations: new Map([['AR-1', 'third_party']]),
    });
  });

  test('of a search by advertisers are the company’s own, whatever these are called', () => {
    const answer = limit({ ...foundBy('Acme Inc.', 'Somebody'), matchedBy: 'mapping' });
    expect(answer).toMatchObject({ relations: new Map() });
  });

  test('are no more than were asked for, and say that there are more', () => {
    const answer = limit(foundBy('Acme Inc.', 'Bigger Agency', 'Other Agency'), {}, { adsMax: 2 });
    expect(countAds(answer)).toBe(2);
    expect(answer).toMatchObject({
      relations: new Map([['AR-2', 'third_party']]),
      extent: { ...wholeExtent, truncated: true },
    });
    expect(limit(foundBy('Acme Inc.', 'Agency'), {}, { adsMax: 2 })).toMatchObject({ extent: wholeExtent });
  });

  test('keep what their source says of their extent', () => {
    const extent = { partial: true, truncated: true, estimate: { low: 40, high: 50 } };
    expect(limit({ ...foundBy('Acme Inc.'), extent }, {}, { adsMax: 5 })).toMatchObject({ extent });
  });

  test('of denied advertisers are left out, and without any other there are none', () => {
    const mapping = mapped(['AR-1', 'deny']);
    expect(countAds(limit(foundBy('Acme Inc.', 'Agency'), { mapping }))).toBe(1);
    expect(limit(foundBy('Acme Inc.'), { mapping })).toEqual({ kind: 'none', matchedBy: 'domain' });
  });

  test('are bounded after others are left out, so that the bound is of what is wanted', () => {
    const answer = limit(foundBy('Agency', 'Other Agency', 'Acme Inc.'), {}, { adsMax: 1, ownOnly: true });
    expect(answer).toMatchObject({ ads: [{ advertiserName: 'Acme Inc.' }], extent: wholeExtent });
  });
});

describe('of the company’s own ads only', () => {
  test('those of third parties and of unknown advertisers are left out', () => {
    expect(limit(foundBy('Agency', 'Acme Inc.', null), {}, ownOnly)).toMatchObject({
      ads: [{ advertiserName: 'Acme Inc.' }],
      relations: new Map(),
    });
  });

  test('without any the company cannot be told, unless the operator has said who it is', () => {
    const others = foundBy('Agency', null);
    expect(limit(others, {}, ownOnly)).toEqual({ kind: 'no_match' });
    expect(limit(others, { mapping: mapped(['AR-2', 'agency']) }, ownOnly)).toEqual({ kind: 'no_match' });
    expect(limit(others, { mapping: mapped(['AR-9', 'allow']) }, ownOnly)).toEqual({
      kind: 'none',
      matchedBy: 'domain',
    });
  });

  test('nor has the operator said it in the ids of another network', () => {
    const page = mapped(['153080620724', 'allow']);
    const wanted = { ...ownOnly, ownMapping: googleMapping };
    expect(limit(foundBy('Agency'), { mapping: page }, wanted)).toEqual({ kind: 'no_match' });
  });
});

describe('an answer that was not whole, and of which nothing is left,', () => {
  const cases: readonly (readonly [string, FoundAds, CompanyMapping, Partial<SearchOptions>])[] = [
    ['all denied', foundBy('Acme Inc.'), mapped(['AR-1', 'deny']), {}],
    ['none of it own', foundBy('Agency'), mapped(['AR-9', 'allow']), ownOnly],
    ['none of it known to be own', foundBy('Agency'), [], ownOnly],
    ['none to begin with', foundBy(), [], {}],
  ];

  test.each(cases)(
    'is trouble that passes where a part could not be had: %s',
    (_, answer, mapping, wanted) => {
      const partial = { ...answer, extent: { ...wholeExtent, partial: true } };
      expect(() => limit(partial, { mapping }, wanted)).toThrow(
        expect.objectContaining({ code: 'source_unavailable', inDoubt: false, retry: { kind: 'backoff' } }),
      );
    },
  );

  test.each(cases)('tells nothing of the company where there is more: %s', (_, answer, mapping, wanted) => {
    const truncated = { ...answer, extent: { ...wholeExtent, truncated: true } };
    expect(limit(truncated, { mapping }, wanted)).toEqual({ kind: 'no_match' });
  });
});

test.each<[string, CompanyMapping, Partial<SearchOptions>, number | null]>([
  ['as many as are wanted', mapped(['AR-1', 'allow']), {}, 3],
  ['all, where third parties are left out', [], ownOnly, null],
  ['all, where somebody is denied', mapped(['AR-1', 'deny']), {}, null],
  ['all, where there is an agency', mapped(['AR-1', 'agency']), {}, null],
])('a source is asked for %s', (_, mapping, wanted, adsMax) => {
  expect(adsMaxFor(mapping, { ...anySearch, adsMax: 3, ...wanted })).toBe(adsMax);
});

describe('ads of a data set of ours', () => {
  const stored: StoredAds = {
    kind: 'stored',
    matchedBy: 'mapping',
    advertisers: [
      { key: 1n, relation: 'own' },
      { key: 2n, relation: 'third_party' },
    ],
  };

  test('are left for the commit to count', () => {
    expect(limit(stored, {}, { adsMax: 7 })).toEqual({ ...stored, adsMax: 7 });
    expect(limit(stored)).toEqual({ ...stored, adsMax: null });
  });

  test('are those of the company’s own advertisers where only these are wanted', () => {
    const own = stored.advertisers.slice(0, 1);
    expect(limit(stored, {}, ownOnly)).toMatchObject({ kind: 'stored', advertisers: own });
    const agency: StoredAds = { ...stored, advertisers: stored.advertisers.slice(1) };
    expect(limit(agency, { mapping: mapped(['AR-2', 'agency']) }, ownOnly)).toEqual({ kind: 'no_match' });
    expect(limit(agency, { mapping: mapped(['AR-9', 'allow'], ['AR-2', 'agency']) }, ownOnly)).toEqual({
      kind: 'none',
      matchedBy: 'mapping',
    });
  });
});

test.each<AdsAnswer>([
  { kind: 'none', matchedBy: 'name' },
  { kind: 'no_match' },
  { kind: 'repeated', lookupId: 4n },
])('an answer without ads of its own stays as it is: $kind', (answer) => {
  expect(limit(answer, {}, { adsMax: 1, ownOnly: true })).toBe(answer);
});

function limit(
  answer: AdsAnswer,
  { company: asked = acme, ...changes }: Partial<Parameters<typeof limitAnswer>[1]> = {},
  wanted: Partial<Parameters<typeof limitAnswer>[2]> = {},
): AdsAnswer {
  return limitAnswer(answer, questionAbout(asked, changes), { ...anySearch, ...wanted });
}

/** One ad of each advertiser, by name; their ids are AR-1, AR-2 and so on. */
function foundBy(...names: readonly (string | null)[]): FoundAds {
  return { kind: 'found', ads: names.map((name, i) => adOf(`AR-${i + 1}`, name)), matchedBy: 'domain' };
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
