import { describe, expect, test } from 'vitest';
import { ad, found, evaluated, observation, none } from '../../../support/scans/observation-builders.ts';

const other = { sources: ['other'] };
const third = { sources: ['third'] };
const german = { sources: ['main?region=DE'] };
const both = [ad(1), ad(2)];
const one = [ad(1)];
const first = '1 complete: 1 baseline first_scan, 2 baseline first_scan';

describe('A1, A5: confirmation of an empty observation', () => {
  const start = found(1, one);

  test.each([
    ['the same source', ['main'], ['main']],
    ['one of its sources', ['main', 'other'], ['third', 'other']],
  ])('needs a second one of %s', (_, before, after) => {
    const observations = [start, none(2, { sources: before }), none(3, { sources: after })];
    expect(evaluated(observations).slice(1)).toEqual(['2 unconfirmed_empty', '3 complete']);
  });

  test.each([
    ['another source', [none(2, other)]],
    ['the same source with another search', [none(2, german)]],
    ['the same source before one of another', [none(2), none(3, other)]],
    ['the same source that did not identify the company', [observation(2, 'no_match')]],
    ['the same source that found ads', [none(2), found(3, one)]],
  ])('is not possible after one of %s', (_, observations) => {
    expect(evaluated([start, ...observations, none(9)]).at(-1)).toBe('9 unconfirmed_empty');
  });

  test('is possible by a later one, even if that is unconfirmed itself', () => {
    const observations = [start, none(2, other), none(3, { sources: ['other', 'main'] }), none(4)];
    expect(evaluated(observations).slice(1)).toEqual([
      '2 unconfirmed_empty',
      '3 complete',
      '4 complete: 1 ended not_seen [3 4]',
    ]);
  });
});

describe('A6: a miss of an ad', () => {
  test('counts for each source that had it, together with others that had it', () => {
    const observations = [found(1, both), found(2, both, other), found(3, one), found(4, one, other)];
    expect(evaluated(observations)).toEqual([
      first,
      '2 complete',
      '3 complete',
      '4 complete: 2 ended not_seen [3 4]',
    ]);
  });

  test('counts in an empty observation of several sources if one had it', () => {
    const empty = { sources: ['third', 'main'] };
    expect(evaluated([found(1, one), none(2, empty), none(3, empty)], { missesToEnd: 1 }).at(-1)).toBe(
      '3 complete: 1 ended not_seen',
    );
  });

  test('does not count for a source that never had it', () => {
    const observations = [2, 3, 4, 5].map((scan) => found(scan, one, other));
    expect(evaluated([found(1, both), ...observations])).toEqual([
      first,
      ...[2, 3, 4, 5].map((scan) => `${scan} complete`),
    ]);
  });

  test('does not count for a source that never had it, even between others', () => {
    const observations = [found(1, both), found(2, one), found(3, one, other), found(4, one)];
    expect(evaluated(observations).at(-1)).toBe('4 complete: 2 ended not_seen [2 4]');
  });

  test('does not count for the same source with another search until that had it', () => {
    const observations = [
      found(1, both),
      found(2, one, german),
      found(3, one, german),
      found(4, both, german),
      found(5, one, german),
      found(6, one),
    ];
    expect(evaluated(observations).slice(1)).toEqual([
      '2 complete',
      '3 complete',
      '4 complete',
      '5 complete',
      '6 complete: 2 ended not_seen [5 6]',
    ]);
  });

  test('does not include misses of a source before it had the ad', () => {
    const observations = [found(1, both), found(2, one, other), found(3, both, other), found(4, one, other)];
    expect(evaluated(observations).at(-1)).toBe('4 complete');
  });
});

describe('A6: an ad that no source of a complete observation ever had', () => {
  const dated = ad(2, { lastSeen: 5 });

  test('ends if it was last seen too long ago, and rests on that observation only', () => {
    const observations = [found(5, [ad(1), dated]), found(19, one, other), found(20, one, other)];
    expect(evaluated(observations).slice(1)).toEqual([
      '19 complete',
      '20 complete: 2 ended last_seen_long_ago',
    ]);
  });

  test.each([{ truncated: true }, { partial: true }])(
    'does not end in an incomplete observation: %o',
    (extent) => {
      expect(evaluated([found(5, [ad(1), dated]), found(40, one, { ...other, ...extent })])[1]).not.toMatch(
        'ended',
      );
    },
  );

  test('does not end without a last-seen date', () => {
    expect(evaluated([found(5, both), found(400, one, other)])[1]).toBe('400 complete');
  });

  test('counts as missed once, even if it was last seen long ago, if a source had it', () => {
    expect(evaluated([found(5, [ad(1), dated]), found(40, one)])[1]).toBe('40 complete');
  });

  test('is evaluated by the newest last-seen date of all sources', () => {
    const newer = ad(2, { lastSeen: 8 });
    const observations = [found(5, [ad(1), newer]), found(9, [ad(1), dated], third), found(22, one, other)];
    expect(evaluated([...observations, found(23, one, other)]).slice(2)).toEqual([
      '22 complete',
      '23 complete: 2 ended last_seen_long_ago',
    ]);
  });
});

describe('R4: an ad that was missed earlier', () => {
  test('is determined by all sources of the previous observation', () => {
    const empty = none(20, { sources: ['third', 'other'] });
    const ads = [ad(2, { start: 13 }), ad(3, { start: 12 }), ad(4)];
    expect(evaluated([empty, found(21, ads, other)])[1]).toBe(
      '21 complete: 2 new, 3 baseline missed_earlier, 4 new',
    );
    expect(evaluated([empty, found(21, ads)])[1]).toBe(
      '21 complete: 2 baseline missed_earlier, 3 baseline missed_earlier, 4 baseline missed_earlier',
    );
  });

  test('includes one that an edited search shows for the first time', () => {
    const observations = [
      found(20, one),
      found(21, [ad(1), ad(2, { start: 19 }), ad(3, { start: 20 }), ad(4)], german),
    ];
    expect(evaluated(observations)[1]).toBe(
      '21 complete: 2 baseline missed_earlier, 3 new, 4 baseline missed_earlier',
    );
  });
});

describe('A7: the content of an ad is compared', () => {
  const asB = ad(1, { observation: 'b', version: 11 });
  const asC = ad(1, { observation: 'c', version: 12 });

  test('to the last one of the same source, regardless of others since then', () => {
    const observations = [found(1, one), found(2, [asB], other), found(3, [asB], third), found(4, [asC])];
    expect(evaluated(observations).slice(1)).toEqual([
      '2 complete',
      '3 complete',
      '4 complete: 1 changed 10 to 12',
    ]);
    expect(evaluated([...observations.slice(0, 3), found(4, one)])[3]).toBe('4 complete');
  });

  test('to none if the source has not had it in this search yet', () => {
    const observations = [found(1, one), found(2, [asB], german), found(3, [asC], german)];
    expect(evaluated(observations).slice(1)).toEqual(['2 complete', '3 complete: 1 changed 11 to 12']);
  });

  test('to one from before it ended', () => {
    const observations = [found(1, one), none(2), none(3), found(4, [asB], other), found(5, [asC])];
    expect(evaluated(observations, { missesToEnd: 1 }).slice(2)).toEqual([
      '3 complete: 1 ended not_seen',
      '4 complete: 1 reactivated',
      '5 complete: 1 changed 10 to 12',
    ]);
  });
});
