import { describe, expect, test } from 'vitest';
import type { Tracked } from '../../../../../src/core/changes/apply-observation.ts';
import {
  ad,
  dayOf,
  summarize,
  buildScenario,
  type ObservationChanges,
} from '../../../../support/scans/observations.ts';

/** Ways in which an answer is incomplete, and the resulting completeness of an observation. */
const incomplete: readonly (readonly [string, ObservationChanges, string])[] = [
  ['truncated', { truncated: true }, 'truncated'],
  ['partial', { partial: true }, 'partial'],
  ['partial and truncated', { partial: true, truncated: true }, 'partial'],
];

describe('the first observation of a company', () => {
  test('is the baseline, without new ads', () => {
    const scenario = buildScenario();
    const first = scenario.observation({ ads: [ad(2), ad(1)] });
    expect(first).toMatchObject({ completeness: 'complete', isBaseline: true, adsActive: 2 });
    expect(first.changes).toEqual([
      changeOf({ adId: 1n, kind: 'baseline', reason: 'first_scan', versionId: 100n }),
      changeOf({ adId: 2n, kind: 'baseline', reason: 'first_scan', versionId: 200n }),
    ]);
  });

  test.each(incomplete)('is the baseline even if it is %s', (_name, reported, completeness) => {
    const first = buildScenario().observation({ ...reported, ads: [ad(1)] });
    expect(first).toMatchObject({ completeness, isBaseline: true });
    expect(summarize(first.changes)).toEqual(['1 baseline first_scan']);
  });

  test('is a complete baseline if it has no ads; later ads are new', () => {
    const scenario = buildScenario();
    expect(scenario.observation({})).toMatchObject({
      completeness: 'complete',
      isBaseline: true,
      adsActive: 0,
      changes: [],
    });
    expect(summarize(scenario.observation({ ads: [ad(1, { start: dayOf(1) })] }).changes)).toEqual(['1 new']);
  });

  test('is not the baseline if no source identified the company; the next observation is', () => {
    const scenario = buildScenario();
    const unknown = scenario.observation({ outcome: 'no_match' });
    expect(unknown).toEqual({
      completeness: 'unconfirmed_empty',
      day: dayOf(0),
      isBaseline: false,
      adsActive: 0,
      changes: [],
      state: null,
    });
    expect(summarize(scenario.observation({ ads: [ad(1, { start: dayOf(1) })] }).changes)).toEqual([
      '1 baseline first_scan',
    ]);
  });

  test('has an ad that was last seen long ago as inactive', () => {
    const scenario = buildScenario({ staleDays: 14 });
    const ads = [ad(1, { lastSeen: dayOf(-15) }), ad(2, { lastSeen: dayOf(-14) }), ad(3, { lastSeen: null })];
    const first = scenario.observation({ ads });
    expect(first.changes).toEqual([
      changeOf({ adId: 1n, kind: 'baseline', reason: 'long_ago', versionId: 100n, isActive: false }),
      changeOf({ adId: 2n, kind: 'baseline', reason: 'first_scan', versionId: 200n }),
      changeOf({ adId: 3n, kind: 'baseline', reason: 'first_scan', versionId: 300n }),
    ]);
    expect(first.adsActive).toBe(2);
  });
});

describe('completeness of an observation', () => {
  test('is unconfirmed for a first empty answer after active ads, and complete for the second in a row', () => {
    const scenario = buildScenario({ missesToEnd: 3 });
    const seen = [{ ads: [ad(1)] }, {}, {}, {}].map(
      (reported) => scenario.observation(reported).completeness,
    );
    expect(seen).toEqual(['complete', 'unconfirmed_empty', 'complete', 'complete']);
  });

  test('is unconfirmed again for an empty answer after ads were seen', () => {
    const scenario = buildScenario({ missesToEnd: 9 });
    const reported = [{ ads: [ad(1)] }, {}, { ads: [ad(1)] }, {}];
    expect(reported.map((one) => scenario.observation(one).completeness)[3]).toBe('unconfirmed_empty');
  });

  test('is complete for a repeated empty answer only if it comes from the same source', () => {
    const scenario = buildScenario();
    const reported: readonly ObservationChanges[] = [
      { ads: [ad(1)] },
      {},
      { sources: ['adyntel'] },
      { sources: ['adyntel'] },
    ];
    expect(reported.map((one) => scenario.observation(one).completeness).slice(2)).toEqual([
      'unconfirmed_empty',
      'complete',
    ]);
  });

  test('is complete for an empty answer if no ad is active', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (const reported of [{ ads: [ad(1)] }, {}, {}]) scenario.observation(reported);
    expect(scenario.observation({ outcome: 'no_match' }).completeness).toBe('unconfirmed_empty');
    expect(scenario.observation({}).completeness).toBe('complete');
  });

  test('is unconfirmed if no source identified the company, which does not confirm an empty answer', () => {
    const scenario = buildScenario();
    const reported: readonly ObservationChanges[] = [{ ads: [ad(1)] }, {}, { outcome: 'no_match' }, {}];
    expect(reported.map((one) => scenario.observation(one).completeness)).toEqual([
      'complete',
      'unconfirmed_empty',
      'unconfirmed_empty',
      'unconfirmed_empty',
    ]);
  });
});

describe('an ad that is first seen after the baseline', () => {
  test('is new if it started at most a week before the previous observation', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    const { changes } = scenario.observation({
      ads: [ad(1), ad(2, { start: dayOf(1) }), ad(3, { start: dayOf(-7) }), ad(4, { start: dayOf(-8) })],
    });
    expect(changes).toEqual([
      changeOf({ adId: 2n, kind: 'new', versionId: 200n, restsOn: [2n] }),
      changeOf({ adId: 3n, kind: 'new', versionId: 300n, restsOn: [2n] }),
      changeOf({ adId: 4n, kind: 'baseline', reason: 'missed_earlier', versionId: 400n, restsOn: [2n] }),
    ]);
  });

  test.each(incomplete)('is new after a %s observation only if it started since then', (_name, reported) => {
    const scenario = buildScenario();
    scenario.observation({ ...reported, ads: [ad(1)] });
    const { changes } = scenario.observation({
      ads: [ad(1), ad(2, { start: dayOf(0) }), ad(3, { start: dayOf(-1) })],
    });
    expect(summarize(changes)).toEqual(['2 new', '3 baseline missed_earlier']);
  });

  test('is new after an observation of another source only if it started since then', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    const ads = [ad(2, { start: dayOf(0) }), ad(3, { start: dayOf(-1) }), ad(4, { start: null })];
    expect(summarize(scenario.observation({ sources: ['adyntel'], ads }).changes)).toEqual([
      '2 new',
      '3 baseline missed_earlier',
      '4 baseline missed_earlier',
    ]);
  });

  test('is compared to the last confirmed observation after an unconfirmed one', () => {
    const scenario = buildScenario();
    for (const reported of [{ ads: [ad(1)] }, {}]) scenario.observation(reported);
    const ads = [ad(1), ad(2, { start: dayOf(-7) }), ad(3, { start: dayOf(-8) }), ad(4, { start: null })];
    expect(summarize(scenario.observation({ ads }).changes)).toEqual([
      '2 new',
      '3 baseline missed_earlier',
      '4 new',
    ]);
  });

  test('is new without a start date only after a complete observation of the same source', () => {
    const whole = buildScenario();
    whole.observation({ ads: [ad(1)] });
    expect(summarize(whole.observation({ ads: [ad(2, { start: null })] }).changes)).toEqual(['2 new']);
    const cut = buildScenario();
    cut.observation({ truncated: true, ads: [ad(1)] });
    expect(summarize(cut.observation({ ads: [ad(2, { start: null })] }).changes)).toEqual([
      '2 baseline missed_earlier',
    ]);
  });

  test('is new if its source was among those that found no ads before', () => {
    const scenario = buildScenario();
    scenario.observation({ sources: ['serpapi', 'adyntel'] });
    const { changes } = scenario.observation({ sources: ['adyntel'], ads: [ad(1, { start: dayOf(-7) })] });
    expect(summarize(changes)).toEqual(['1 new']);
  });

  test('is inactive if it was last seen long ago', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    const { changes, adsActive } = scenario.observation({
      ads: [ad(1), ad(2, { start: dayOf(1), lastSeen: dayOf(-14) })],
    });
    expect(changes).toEqual([
      changeOf({
        adId: 2n,
        kind: 'baseline',
        reason: 'long_ago',
        versionId: 200n,
        isActive: false,
        restsOn: [2n],
      }),
    ]);
    expect(adsActive).toBe(1);
  });

  test('is compared to the day of the previous snapshot, not to the day of its scan', () => {
    const scenario = buildScenario({ staleDays: 365 });
    scenario.observation({ sources: ['snapshot'], day: dayOf(-60), ads: [ad(1)] });
    const { changes } = scenario.observation({
      sources: ['snapshot'],
      ads: [ad(1), ad(2, { start: dayOf(-30) })],
    });
    expect(summarize(changes)).toEqual(['2 new']);
  });
});

describe('an active ad', () => {
  test('ends after enough complete observations in a row without it, with their scans', () => {
    const scenario = buildScenario({ missesToEnd: 3 });
    for (const ads of [[ad(1), ad(2)], [ad(1)], [ad(1)]]) scenario.observation({ ads });
    const { changes, adsActive } = scenario.observation({ ads: [ad(1)] });
    expect(changes).toEqual([
      changeOf({
        adId: 2n,
        kind: 'ended',
        reason: 'not_seen',
        versionId: 200n,
        isActive: false,
        restsOn: [2n, 3n, 4n],
      }),
    ]);
    expect(adsActive).toBe(1);
    expect(scenario.observation({ ads: [ad(1)] }).changes).toEqual([]);
  });

  test('does not end if it is seen in between', () => {
    const scenario = buildScenario();
    const answers = [[ad(1), ad(2)], [ad(1)], [ad(1), ad(2)], [ad(1)]];
    expect(answers.flatMap((ads) => scenario.observation({ ads }).changes).length).toBe(2);
  });

  test.each(incomplete)('is seen even in a %s observation', (_name, reported) => {
    const scenario = buildScenario();
    const answers: readonly ObservationChanges[] = [
      { ads: [ad(1), ad(2)] },
      { ads: [ad(1)] },
      { ...reported, ads: [ad(2)] },
      { ads: [ad(1)] },
    ];
    expect(answers.flatMap((one) => scenario.observation(one).changes).length).toBe(2);
  });

  test.each(incomplete)('is neither ended nor kept by %s observations without it', (_name, reported) => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1), ad(2)] });
    for (let i = 0; i < 5; i += 1)
      expect(scenario.observation({ ...reported, ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ...reported, ads: [ad(1)] }).changes).toEqual([]);
    const { changes } = scenario.observation({ ads: [ad(1)] });
    expect(changes).toMatchObject([{ adId: 2n, kind: 'ended', reason: 'not_seen', restsOn: [7n, 9n] }]);
  });

  test('does not end by single empty answers, no matter how many', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (let i = 0; i < 4; i += 1) {
      expect(summarize(scenario.observation({ ads: [ad(1)] }).changes)).toEqual(
        i === 0 ? ['1 baseline first_scan'] : [],
      );
      expect(scenario.observation({}).changes).toEqual([]);
    }
  });

  test('ends after empty answers in a row, of which the first does not count', () => {
    const scenario = buildScenario({ missesToEnd: 2 });
    for (const reported of [{ ads: [ad(1)] }, {}, {}]) scenario.observation(reported);
    expect(scenario.observation({}).changes).toMatchObject([
      { kind: 'ended', reason: 'not_seen', restsOn: [3n, 4n] },
    ]);
  });

  test('does not end by observations that did not identify the company', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    scenario.observation({ ads: [ad(1)] });
    for (let i = 0; i < 4; i += 1) expect(scenario.observation({ outcome: 'no_match' }).changes).toEqual([]);
  });

  test('ends at once if its source last saw it long ago, in an observation of any completeness', () => {
    for (const reported of [{}, { truncated: true }, { partial: true }]) {
      const scenario = buildScenario();
      scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-14) })] });
      const { changes, adsActive } = scenario.observation({
        ...reported,
        ads: [ad(1, { lastSeen: dayOf(-14) })],
      });
      expect(changes).toEqual([
        changeOf({
          adId: 1n,
          kind: 'ended',
          reason: 'last_seen_long_ago',
          versionId: 100n,
          isActive: false,
          restsOn: [2n],
        }),
      ]);
      expect(adsActive).toBe(0);
    }
  });

  test('does not end by a last-seen date that is missing or older than a known one', () => {
    const scenario = buildScenario();
    const days = [dayOf(-1), dayOf(-30), null];
    const observations = days.map((lastSeen) => scenario.observation({ ads: [ad(1, { lastSeen })] }));
    expect(observations.map(({ changes }) => summarize(changes))).toEqual([
      ['1 baseline first_scan'],
      [],
      [],
    ]);
  });

  test('does not end by an answer of an earlier day than the previous one', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-14) })] });
    const { day, changes } = scenario.observation({
      day: dayOf(-5),
      ads: [ad(1), ad(2, { lastSeen: dayOf(-15) })],
    });
    expect(day).toBe(dayOf(0));
    expect(summarize(changes)).toEqual(['2 baseline long_ago']);
  });

  test('changes if its content differs from the last content of the same source', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    expect(scenario.observation({ ads: [ad(1, { versionId: 101n })] }).changes).toEqual([
      changeOf({ adId: 1n, kind: 'changed', versionId: 101n, versionBefore: 100n, restsOn: [2n] }),
    ]);
    expect(scenario.observation({ ads: [ad(1, { versionId: 101n })] }).changes).toEqual([]);
  });

  test('does not change with another version of the same content', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    expect(
      scenario.observation({ ads: [ad(1, { versionId: 101n, contentHash: 'look 100' })] }).changes,
    ).toEqual([]);
  });

  test('does not change by different content of another source, only by that of its own', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    expect(scenario.observation({ sources: ['adyntel'], ads: [ad(1, { versionId: 150n })] }).changes).toEqual(
      [],
    );
    expect(scenario.observation({ ads: [ad(1, { versionId: 101n })] }).changes).toMatchObject([
      { kind: 'changed', versionId: 101n, versionBefore: 100n },
    ]);
    expect(scenario.observation({ sources: ['adyntel'], ads: [ad(1, { versionId: 150n })] }).changes).toEqual(
      [],
    );
  });

  test('is reactivated but not changed if it reappears with different content', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (const ads of [[ad(1), ad(2)], [ad(1)]]) scenario.observation({ ads });
    const { changes } = scenario.observation({ ads: [ad(1), ad(2, { versionId: 201n })] });
    expect(changes).toEqual([changeOf({ adId: 2n, kind: 'reactivated', versionId: 201n, restsOn: [3n] })]);
  });
});

describe('observations of several sources', () => {
  test('end an ad only if their source had it before', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    scenario.observation({ ads: [ad(1), ad(2)] });
    expect(scenario.observation({ sources: ['adyntel'], ads: [ad(1)] }).changes).toEqual([]);
    expect(summarize(scenario.observation({ ads: [ad(1)] }).changes)).toEqual(['2 ended not_seen']);
  });

  test('end an ad of their source even if another source saw it last', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1), ad(2)] });
    scenario.observation({ sources: ['adyntel'], ads: [ad(1), ad(2)] });
    expect(scenario.observation({ ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ads: [ad(1)] }).changes).toMatchObject([
      { adId: 2n, kind: 'ended', restsOn: [3n, 4n] },
    ]);
  });

  test('count an empty answer for every source that gave it', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    scenario.observation({ sources: ['adyntel'], ads: [ad(1)] });
    scenario.observation({ sources: ['serpapi', 'adyntel'] });
    expect(summarize(scenario.observation({ sources: ['serpapi', 'adyntel'] }).changes)).toEqual([
      '1 ended not_seen',
    ]);
  });

  test('end an ad of another source by its last-seen date, in a complete observation', () => {
    const scenario = buildScenario({ missesToEnd: 1, staleDays: 2 });
    scenario.observation({ ads: [ad(1)] });
    scenario.observation({
      sources: ['adyntel'],
      ads: [ad(1), ad(2, { start: dayOf(1), lastSeen: dayOf(1) })],
    });
    expect(scenario.observation({ ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ truncated: true, ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ads: [ad(1)] }).changes).toMatchObject([
      { adId: 2n, kind: 'ended', reason: 'last_seen_long_ago', restsOn: [6n] },
    ]);
  });
});

describe('an inactive ad', () => {
  test('is reactivated each time it is seen again', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    const reported = [];
    for (const ads of [[ad(1), ad(2)], [ad(1)], [ad(1), ad(2)], [ad(1)], [ad(1), ad(2)]])
      reported.push(summarize(scenario.observation({ ads }).changes));
    expect(reported.slice(1)).toEqual([
      ['2 ended not_seen'],
      ['2 reactivated'],
      ['2 ended not_seen'],
      ['2 reactivated'],
    ]);
  });

  test('is reactivated by a recent last-seen date', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-100) })] });
    expect(scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-99) })] }).changes).toEqual([]);
    expect(summarize(scenario.observation({ ads: [ad(1, { lastSeen: dayOf(2) })] }).changes)).toEqual([
      '1 reactivated',
    ]);
  });

  test('has its last observation updated even if it stays inactive', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-100) })] });
    scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-99), versionId: 101n })] });
    expect(scenario.state()?.ads.get(1n)).toMatchObject({
      isActive: false,
      firstScanId: 1n,
      lastScanId: 2n,
      lastSeen: dayOf(-99),
      last: { versionId: 101n },
    });
  });
});

describe('the days of an ad in its changes', () => {
  const ranOf = ({ changes }: Tracked) => changes.map(({ ranFrom, ranTo }) => [ranFrom, ranTo]);

  test('begin with the start date of the source, or with the day of the observation', () => {
    const scenario = buildScenario();
    const ads = [ad(1, { start: dayOf(-30) }), ad(2, { start: null })];
    expect(ranOf(scenario.observation({ ads }))).toEqual([
      [dayOf(-30), null],
      [dayOf(0), null],
    ]);
    const later = [...ads, ad(3, { start: dayOf(-20) }), ad(4, { start: dayOf(0) })];
    expect(ranOf(scenario.observation({ ads: later }))).toEqual([
      [dayOf(-20), null],
      [dayOf(0), null],
    ]);
  });

  test('are those of the source for an ad that was last seen long ago', () => {
    const ads = [
      ad(1, { start: dayOf(-90), lastSeen: dayOf(-60) }),
      ad(2, { start: null, lastSeen: dayOf(-60) }),
    ];
    expect(ranOf(buildScenario().observation({ ads }))).toEqual([
      [dayOf(-90), dayOf(-60)],
      [dayOf(-60), dayOf(-60)],
    ]);
  });

  test('end with the last-seen date of the source, or with the last observation', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1), ad(2), ad(3)] });
    scenario.observation({ ads: [ad(1, { lastSeen: dayOf(0) }), ad(2), ad(3)] });
    scenario.observation({ ads: [ad(3)] });
    expect(ranOf(scenario.observation({ ads: [ad(3, { lastSeen: dayOf(-20) })] }))).toEqual([
      [null, dayOf(0)],
      [null, dayOf(1)],
      [null, dayOf(-20)],
    ]);
  });

  test('begin again with a reactivation', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (const ads of [[ad(1), ad(2), ad(3)], [ad(1)]]) scenario.observation({ ads });
    expect(ranOf(scenario.observation({ ads: [ad(1), ad(2), ad(3, { lastSeen: dayOf(1) })] }))).toEqual([
      [dayOf(2), null],
      [dayOf(1), null],
    ]);
  });

  test('are empty in a change of its content', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    expect(ranOf(scenario.observation({ ads: [ad(1, { versionId: 101n })] }))).toEqual([[null, null]]);
  });
});

describe('a duplicate', () => {
  test('of an ad in one answer is ignored', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    const { changes, adsActive } = scenario.observation({
      ads: [ad(1), ad(1, { versionId: 101n, lastSeen: dayOf(-100) })],
    });
    expect({ changes, adsActive }).toEqual({ changes: [], adsActive: 1 });
  });

  test('of an earlier answer changes nothing and confirms nothing', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    scenario.observation({ ads: [ad(1)] });
    const empty = { observedAt: new Date(`${dayOf(1)}T02:00:00Z`) };
    scenario.observation(empty);
    const before = scenario.state();
    for (let i = 0; i < 3; i += 1) {
      expect(scenario.observation(empty)).toMatchObject({
        completeness: 'unconfirmed_empty',
        changes: [],
        adsActive: 1,
      });
      expect(scenario.state()).toBe(before);
    }
    expect(summarize(scenario.observation({}).changes)).toEqual(['1 ended not_seen']);
  });
});

/** The fields of a change that most tests compare: all but its days. */
function changeOf(changes: object): unknown {
  return expect.objectContaining({
    reason: null,
    versionBefore: null,
    isActive: true,
    restsOn: [1n],
    ...changes,
  });
}
