import { expect, test } from 'vitest';
import { askInGroups } from '../../../../../src/sources/calls/ask-in-groups.ts';
import { creativeAd } from '../../../../../src/sources/ads/creative-ad.ts';
import { wholeExtent, type AdsAnswer, type Extent } from '../../../../../src/core/ads/ads-answer.ts';
import { SourceUnavailable } from '../../../../../src/core/errors.ts';

const nothing = { advertiserName: null, format: null, variants: [], start: null, lastSeen: null, link: null };
const found = (ids: readonly string[], extent: Partial<Extent> = {}): AdsAnswer => ({
  kind: 'found',
  ads: ids.map((creativeId) => creativeAd({ advertiserId: 'AR1', creativeId, ...nothing })),
  matchedBy: 'mapping',
  extent: { ...wholeExtent, ...extent },
});
const none: AdsAnswer = { kind: 'none', matchedBy: 'mapping' };
const down = new SourceUnavailable('down', { inDoubt: false });

/** Requests five advertisers, two at a time. */
async function askFive(answers: readonly (AdsAnswer | Error)[], adsMax: number | null = null) {
  const groups: (readonly string[])[] = [];
  const answer = await askInGroups(
    ['a', 'b', 'c', 'd', 'e'],
    { sizeMax: 2, adsMax, comesBack: false },
    (group) => {
      const next = answers[groups.push(group) - 1] ?? none;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  );
  return { groups, answer };
}

test('requests in groups merge the ads of all groups without duplicates', async () => {
  const { groups, answer } = await askFive([found(['1', '2']), none, found(['2', '3'], { truncated: true })]);
  expect(groups).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(answer).toMatchObject({ kind: 'found', extent: { truncated: true, partial: false } });
  expect(answer.kind === 'found' && answer.ads.map((ad) => ad.creativeId)).toEqual([
    'google:1',
    'google:2',
    'google:3',
  ]);
});

test('requests in groups result in none if no group has ads', async () => {
  expect((await askFive([none, none, none])).answer).toEqual(none);
});

test('requests in groups stop at the limit of ads and mark the answer as truncated', async () => {
  const { groups, answer } = await askFive([found(['1', '2'])], 2);
  expect(groups).toHaveLength(1);
  expect(answer).toMatchObject({ kind: 'found', extent: { truncated: true } });
});

test('requests in groups throw an error before the first ad, and return a partial answer after an error later', async () => {
  await expect(askFive([none, down])).rejects.toBe(down);
  expect((await askFive([found(['1']), down])).answer).toMatchObject({
    kind: 'found',
    extent: { partial: true },
  });
});

test('requests in groups always throw an unexpected error', async () => {
  const defect = new Error('ours');
  await expect(askFive([found(['1']), defect])).rejects.toBe(defect);
});

test('requests in groups add up estimates, which are unknown if one is unknown', async () => {
  const of = (low: number, high: number) => found([String(low)], { estimate: { low, high } });
  expect((await askFive([of(1, 2), of(3, 4), of(5, 6)])).answer).toMatchObject({
    extent: { estimate: { low: 9, high: 12 } },
  });
  expect((await askFive([of(1, 2), found(['x']), of(5, 6)])).answer).toMatchObject({
    extent: { estimate: null },
  });
});
