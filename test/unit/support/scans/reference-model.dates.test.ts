import { describe, expect, test } from 'vitest';
import { ad, found, evaluated, observation, none } from '../../../support/scans/observation-builders.ts';
import { evaluateHistory } from '../../../support/scans/reference-model.ts';

const cut = { truncated: true };

describe('R3: an ad is stale', () => {
  test('if it was last seen more than the limit of days before the observation, not at the limit', () => {
    const ads = [ad(1, { lastSeen: 6 }), ad(2, { lastSeen: 5 }), ad(3)];
    expect(evaluated([found(20, ads)])).toEqual([
      '20 complete: 1 baseline first_scan, 2 baseline long_ago, 3 baseline first_scan',
    ]);
  });

  test('by the UTC day of the observation', () => {
    const late = { ...found(20, [ad(1, { lastSeen: 6 })]), observedAt: '2026-03-21T00:30:00+01:00' };
    expect(evaluated([late])).toEqual(['20 complete: 1 baseline first_scan']);
    expect(evaluated([{ ...late, observedAt: '2026-03-20T23:30:00-01:00' }])).toEqual([
      '20 complete: 1 baseline long_ago',
    ]);
  });

  test.each(['snapshot', 'sample'])('in a %s, by the newest day in the data set of the scan', (source) => {
    const ads = [ad(1, { lastSeen: 6 }), ad(2, { lastSeen: 5 }), ad(3, { lastSeen: 19, hasIds: false })];
    expect(evaluated([found(90, ads, { sources: [source], othersLastSeen: { [source]: 20 } })])).toEqual([
      '90 complete: 1 baseline first_scan, 2 baseline long_ago',
    ]);
    expect(evaluated([found(90, ads, { sources: [source] })])).toEqual([
      '90 complete: 1 baseline first_scan, 2 baseline first_scan',
    ]);
  });

  test('in a data set, never by a day in the future', () => {
    const ads = [ad(1, { lastSeen: 6 }), ad(2, { lastSeen: 400 })];
    expect(evaluated([found(20, ads, { sources: ['snapshot'] })])).toEqual([
      '20 complete: 1 baseline first_scan, 2 baseline first_scan',
    ]);
  });

  test('in the answer of a live source, by the day of the answer only', () => {
    expect(evaluated([found(90, [ad(1, { lastSeen: 6 })], { othersLastSeen: { main: 7 } })])).toEqual([
      '90 complete: 1 baseline long_ago',
    ]);
  });
});

describe('R4: an ad that is first seen after the baseline', () => {
  const before = found(20, [ad(1)]);

  test('is new if it started at most a week before a complete observation of the same source, otherwise missed earlier', () => {
    expect(evaluated([before, found(21, [ad(2, { start: 13 }), ad(3, { start: 12 })])])).toEqual([
      '20 complete: 1 baseline first_scan',
      '21 complete: 2 new, 3 baseline missed_earlier',
    ]);
  });

  test.each([
    ['incomplete', { ...before, truncated: true }],
    ['of another source', { ...before, sources: ['other'] }],
  ])(
    'is new if it started on the day of the previous observation or later and that was %s, otherwise missed earlier',
    (_, first) => {
      const [, second] = evaluated([first, found(21, [ad(2, { start: 20 }), ad(3, { start: 19 }), ad(4)])]);
      expect(second).toBe('21 complete: 2 new, 3 baseline missed_earlier, 4 baseline missed_earlier');
    },
  );

  test('is compared to the last confirmed observation', () => {
    for (const hiccup of [none(22), observation(22, 'no_match')]) {
      const ads = [ad(2, { start: 13 }), ad(3, { start: 12 }), ad(4)];
      const [, , third] = evaluated([before, hiccup, found(23, ads)]);
      expect(third).toBe('23 complete: 2 new, 3 baseline missed_earlier, 4 new');
    }
  });

  test('is compared to a confirmed empty observation', () => {
    const observations = [
      before,
      none(21),
      none(22),
      found(23, [ad(2, { start: 15 }), ad(3, { start: 14 })]),
    ];
    expect(evaluated(observations, { missesToEnd: 3 })[3]).toBe(
      '23 complete: 2 new, 3 baseline missed_earlier',
    );
  });

  test('is new without a start date after a complete observation of the same source', () => {
    expect(evaluated([before, found(21, [ad(2)], cut)])[1]).toBe('21 truncated: 2 new');
  });

  test('is compared to the day of the data set of the previous observation', () => {
    const observations = [
      found(60, [ad(1, { lastSeen: 20 })], { sources: ['snapshot'] }),
      found(61, [ad(2, { start: 12 }), ad(3, { start: 13 })], {
        sources: ['snapshot'],
        othersLastSeen: { snapshot: 21 },
      }),
    ];
    expect(evaluated(observations)[1]).toBe('61 complete: 2 baseline missed_earlier, 3 new');
  });

  test('is inactive if it is already stale', () => {
    const observations = [before, found(21, [ad(1), ad(2, { lastSeen: 6, start: 6 })])];
    expect(evaluated(observations)[1]).toBe('21 complete: 2 baseline long_ago');
    expect(evaluateHistory(observations, { missesToEnd: 2, staleDays: 14 })).toMatchObject({
      observations: [{ adsActive: 1 }, { adsActive: 1 }],
      changes: [{ isActive: true }, { isActive: false, restsOn: [21] }],
    });
  });
});
