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

/** Asks about five advertisers, two at a time, and answers what came of it. */
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

test('all groups are asked about, and their ads put together once', async () => {
  const { groups, answer } = await askFive([found(['1', '2']), none, found(['2', '3'], { truncated: true })]);
  expect(groups).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(answer).toMatchObject({ kind: 'found', extent: { truncated: true, partial: false } });
  expect(answer.kind === 'found' && answer.ads.map((ad) => ad.creativeId)).toEqual(['1', '2', '3']);
});

test('there are none when no group has any', async () => {
  expect((await askFive([none, none, none])).answer).toEqual(none);
});

test('no further group is asked about when there are enough, and it says that there may be more', async () => {
  const { groups, answer } = await askFive([found(['1', '2'])], 2);
  expect(groups).toHaveLength(1);
  expect(answer).toMatchObject({ kind: 'found', extent: { truncated: true } });
});

test('trouble before the first ad is thrown, and later leaves what there is', async () => {
  await expect(askFive([none, down])).rejects.toBe(down);
  expect((await askFive([found(['1']), down])).answer).toMatchObject({
    kind: 'found',
    extent: { partial: true },
  });
});

test('a defect of ours is thrown, whatever there is', async () => {
  const defect = new Error('ours');
  await expect(askFive([found(['1']), defect])).rejects.toBe(defect);
});

test('estimates are added, and unknown when one is', async () => {
  const of = (low: number, high: number) => found([String(low)], { estimate: { low, high } });
  expect((await askFive([of(1, 2), of(3, 4), of(5, 6)])).answer).toMatchObject({
    extent: { estimate: { low: 9, high: 12 } },
  });
  expect((await askFive([of(1, 2), found(['x']), of(5, 6)])).answer).toMatchObject({
    extent: { estimate: null },
  });
});
