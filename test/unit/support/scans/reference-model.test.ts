import { describe, expect, test } from 'vitest';
import { evaluateHistory } from '../../../support/scans/reference-model.ts';
import { ad, found, evaluated, observation, none } from '../../../support/scans/observation-builders.ts';

const cut = { truncated: true };
const broken = { partial: true };

describe('R1: completeness of an observation', () => {
  test('follows the extent of its ads; partial takes precedence over truncated', () => {
    const observations = [
      found(1, [ad(1)]),
      found(2, [ad(1)], cut),
      found(3, [ad(1)], broken),
      found(4, [ad(1)], { ...cut, ...broken }),
    ];
    expect(evaluated(observations)).toEqual([
      '1 complete: 1 baseline first_scan',
      '2 truncated',
      '3 partial',
      '4 partial',
    ]);
  });

  test('is complete for an empty one if no ad is active', () => {
    expect(evaluated([none(1), none(2)])).toEqual(['1 complete', '2 complete']);
  });

  test('is unconfirmed for the first empty one if an ad is active, and complete for the second', () => {
    expect(evaluated([found(1, [ad(1)]), none(2), none(3)])).toEqual([
      '1 complete: 1 baseline first_scan',
      '2 unconfirmed_empty',
      '3 complete',
    ]);
  });

  test('is complete for an empty one after all ads have ended, and unconfirmed again after new ads', () => {
    const observations = [found(1, [ad(1)]), none(2), none(3), none(4), none(5), found(6, [ad(1)]), none(7)];
    expect(evaluated(observations)).toEqual([
      '1 complete: 1 baseline first_scan',
      '2 unconfirmed_empty',
      '3 complete',
      '4 complete: 1 ended not_seen [3 4]',
      '5 complete',
      '6 complete: 1 reactivated',
      '7 unconfirmed_empty',
    ]);
  });

  test('is unconfirmed if the company was not identified, which confirms no empty one', () => {
    expect(evaluated([found(1, [ad(1)]), none(2), observation(3, 'no_match'), none(4), none(5)])).toEqual([
      '1 complete: 1 baseline first_scan',
      '2 unconfirmed_empty',
      '3 unconfirmed_empty',
      '4 unconfirmed_empty',
      '5 complete',
    ]);
  });

  test('is unconfirmed if the company was not identified, even if no ad is active', () => {
    expect(evaluated([none(1), observation(2, 'no_match')])).toEqual(['1 complete', '2 unconfirmed_empty']);
  });

  test.each(['failed', 'cancelled', 'open'] as const)(
    'is missing for a scan that is %s, which does not separate others',
    (outcome) => {
      const observations = [
        found(1, [ad(1)]),
        none(2),
        observation(3, outcome, { sources: [] }),
        none(4),
        none(5),
      ];
      expect(evaluated(observations)).toEqual([
        '1 complete: 1 baseline first_scan',
        '2 unconfirmed_empty',
        '3 nothing',
        '4 complete',
        '5 complete: 1 ended not_seen [4 5]',
      ]);
    },
  );

  test('is given to a retry as long as no later scan has an observation', () => {
    const failed = observation(2, 'failed', { sources: [] });
    const later = [ad(1), ad(2)];
    const inTime = [
      found(1, [ad(1)]),
      failed,
      observation(3, 'failed', { sources: [] }),
      found(2, later, { day: 4 }),
    ];
    expect(evaluated([...inTime, found(4, [ad(1)], { day: 5 })])).toEqual([
      '1 complete: 1 baseline first_scan',
      '2 nothing',
      '3 nothing',
      '2 complete: 2 new',
      '4 complete',
    ]);
    expect(evaluated([found(1, [ad(1)]), failed, found(3, [ad(1)]), found(2, later, { day: 4 })])).toEqual([
      '1 complete: 1 baseline first_scan',
      '2 nothing',
      '3 complete',
      '2 nothing',
    ]);
  });
});

describe('R2: the baseline', () => {
  test.each([cut, broken])(
    'is the first observation with ads, of any completeness, without new ads: %o',
    (extent) => {
      const [first] = evaluated([found(1, [ad(1), ad(2)], extent)]);
      expect(first).toMatch(/: 1 baseline first_scan, 2 baseline first_scan$/);
    },
  );

  test('can be empty, and later ads are new', () => {
    expect(evaluated([none(1), found(2, [ad(1)])])).toEqual(['1 complete', '2 complete: 1 new']);
  });

  test('follows observations that did not identify the company or failed', () => {
    const observations = [
      observation(1, 'no_match'),
      observation(2, 'failed'),
      observation(3, 'no_match'),
      found(4, [ad(1)]),
      found(5, [ad(2)]),
    ];
    expect(evaluated(observations)).toEqual([
      '1 unconfirmed_empty',
      '2 nothing',
      '3 unconfirmed_empty',
      '4 complete: 1 baseline first_scan',
      '5 complete: 2 new',
    ]);
    expect(evaluateHistory(observations, { missesToEnd: 2, staleDays: 14 }).observations).toMatchObject([
      { isBaseline: false, adsActive: 0 },
      { isBaseline: false, adsActive: 0 },
      { isBaseline: false, adsActive: 0 },
      { isBaseline: true, adsActive: 1 },
      { isBaseline: false, adsActive: 2 },
    ]);
  });

  test('can have the same time as an observation that did not identify the company', () => {
    const observations = [
      observation(1, 'no_match'),
      found(2, [ad(1)], { day: 1 }),
      found(3, [ad(1), ad(2)]),
    ];
    expect(evaluated(observations)).toEqual([
      '1 unconfirmed_empty',
      '2 complete: 1 baseline first_scan',
      '3 complete: 2 new',
    ]);
  });

  test('is not a retry of a scan before one that did not identify the company', () => {
    const observations = [
      observation(1, 'failed', { sources: [] }),
      observation(2, 'no_match'),
      found(1, [ad(1)], { day: 3 }),
    ];
    expect(evaluated(observations)).toEqual(['1 nothing', '2 unconfirmed_empty', '1 nothing']);
  });
});

test('R8: ads without ids are ignored, and a duplicate ad counts once, with its first content', () => {
  const observations = [
    found(1, [ad(1), ad(2, { hasIds: false }), ad(1, { observation: 'b', version: 11 })]),
    found(2, [ad(3, { hasIds: false }), ad(1), ad(1, { observation: 'b', version: 11, lastSeen: -30 })]),
    found(3, [ad(2, { hasIds: false })]),
    found(4, [ad(2, { hasIds: false })]),
  ];
  expect(evaluated(observations)).toEqual([
    '1 complete: 1 baseline first_scan',
    '2 complete',
    '3 complete',
    '4 complete: 1 ended not_seen [3 4]',
  ]);
});

test('R9: each change has the state and the content of the ad, and the scans that it rests on', () => {
  const observations = [
    found(1, [ad(1)]),
    found(2, [ad(1, { observation: 'b', version: 11 }), ad(2)]),
    found(3, [ad(2)]),
    found(4, [ad(2)]),
    found(5, [ad(1), ad(2, { lastSeen: -30, version: 21 })], { partial: true }),
  ];
  const plain = { reason: null, versionBefore: null, isActive: true };
  expect(evaluateHistory(observations, { missesToEnd: 2, staleDays: 14 }).changes).toEqual([
    { ...plain, scan: 1, ad: 1, kind: 'baseline', reason: 'first_scan', version: 10, restsOn: [1] },
    { ...plain, scan: 2, ad: 1, kind: 'changed', version: 11, versionBefore: 10, restsOn: [2] },
    { ...plain, scan: 2, ad: 2, kind: 'new', version: 20, restsOn: [2] },
    { ...plain, ...ended, scan: 4, ad: 1, reason: 'not_seen', version: 11, restsOn: [3, 4] },
    { ...plain, scan: 5, ad: 1, kind: 'reactivated', version: 10, restsOn: [5] },
    { ...plain, ...ended, scan: 5, ad: 2, reason: 'last_seen_long_ago', version: 21, restsOn: [5] },
  ]);
});

const ended = { kind: 'ended', isActive: false };
