import fc from 'fast-check';
import type { AdLifetime, AdFixture, ScanRun, RunAnswer } from './ad-fixture.ts';
import { describeHistory } from './describe-history.ts';
import type { History, Observation, ScanSettings, SeenAd } from './history.ts';
import { dateOf, fixtureObservations } from './fixture-observations.ts';

/** A history that fast-check prints as text when a test fails. */
export type ShownHistory = History & { readonly [fc.toStringMethod]: () => string };

/** Mostly `false`: the normal case, to which a failing history shrinks. */
const rarely = fc.integer({ min: 0, max: 9 }).map((die) => die === 9);
/** `null` in half of the cases. */
function sometimes<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(value, { freq: 2 });
}
const days = (min: number, max: number) => fc.integer({ min, max });

/** The normal case in half of the cases, otherwise any of the others. */
function mostly<T>(ordinary: T, others: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...others.map(() => ordinary), ordinary, ...others);
}

const lives: fc.Arbitrary<AdLifetime> = fc.record({
  startDay: fc.oneof(days(-30, 0), days(-30, 40)),
  lagDays: fc.oneof(fc.constant(0), days(0, 9)),
  spells: fc.array(fc.tuple(fc.oneof(days(1, 6), days(1, 30)), days(1, 12)), { maxLength: 4 }),
  seenDays: sometimes(days(0, 50)),
  restyledAfter: fc.array(days(0, 90), { maxLength: 3 }),
  changesOften: rarely,
  lacks: mostly('nothing', ['start', 'last_seen', 'dates', 'ids']),
  knownTo: mostly('all', ['main', 'other']),
  hasTwoContents: rarely,
  isDoubled: rarely,
});

const whole: fc.Arbitrary<RunAnswer> = fc.constant({ kind: 'listing', extent: 'whole', adsMax: 0 });
const cut: fc.Arbitrary<RunAnswer> = fc.record({
  kind: fc.constant('listing'),
  extent: fc.constantFrom('truncated', 'truncated', 'partial', 'truncated and partial'),
  adsMax: fc.integer({ min: 1, max: 6 }),
});
const emptyOrNot: fc.Arbitrary<RunAnswer> = fc.record({
  kind: fc.constantFrom('none', 'none', 'none', 'no_match', 'failed', 'failed', 'cancelled', 'open', 'again'),
});

const settings: fc.Arbitrary<ScanSettings> = fc.record({
  missesToEnd: fc.constantFrom(2, 1, 2, 3, 4),
  staleDays: fc.oneof(days(3, 30), days(14, 30)),
});

const edits: fc.Arbitrary<ScanSettings | null> = fc.oneof(
  { weight: 15, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: settings },
);

/** Mostly `main`; also the same source with other options. */
const oneSource = ['main', 'main?region=DE', 'other', 'other', 'snapshot', 'snapshot?max_ads=5', 'sample'];
const manySources = fc
  .tuple(mostly('main', oneSource), fc.uniqueArray(fc.constantFrom(...oneSource), { maxLength: 2 }))
  .map(([first, others]) => [first, ...others.filter((other) => other !== first)]);

/** Two sources with equal frequency, as in a schedule whose chain was edited. */
const twoSources = fc.constantFrom(['main'], ['other'], ['main', 'other']);

/** Runs, of which this many in ten have failures. */
function runs(failing: number, sources: fc.Arbitrary<readonly string[]>): fc.Arbitrary<ScanRun> {
  return fc.record({
    edited: edits,
    // A failing history shrinks to the first value: irrelevant runs are skipped, and no other run moves.
    isSkipped: fc.constantFrom(true, ...Array.from({ length: 9 }, () => false)),
    gapDays: fc.oneof(fc.constant(1), days(0, 5)),
    hour: days(0, 23),
    sources,
    dataDays: days(0, 40),
    othersDays: sometimes(days(0, 30)),
    reported: fc.oneof(
      { withCrossShrink: true },
      { weight: 20 - 2 * failing, arbitrary: whole },
      { weight: failing, arbitrary: cut },
      { weight: failing, arbitrary: emptyOrNot },
    ),
    shuffle: fc.oneof(fc.constant(0), days(0, 10)),
    retriedAfter: sometimes(days(0, 3)),
  });
}

function someRuns(
  failing: number,
  sources: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<readonly ScanRun[]> {
  return fc.array(runs(failing, sources), { minLength: 1, maxLength: 20, size: 'max' });
}

const fixtures: fc.Arbitrary<AdFixture> = fc.record({
  ads: fc.array(lives, { minLength: 1, maxLength: 8, size: 'max' }),
  runs: fc.oneof(
    someRuns(1, fc.constant(['main'])),
    someRuns(2, twoSources),
    someRuns(3, manySources),
    someRuns(6, manySources),
  ),
});

/** Random data without consistency: ads with any dates in any answer. */
const dates = fc.option(days(-25, 35).map(dateOf), { freq: 4 });
const anyAds: fc.Arbitrary<SeenAd> = fc.record({
  ad: fc.integer({ min: 1, max: 4 }),
  hasIds: fc.constant(true),
  version: fc.integer({ min: 10, max: 19 }),
  observation: fc.constantFrom('a', 'b'),
  start: dates,
  lastSeen: dates,
});
const anyObservations: fc.Arbitrary<Omit<Observation, 'scan' | 'observedAt' | 'othersLastSeen'> & Loose> = fc
  .record({
    edited: edits,
    outcome: mostly<Observation['outcome']>('found', ['none', 'none', 'no_match', 'failed', 'found']),
    truncated: rarely,
    partial: rarely,
    sources: manySources,
    gapDays: fc.oneof(fc.constant(1), days(-2, 3)),
    time: fc.constantFrom('00:00:00.000', '23:59:59.999'),
    ads: fc.array(anyAds, { minLength: 1, maxLength: 5 }),
    othersDays: fc.array(dates, { minLength: 3, maxLength: 3 }),
  })
  .map((observation) => {
    if (observation.outcome === 'failed')
      return { ...observation, truncated: false, partial: false, sources: [], ads: [] };
    if (observation.outcome === 'found') return { ...observation, sources: observation.sources.slice(0, 1) };
    return { ...observation, truncated: false, partial: false, ads: [] };
  });

/** Parts of an inconsistent observation that must still be evaluated. */
interface Loose {
  readonly gapDays: number;
  readonly time: string;
  readonly othersDays: readonly (string | null)[];
}

const anyHistories = fc.array(anyObservations, { minLength: 1, maxLength: 12 }).map((observations) => {
  let day = 0;
  return observations.map(({ gapDays, time, othersDays, ...observation }, i) => {
    day += gapDays;
    const others = observation.sources.map((source, k) => [source, othersDays[k] ?? null] as const);
    const othersLastSeen = Object.fromEntries(
      others.flatMap(([source, lastSeen]) => (lastSeen === null ? [] : [[source, lastSeen]])),
    );
    return { ...observation, scan: i + 1, observedAt: `${dateOf(day)}T${time}Z`, othersLastSeen };
  });
});

/**
 * Random answers of a schedule's scans for a company: either consistent, with ads that start, end, age and change and sources
 * that truncate, fail and lag, or inconsistent. With `retries`, failed scans are observed again later, some of them too late.
 */
export function randomHistories({ retries }: { readonly retries: boolean }): fc.Arbitrary<ShownHistory> {
  const played = fixtures
    .map(({ ads, runs }) => ({
      ads,
      runs: retries ? runs : runs.map((run) => ({ ...run, retriedAfter: null })),
    }))
    .map(fixtureObservations);
  const observations = fc.oneof({ weight: 3, arbitrary: played }, { weight: 1, arbitrary: anyHistories });
  return fc.record({ settings, observations }).map(shown);
}

function shown(history: History): ShownHistory {
  return { ...history, [fc.toStringMethod]: () => describeHistory(history) };
}
