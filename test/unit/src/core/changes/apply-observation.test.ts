import { describe, expect, test } from 'vitest';
import type { Tracked } from '../../../../../src/core/changes/apply-observation.ts';
import {
  ad,
  dayOf,
  summarize,
  buildScenario,
  type ObservationChanges,
} from '../../../../support/scans/observations.ts';

/** Ways in which an answer is less than everything there is, and what a look then is. */
const incomplete: readonly (readonly [string, ObservationChanges, string])[] = [
  ['truncated', { truncated: true }, 'truncated'],
  ['partial', { partial: true }, 'partial'],
  ['partial and truncated', { partial: true, truncated: true }, 'partial'],
];

describe('the first look at a company', () => {
  test('is its baseline: nothing in it is news', () => {
    const scenario = buildScenario();
    const first = scenario.observation({ ads: [ad(2), ad(1)] });
    expect(first).toMatchObject({ completeness: 'complete', isBaseline: true, adsActive: 2 });
    expect(first.changes).toEqual([
      changeOf({ adId: 1n, kind: 'baseline', reason: 'first_scan', versionId: 100n }),
      changeOf({ adId: 2n, kind: 'baseline', reason: 'first_scan', versionId: 200n }),
    ]);
  });

  test.each(incomplete)('is its baseline when it is %s, too', (_name, reported, completeness) => {
    const first = buildScenario().observation({ ...reported, ads: [ad(1)] });
    expect(first).toMatchObject({ completeness, isBaseline: true });
    expect(summarize(first.changes)).toEqual(['1 baseline first_scan']);
  });

  test('that finds no ads is a complete baseline: what comes then is new', () => {
    const scenario = buildScenario();
    expect(scenario.observation({})).toMatchObject({
      completeness: 'complete',
      isBaseline: true,
      adsActive: 0,
      changes: [],
    });
    expect(summarize(scenario.observation({ ads: [ad(1, { start: dayOf(1) })] }).changes)).toEqual(['1 new']);
  });

  test('of a company that nobody could identify is no baseline: that comes with the next', () => {
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

  test('knows an ad that was last seen long ago as one that does not run', () => {
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

describe('how much a look can be relied on', () => {
  test('one empty answer where ads ran is doubted, the second in a row believed', () => {
    const scenario = buildScenario({ missesToEnd: 3 });
    const seen = [{ ads: [ad(1)] }, {}, {}, {}].map(
      (reported) => scenario.observation(reported).completeness,
    );
    expect(seen).toEqual(['complete', 'unconfirmed_empty', 'complete', 'complete']);
  });

  test('an empty answer after ads is doubted again', () => {
    const scenario = buildScenario({ missesToEnd: 9 });
    const reported = [{ ads: [ad(1)] }, {}, { ads: [ad(1)] }, {}];
    expect(reported.map((one) => scenario.observation(one).completeness)[3]).toBe('unconfirmed_empty');
  });

  test('an empty answer is confirmed only by the source that gave it', () => {
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

  test('an empty answer is believed where no ad runs any more', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (const reported of [{ ads: [ad(1)] }, {}, {}]) scenario.observation(reported);
    expect(scenario.observation({ outcome: 'no_match' }).completeness).toBe('unconfirmed_empty');
    expect(scenario.observation({}).completeness).toBe('complete');
  });

  test('that nobody could identify the company confirms no empty answer, and is none', () => {
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

describe('an ad that is seen for the first time later', () => {
  test('is new when it began to run within a week of the look before, or since', () => {
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

  test.each(incomplete)('after a %s look is new only when it began to run since', (_name, reported) => {
    const scenario = buildScenario();
    scenario.observation({ ...reported, ads: [ad(1)] });
    const { changes } = scenario.observation({
      ads: [ad(1), ad(2, { start: dayOf(0) }), ad(3, { start: dayOf(-1) })],
    });
    expect(summarize(changes)).toEqual(['2 new', '3 baseline missed_earlier']);
  });

  test('after a look by another source is new only when it began to run since', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    const ads = [ad(2, { start: dayOf(0) }), ad(3, { start: dayOf(-1) }), ad(4, { start: null })];
    expect(summarize(scenario.observation({ sources: ['adyntel'], ads }).changes)).toEqual([
      '2 new',
      '3 baseline missed_earlier',
      '4 baseline missed_earlier',
    ]);
  });

  test('after a doubted look is held against the look before that', () => {
    const scenario = buildScenario();
    for (const reported of [{ ads: [ad(1)] }, {}]) scenario.observation(reported);
    const ads = [ad(1), ad(2, { start: dayOf(-7) }), ad(3, { start: dayOf(-8) }), ad(4, { start: null })];
    expect(summarize(scenario.observation({ ads }).changes)).toEqual([
      '2 new',
      '3 baseline missed_earlier',
      '4 new',
    ]);
  });

  test('without a start is new after a complete look of the same source, and absorbed after any other', () => {
    const whole = buildScenario();
    whole.observation({ ads: [ad(1)] });
    expect(summarize(whole.observation({ ads: [ad(2, { start: null })] }).changes)).toEqual(['2 new']);
    const cut = buildScenario();
    cut.observation({ truncated: true, ads: [ad(1)] });
    expect(summarize(cut.observation({ ads: [ad(2, { start: null })] }).changes)).toEqual([
      '2 baseline missed_earlier',
    ]);
  });

  test('counts as of a source that said before that there are none, whoever said so first', () => {
    const scenario = buildScenario();
    scenario.observation({ sources: ['serpapi', 'adyntel'] });
    const { changes } = scenario.observation({ sources: ['adyntel'], ads: [ad(1, { start: dayOf(-7) })] });
    expect(summarize(changes)).toEqual(['1 new']);
  });

  test('does not run when it was last seen long ago', () => {
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

  test('is judged by the day that the look before spoke of, not by the day it was asked', () => {
    const scenario = buildScenario({ staleDays: 365 });
    scenario.observation({ sources: ['snapshot'], day: dayOf(-60), ads: [ad(1)] });
    const { changes } = scenario.observation({
      sources: ['snapshot'],
      ads: [ad(1), ad(2, { start: dayOf(-30) })],
    });
    expect(summarize(changes)).toEqual(['2 new']);
  });
});

describe('an ad that runs', () => {
  test('ends when enough complete looks in a row did not contain it, and names their scans', () => {
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

  test('does not end when it is seen in between', () => {
    const scenario = buildScenario();
    const answers = [[ad(1), ad(2)], [ad(1)], [ad(1), ad(2)], [ad(1)]];
    expect(answers.flatMap((ads) => scenario.observation({ ads }).changes).length).toBe(2);
  });

  test.each(incomplete)('a sighting in a %s look counts as one', (_name, reported) => {
    const scenario = buildScenario();
    const answers: readonly ObservationChanges[] = [
      { ads: [ad(1), ad(2)] },
      { ads: [ad(1)] },
      { ...reported, ads: [ad(2)] },
      { ads: [ad(1)] },
    ];
    expect(answers.flatMap((one) => scenario.observation(one).changes).length).toBe(2);
  });

  test.each(incomplete)('%s looks neither end it nor save it', (_name, reported) => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1), ad(2)] });
    for (let i = 0; i < 5; i += 1)
      expect(scenario.observation({ ...reported, ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ...reported, ads: [ad(1)] }).changes).toEqual([]);
    const { changes } = scenario.observation({ ads: [ad(1)] });
    expect(changes).toMatchObject([{ adId: 2n, kind: 'ended', reason: 'not_seen', restsOn: [7n, 9n] }]);
  });

  test('does not end by one empty answer, however often it is the only one', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (let i = 0; i < 4; i += 1) {
      expect(summarize(scenario.observation({ ads: [ad(1)] }).changes)).toEqual(
        i === 0 ? ['1 baseline first_scan'] : [],
      );
      expect(scenario.observation({}).changes).toEqual([]);
    }
  });

  test('ends by empty answers in a row, of which the first does not count', () => {
    const scenario = buildScenario({ missesToEnd: 2 });
    for (const reported of [{ ads: [ad(1)] }, {}, {}]) scenario.observation(reported);
    expect(scenario.observation({}).changes).toMatchObject([
      { kind: 'ended', reason: 'not_seen', restsOn: [3n, 4n] },
    ]);
  });

  test('does not end by looks at which nobody could identify the company', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    scenario.observation({ ads: [ad(1)] });
    for (let i = 0; i < 4; i += 1) expect(scenario.observation({ outcome: 'no_match' }).changes).toEqual([]);
  });

  test('ends at once when its source last saw it long ago, in a look of any completeness', () => {
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

  test('does not end by an old day where a newer one is known, or where the answer gives none', () => {
    const scenario = buildScenario();
    const days = [dayOf(-1), dayOf(-30), null];
    const observations = days.map((lastSeen) => scenario.observation({ ads: [ad(1, { lastSeen })] }));
    expect(observations.map(({ changes }) => summarize(changes))).toEqual([
      ['1 baseline first_scan'],
      [],
      [],
    ]);
  });

  test('does not end by an answer that speaks of an earlier day than one before', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-14) })] });
    const { day, changes } = scenario.observation({
      day: dayOf(-5),
      ads: [ad(1), ad(2, { lastSeen: dayOf(-15) })],
    });
    expect(day).toBe(dayOf(0));
    expect(summarize(changes)).toEqual(['2 baseline long_ago']);
  });

  test('changes when it looks otherwise than when the same source last had it', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    expect(scenario.observation({ ads: [ad(1, { versionId: 101n })] }).changes).toEqual([
      changeOf({ adId: 1n, kind: 'changed', versionId: 101n, versionBefore: 100n, restsOn: [2n] }),
    ]);
    expect(scenario.observation({ ads: [ad(1, { versionId: 101n })] }).changes).toEqual([]);
  });

  test('does not change with another version of the same look', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    expect(
      scenario.observation({ ads: [ad(1, { versionId: 101n, contentHash: 'look 100' })] }).changes,
    ).toEqual([]);
  });

  test('does not change because another source shows it otherwise, but when the first does, an outage later', () => {
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

  test('that ended is not said to have changed when it comes back', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (const ads of [[ad(1), ad(2)], [ad(1)]]) scenario.observation({ ads });
    const { changes } = scenario.observation({ ads: [ad(1), ad(2, { versionId: 201n })] });
    expect(changes).toEqual([changeOf({ adId: 2n, kind: 'reactivated', versionId: 201n, restsOn: [3n] })]);
  });
});

describe('with several sources', () => {
  test('a source ends only what it has had', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    scenario.observation({ ads: [ad(1), ad(2)] });
    expect(scenario.observation({ sources: ['adyntel'], ads: [ad(1)] }).changes).toEqual([]);
    expect(summarize(scenario.observation({ ads: [ad(1)] }).changes)).toEqual(['2 ended not_seen']);
  });

  test('a source still ends what it has had when another was the last to see it', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1), ad(2)] });
    scenario.observation({ sources: ['adyntel'], ads: [ad(1), ad(2)] });
    expect(scenario.observation({ ads: [ad(1)] }).changes).toEqual([]);
    expect(scenario.observation({ ads: [ad(1)] }).changes).toMatchObject([
      { adId: 2n, kind: 'ended', restsOn: [3n, 4n] },
    ]);
  });

  test('that there are none is the word of all who say so', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    scenario.observation({ sources: ['adyntel'], ads: [ad(1)] });
    scenario.observation({ sources: ['serpapi', 'adyntel'] });
    expect(summarize(scenario.observation({ sources: ['serpapi', 'adyntel'] }).changes)).toEqual([
      '1 ended not_seen',
    ]);
  });

  test('an ad that only an absent source had ends once that last saw it long ago, by a complete look', () => {
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

describe('an ad that does not run', () => {
  test('is reactivated when it is seen again, as often as it comes back', () => {
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

  test('because it was last seen long ago, is reactivated once it is seen again', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-100) })] });
    expect(scenario.observation({ ads: [ad(1, { lastSeen: dayOf(-99) })] }).changes).toEqual([]);
    expect(summarize(scenario.observation({ ads: [ad(1, { lastSeen: dayOf(2) })] }).changes)).toEqual([
      '1 reactivated',
    ]);
  });

  test('is noted as seen though it stays ended', () => {
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

describe('the days that an ad is known to have run', () => {
  const ranOf = ({ changes }: Tracked) => changes.map(({ ranFrom, ranTo }) => [ranFrom, ranTo]);

  test('begin with the start that its source gives, else with the day of the look', () => {
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

  test('are those that its source gives where it has not run for long', () => {
    const ads = [
      ad(1, { start: dayOf(-90), lastSeen: dayOf(-60) }),
      ad(2, { start: null, lastSeen: dayOf(-60) }),
    ];
    expect(ranOf(buildScenario().observation({ ads }))).toEqual([
      [dayOf(-90), dayOf(-60)],
      [dayOf(-60), dayOf(-60)],
    ]);
  });

  test('end with the day that its source last saw it, else with the last look that did', () => {
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

  test('begin anew when it comes back', () => {
    const scenario = buildScenario({ missesToEnd: 1 });
    for (const ads of [[ad(1), ad(2), ad(3)], [ad(1)]]) scenario.observation({ ads });
    expect(ranOf(scenario.observation({ ads: [ad(1), ad(2), ad(3, { lastSeen: dayOf(1) })] }))).toEqual([
      [dayOf(2), null],
      [dayOf(1), null],
    ]);
  });

  test('are not what a change of its look is about', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    expect(ranOf(scenario.observation({ ads: [ad(1, { versionId: 101n })] }))).toEqual([[null, null]]);
  });
});

describe('an answer', () => {
  test('that has an ad twice says of it what stands first', () => {
    const scenario = buildScenario();
    scenario.observation({ ads: [ad(1)] });
    const { changes, adsActive } = scenario.observation({
      ads: [ad(1), ad(1, { versionId: 101n, lastSeen: dayOf(-100) })],
    });
    expect({ changes, adsActive }).toEqual({ changes: [], adsActive: 1 });
  });

  test('that is shown again changes nothing, and confirms nothing', () => {
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

/** A change as far as most tests look at it: all but the days that it speaks of. */
function changeOf(changes: object): unknown {
  return expect.objectContaining({
    reason: null,
    versionBefore: null,
    isActive: true,
    restsOn: [1n],
    ...changes,
  });
}
