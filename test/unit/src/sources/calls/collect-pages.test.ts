import { describe, expect, test } from 'vitest';
import { collectPages, saysOfPage, type AdsPage } from '../../../../../src/sources/calls/collect-pages.ts';
import { creativeAd } from '../../../../../src/sources/ads/creative-ad.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const nothing = { advertiserName: null, format: null, variants: [], start: null, lastSeen: null, link: null };
const adsOf = (ids: readonly string[]) =>
  ids.map((creativeId) => creativeAd({ advertiserId: 'AR1', creativeId, ...nothing }));

test.each([
  ['ads', ['1'], null, {}, 'found'],
  ['no ads on the last page', [], null, {}, 'none'],
  ['no ads but more pages', [], 'next', {}, 'candidates'],
  ['no ads but further requests', [], null, { asksOn: true }, 'candidates'],
] as const)('a page with %s has the matching call outcome', (_, ids, next, more, says) => {
  expect(saysOfPage({ ads: adsOf(ids), next, estimate: null }, more)).toBe(says);
});

describe('collected pages', () => {
  const bounds = { pagesMax: 5, adsMax: null, matchedBy: 'domain', comesBack: false } as const;
  const total = (count: number) => ({ low: count, high: count });
  const collect = (pages: readonly AdsPage[]) => {
    const left = [...pages];
    return collectPages(async () => left.shift() ?? fail(), bounds);
  };

  test.each([
    ['fewer than half of the counted ads', 5, true],
    ['a count that may be rounded', 4, false],
  ])('with %s (2 of %i) are truncated: %s', async (_, count, truncated) => {
    const answer = await collect([
      { ads: adsOf(['1']), next: 'b', estimate: total(count) },
      { ads: adsOf(['1', '2']), next: null, estimate: null },
    ]);
    expect(answer).toMatchObject({ extent: { truncated, partial: false } });
  });

  test('that repeat are unreadable, or partial after the first ads', async () => {
    const empty = { ads: [], next: 'b', estimate: null };
    await expect(collect([empty, { ...empty, next: 'c' }, empty])).rejects.toThrow(SourceUnreadable);
    await expect(collect([empty, { ...empty, next: 'c' }, empty])).rejects.toThrow('asked for already');
    const first = { ads: adsOf(['1']), next: 'b', estimate: null };
    const again = { ads: adsOf(['2']), next: 'b', estimate: null };
    expect(await collect([first, again])).toMatchObject({
      ads: [{ creativeId: 'google:1' }],
      extent: { partial: true, truncated: false },
    });
  });
});

function fail(): never {
  throw new Error('No page is left.');
}
