import { describe, expect, test } from 'vitest';
import { ad, found, evaluated, observation, none } from '../../../support/scans/observation-builders.ts';
import { evaluateHistory } from '../../../support/scans/reference-model.ts';

const both = [ad(1), ad(2)];
const one = [ad(1)];
const asB = ad(1, { observation: 'b', version: 11 });
const first = '1 complete: 1 baseline first_scan, 2 baseline first_scan';

describe('A2: an answer that is not newer than the last', () => {
  test('changes nothing, and gets its completeness like any other', () => {
    const observations = [
      found(1, both),
      found(2, [asB, ad(3)], { day: 1 }),
      found(3, [ad(2, { lastSeen: -90 })], { day: 0, truncated: true }),
      found(4, one, { day: 1, partial: true }),
      observation(5, 'no_match', { day: 1 }),
    ];
    expect(evaluated(observations)).toEqual([
      first,
      '2 complete',
      '3 truncated',
      '4 partial',
      '5 unconfirmed_empty',
    ]);
    expect(evaluateHistory(observations, { missesToEnd: 1, staleDays: 14 }).observations.at(-1)).toEqual({
      scan: 5,
      completeness: 'unconfirmed_empty',
      isBaseline: false,
      adsActive: 2,
    });
  });

  test('does not count as a miss', () => {
    const observations = [found(1, both), found(2, one), found(3, one, { day: 2 }), found(4, one)];
    expect(evaluated(observations)).toEqual([
      first,
      '2 complete',
      '3 complete',
      '4 complete: 2 ended not_seen [2 4]',
    ]);
  });

  test('does not count as a sighting', () => {
    const observations = [found(1, both), found(2, one), found(3, both, { day: 2 }), found(4, one)];
    expect(evaluated(observations).at(-1)).toBe('4 complete: 2 ended not_seen [2 4]');
  });

  test('does not confirm an empty observation, is not confirmed and does not separate two', () => {
    const observations = [found(1, one), none(2), none(3, { day: 2 }), none(4), none(5, { day: 4 })];
    expect(evaluated(observations).slice(1)).toEqual([
      '2 unconfirmed_empty',
      '3 unconfirmed_empty',
      '4 complete',
      '5 unconfirmed_empty',
    ]);
  });

  test('is complete if it is empty and no ad is active', () => {
    expect(evaluated([none(1), none(2, { day: 1 })])).toEqual(['1 complete', '2 complete']);
  });

  test('is not the previous observation of a first sighting', () => {
    const observations = [
      found(20, one),
      found(21, [asB], { day: 20, sources: ['other'], truncated: true }),
      found(22, [asB, ad(2)], { sources: ['other'] }),
      found(23, [asB, ad(3)], { sources: ['other'] }),
    ];
    expect(evaluated(observations).slice(1)).toEqual([
      '21 truncated',
      '22 complete: 2 baseline missed_earlier',
      '23 complete: 3 new',
    ]);
  });

  test('is compared to the newest answer, not to another repeated one', () => {
    const observations = [
      found(5, one),
      found(6, one, { day: 3 }),
      found(7, both, { day: 4 }),
      found(8, both),
    ];
    expect(evaluated(observations).slice(1)).toEqual(['6 complete', '7 complete', '8 complete: 2 new']);
  });

  test('counts as the result of its scan, so that a retry of an earlier scan is too late', () => {
    const failed = observation(2, 'failed', { sources: [] });
    const observations = [found(1, one), failed, found(3, one, { day: 1 }), found(2, both, { day: 4 })];
    expect(evaluated(observations).slice(1)).toEqual(['2 nothing', '3 complete', '2 nothing']);
  });

  test('can be the first of a company', () => {
    expect(evaluated([observation(1, 'no_match'), found(2, one, { day: 0 })])).toEqual([
      '1 unconfirmed_empty',
      '2 complete: 1 baseline first_scan',
    ]);
  });
});

describe('A3: the day of an observation', () => {
  const snapshot = { sources: ['snapshot'] };
  const dated = ad(1, { lastSeen: 40 });

  test('is not before the day of the previous observation, for example if a data set follows a live source', () => {
    const observations = [found(60, [dated]), found(61, [ad(2, { lastSeen: 45 })], snapshot)];
    expect(evaluated(observations, { staleDays: 20 })[1]).toBe('61 complete: 2 baseline missed_earlier');
    expect(evaluated(observations, { staleDays: 14 })).toEqual([
      '60 complete: 1 baseline long_ago',
      '61 complete: 2 baseline long_ago',
    ]);
  });

  test('is kept by an unconfirmed observation, too', () => {
    const observations = [
      found(40, [dated], snapshot),
      observation(60, 'no_match'),
      found(61, [dated], snapshot),
    ];
    expect(evaluated(observations)).toEqual([
      '40 complete: 1 baseline first_scan',
      '60 unconfirmed_empty',
      '61 complete: 1 ended last_seen_long_ago',
    ]);
  });
});

describe('A3, R4: an ad that is first seen', () => {
  test('is compared to that day of the previous observation', () => {
    const observations = [
      found(60, [ad(1)]),
      found(61, [ad(1, { lastSeen: 50 })], { sources: ['snapshot'] }),
    ];
    const ads = [ad(2, { start: 53 }), ad(3, { start: 52 })];
    expect(evaluated([...observations, found(62, ads, { sources: ['snapshot'] })])[2]).toBe(
      '62 complete: 2 new, 3 baseline missed_earlier',
    );
  });
});

describe('A4: an ad that is seen', () => {
  test('has the newest last-seen date of all sources', () => {
    const observations = [
      found(20, [ad(1, { lastSeen: 20 })]),
      found(34, [ad(1, { lastSeen: 1 })], { sources: ['other'] }),
      found(35, [ad(1, { lastSeen: 2 })]),
    ];
    expect(evaluated(observations).slice(1)).toEqual([
      '34 complete',
      '35 complete: 1 ended last_seen_long_ago',
    ]);
  });

  test('is seen on the day of the answer if that has no date', () => {
    const observations = [
      found(20, [ad(1, { lastSeen: 20 }), ad(2, { lastSeen: 1 }), ad(3)]),
      found(90, [ad(1), ad(2), ad(3)]),
    ];
    expect(evaluated(observations)[1]).toBe('90 complete: 2 reactivated');
  });
});

describe('A10: the day of an empty observation of data sets', () => {
  const start = found(20, [ad(1, { lastSeen: 20 })], { sources: ['main'] });
  const missed = (others: Readonly<Record<string, number>>, sources: readonly string[]) => {
    const empty = { sources, othersLastSeen: others };
    return evaluated([start, none(60, empty), none(61, empty)]).at(-1);
  };

  test('is the newest day in the data set of the scan', () => {
    expect(missed({ snapshot: 34 }, ['snapshot'])).toBe('61 complete');
    expect(missed({ snapshot: 35 }, ['snapshot'])).toBe('61 complete: 1 ended last_seen_long_ago');
    expect(missed({ 'snapshot?max_ads=5': 34 }, ['snapshot?max_ads=5'])).toBe('61 complete');
  });

  test('is the day of the observation if the scan has no data of that set', () => {
    expect(missed({}, ['snapshot'])).toBe('61 complete: 1 ended last_seen_long_ago');
    expect(missed({ sample: 34 }, ['snapshot'])).toBe('61 complete: 1 ended last_seen_long_ago');
  });

  test('is the newest of several', () => {
    expect(missed({ snapshot: 22, sample: 34 }, ['snapshot', 'sample'])).toBe('61 complete');
    expect(missed({ snapshot: 22, sample: 35 }, ['snapshot', 'sample'])).toBe(
      '61 complete: 1 ended last_seen_long_ago',
    );
    expect(missed({ snapshot: 22 }, ['snapshot', 'other'])).toBe('61 complete: 1 ended last_seen_long_ago');
  });
});

test('A11: after the limit of misses is lowered, an ad ends at the next miss and rests on all', () => {
  const lower = { edited: { missesToEnd: 2, staleDays: 14 } };
  const observations = [
    found(1, both),
    found(2, one),
    found(3, one),
    found(4, one, { ...lower, truncated: true }),
    found(5, one),
  ];
  expect(evaluated(observations, { missesToEnd: 9 }).slice(1)).toEqual([
    '2 complete',
    '3 complete',
    '4 truncated',
    '5 complete: 2 ended not_seen [2 3 5]',
  ]);
});
