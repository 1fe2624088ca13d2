import { describe, expect, test } from 'vitest';
import { ad, found, evaluated, observation, none } from '../../../support/scans/observation-builders.ts';

const cut = { truncated: true };
const broken = { partial: true };
const other = { sources: ['other'] };
const first = '1 complete: 1 baseline first_scan, 2 baseline first_scan';
const both = [ad(1), ad(2)];
const one = [ad(1)];
/** Ads that cannot be tracked: an observation without ads would be no find. */
const unknown = [ad(99, { hasIds: false })];

describe('R5a: an ad that is not seen', () => {
  test.each([1, 2, 3, 4])(
    'ends after %i complete misses in a row, and rests on those scans',
    (missesToEnd) => {
      const observations = [2, 3, 4, 5].map((scan) => found(scan, one));
      const reported = evaluated([found(1, both), ...observations], { missesToEnd });
      const misses = [2, 3, 4, 5].slice(0, missesToEnd).join(' ');
      const due = ['2 complete', '3 complete', '4 complete', '5 complete'];
      due[missesToEnd - 1] += `: 2 ended not_seen${missesToEnd === 1 ? '' : ` [${misses}]`}`;
      expect(reported).toEqual([first, ...due]);
    },
  );

  test('is not missed by incomplete observations, which do not interrupt the row either', () => {
    const observations = [
      found(1, both),
      found(2, one),
      found(3, one, cut),
      found(4, one, broken),
      none(5),
      observation(6, 'no_match'),
      observation(7, 'failed'),
      found(8, one),
    ];
    expect(evaluated(observations)).toEqual([
      first,
      '2 complete',
      '3 truncated',
      '4 partial',
      '5 unconfirmed_empty',
      '6 unconfirmed_empty',
      '7 nothing',
      '8 complete: 2 ended not_seen [2 8]',
    ]);
  });

  test.each([{}, cut, broken])(
    'restarts its row of misses if it is seen, even in an incomplete observation: %o',
    (extent) => {
      const observations = [
        found(1, both),
        found(2, one),
        found(3, both, extent),
        found(4, one),
        found(5, one),
      ];
      expect(evaluated(observations).slice(3)).toEqual(['4 complete', '5 complete: 2 ended not_seen [4 5]']);
    },
  );

  test('ends once, regardless of the number of misses', () => {
    const observations = [2, 3, 4, 5, 6].map((scan) => found(scan, one));
    expect(
      evaluated([found(1, both), ...observations]).filter((line) => line.includes('ended')),
    ).toHaveLength(1);
  });

  test('does not end if it was stale or never active', () => {
    const observations = [
      found(20, [ad(1), ad(2, { lastSeen: 6 }), ad(3, { lastSeen: 1 })]),
      found(21, [ad(1), ad(2, { lastSeen: 6 })]),
      found(22, one),
      found(23, one),
    ];
    expect(evaluated(observations)).toEqual([
      '20 complete: 1 baseline first_scan, 2 baseline first_scan, 3 baseline long_ago',
      '21 complete: 2 ended last_seen_long_ago',
      '22 complete',
      '23 complete',
    ]);
  });

  test('ends with all others, one empty observation later, if the source has no ads any more', () => {
    expect(evaluated([found(1, both), none(2), none(3), none(4)])).toEqual([
      first,
      '2 unconfirmed_empty',
      '3 complete',
      '4 complete: 1 ended not_seen [3 4], 2 ended not_seen [3 4]',
    ]);
  });
});

describe('R5b: an ad that is seen but stale', () => {
  test.each([{}, cut, broken, other])(
    'ends in an observation of any kind, and rests on that one only: %o',
    (traits) => {
      const observations = [
        found(20, [ad(1, { lastSeen: 10 })]),
        found(21, unknown),
        found(25, [ad(1, { lastSeen: 10 })], traits),
      ];
      expect(evaluated(observations)[2]).toMatch(/: 1 ended last_seen_long_ago$/);
    },
  );

  test('does not change in addition', () => {
    const observations = [
      found(20, [ad(1, { lastSeen: 6 })]),
      found(21, [ad(1, { lastSeen: 6, observation: 'b' })]),
    ];
    expect(evaluated(observations)[1]).toBe('21 complete: 1 ended last_seen_long_ago');
  });
});

describe('R6: an inactive ad that is seen', () => {
  const old = ad(2, { lastSeen: 5 });

  test('is reactivated if it had ended or was never active, and can end again', () => {
    const observations = [
      found(20, [ad(1), old]),
      found(21, unknown),
      found(22, unknown),
      found(23, [ad(1), ad(2, { lastSeen: 23 })], cut),
      found(24, unknown),
      found(25, unknown),
    ];
    expect(evaluated(observations)).toEqual([
      '20 complete: 1 baseline first_scan, 2 baseline long_ago',
      '21 complete',
      '22 complete: 1 ended not_seen [21 22]',
      '23 truncated: 1 reactivated, 2 reactivated',
      '24 complete',
      '25 complete: 1 ended not_seen [24 25], 2 ended not_seen [24 25]',
    ]);
  });

  test('stays unchanged as long as it is stale', () => {
    const observations = [
      found(20, [ad(1), old]),
      found(21, [ad(1), old]),
      found(22, [ad(1), { ...old, observation: 'b' }]),
    ];
    expect(evaluated(observations).slice(1)).toEqual(['21 complete', '22 complete']);
  });

  test('does not change in addition, and is compared to the new content afterwards', () => {
    const observations = [
      found(1, one),
      none(2),
      none(3),
      none(4),
      found(5, [ad(1, { observation: 'b', version: 11 })]),
      found(6, [ad(1, { observation: 'b', version: 11 })]),
      found(7, one),
    ];
    expect(evaluated(observations).slice(4)).toEqual([
      '5 complete: 1 reactivated',
      '6 complete',
      '7 complete: 1 changed 11 to 10',
    ]);
  });
});

describe('R7: an active ad', () => {
  const asB = ad(1, { observation: 'b', version: 11 });

  test.each([{}, cut, broken])('changes if its content differs from before: %o', (extent) => {
    expect(evaluated([found(1, one), found(2, [asB], extent), found(3, [asB], extent)])[1]).toMatch(
      /: 1 changed 10 to 11$/,
    );
  });

  test('does not change with its version only, which is stored', () => {
    const renamed = ad(1, { version: 12 });
    expect(evaluated([found(1, one), found(2, [renamed]), found(3, [asB])]).slice(1)).toEqual([
      '2 complete',
      '3 complete: 1 changed 12 to 11',
    ]);
  });

  test('is compared across observations without it', () => {
    expect(evaluated([found(1, both), found(2, [ad(2)]), found(3, [asB, ad(2)])])[2]).toBe(
      '3 complete: 1 changed 10 to 11',
    );
  });
});
