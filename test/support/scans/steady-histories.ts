import fc from 'fast-check';
import { dateOf } from './fixture-observations.ts';
import type { History, Observation, SeenAd } from './history.ts';

const adsMax = 16;

/** Events of an ad between two scans. */
const turns = ['version', 'nonce', 'stop', 'resume', 'vanish', 'return', 'undated'] as const;
/** Answers other than a whole one of the usual source. */
const oddities = [
  'truncated',
  'partial',
  'none',
  'no_match',
  'failed',
  'other source',
  'older',
  'repeated',
  'untracked',
  'doubled',
  'repeating an ad',
] as const;

interface Step {
  readonly gapDays: number;
  readonly oddity: (typeof oddities)[number] | null;
  readonly turns: readonly { readonly ad: number; readonly turn: (typeof turns)[number] }[];
  readonly retriedAfter: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    gapDays: fc.constantFrom(1, 1, 1, 1, 0, 2, 6),
    oddity: fc.constantFrom(...Array.from({ length: 25 }, () => null), ...oddities),
    turns: fc.array(
      fc.record({ ad: fc.integer({ min: 0, max: adsMax - 1 }), turn: fc.constantFrom(...turns) }),
      { maxLength: 2, size: 'max' },
    ),
    retriedAfter: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 4, maxLength: 14, size: 'max' },
);

/**
 * Random answers of a schedule's scans for a company whose ads hardly change from scan to scan: most are seen again, on the newest day or
 * long after their last one. Now and then an answer is cut, empty, of another source, older than the one before, or repeated, or it has ads twice; a failed
 * lookup is repeated some scans later.
 */
export const steadyHistories: fc.Arbitrary<History> = fc
  .record({
    source: fc.constantFrom('main', 'snapshot'),
    missesToEnd: fc.constantFrom(1, 2, 3),
    staleDays: fc.integer({ min: 1, max: 8 }),
    steps,
  })
  .map(({ source, missesToEnd, staleDays, steps: taken }) => ({
    settings: { missesToEnd, staleDays },
    observations: observationsOf(source, taken),
  }));

interface SteadyAd extends SeenAd {
  readonly isListed: boolean;
  /** Null: seen on the newest day. */
  readonly stopped: number | null;
  readonly isDated: boolean;
}

function observationsOf(source: string, taken: readonly Step[]): readonly Observation[] {
  const ads = Array.from({ length: adsMax }, (_, n) => firstForm(n));
  const observations: Observation[] = [];
  const retries: { readonly scan: number; readonly after: number }[] = [];
  let day = 20;
  taken.forEach(({ gapDays, oddity, turns: events, retriedAfter }, i) => {
    day += gapDays;
    for (const { ad, turn } of events) ads[ad] = turned(ads[ad] ?? firstForm(ad), turn, day);
    const scan = i + 1;
    observations.push(observationOf({ scan, source, day, ads, oddity, before: observations.at(-1) }));
    if (oddity === 'failed') retries.push({ scan, after: scan + retriedAfter });
    for (const retry of retries.filter(({ after }) => after === scan))
      observations.push(
        observationOf({ scan: retry.scan, source, day, ads, oddity: null, before: undefined }),
      );
  });
  return observations;
}

function firstForm(n: number): SteadyAd {
  return {
    ad: n + 1,
    hasIds: true,
    version: 1,
    observation: 'a',
    start: n % 4 === 0 ? null : dateOf(n),
    lastSeen: null,
    isListed: n < adsMax - 4,
    stopped: n % 3 === 0 ? n + 8 : null,
    isDated: n % 5 !== 0,
  };
}

function turned(ad: SteadyAd, turn: Step['turns'][number]['turn'], day: number): SteadyAd {
  switch (turn) {
    case 'version':
      return { ...ad, version: ad.version + 1, observation: `${ad.observation}b` };
    case 'nonce':
      return { ...ad, version: ad.version + 1 };
    case 'stop':
      return { ...ad, stopped: day - 1 };
    case 'resume':
      return { ...ad, stopped: null };
    case 'vanish':
      return { ...ad, isListed: false };
    case 'return':
      return { ...ad, isListed: true };
    case 'undated':
      return { ...ad, isDated: !ad.isDated };
  }
}

interface Moment {
  readonly scan: number;
  readonly source: string;
  readonly day: number;
  readonly ads: readonly SteadyAd[];
  readonly oddity: Step['oddity'];
  readonly before: Observation | undefined;
}

function observationOf({ scan, source, day, ads, oddity, before }: Moment): Observation {
  if (oddity === 'repeated' && before !== undefined) return { ...before, scan };
  const newest = oddity === 'older' ? day - 2 : day;
  const listed = ads.filter(({ isListed }) => isListed).map((ad) => seenOn(newest, ad));
  const whole: Observation = {
    scan,
    outcome: listed.length === 0 ? 'none' : 'found',
    truncated: oddity === 'truncated',
    partial: oddity === 'partial',
    sources: [oddity === 'other source' ? 'other' : source],
    observedAt: `${dateOf(day)}T0${scan % 10}:00:00.000Z`,
    ads: listed,
    othersLastSeen: {},
    edited: null,
  };
  switch (oddity) {
    case 'none':
    case 'no_match':
      return { ...whole, outcome: oddity, ads: [] };
    case 'failed':
      return { ...whole, outcome: 'failed', sources: [], ads: [] };
    case 'truncated':
    case 'partial':
      return { ...whole, ads: listed.slice(0, 5) };
    case 'untracked':
      return { ...whole, ads: listed.map((ad, n) => ({ ...ad, hasIds: n !== 1 })) };
    case 'doubled':
      return { ...whole, ads: listed.flatMap((ad, n) => (n % 5 === 2 ? inTwoVersions(ad, n) : [ad])) };
    case 'repeating an ad':
      return { ...whole, ads: [...listed, ...listed.slice(1, 3).map((ad) => ({ ...ad, start: dateOf(1) }))] };
    default:
      return whole;
  }
}

/** An ad twice: as it is and in a new version, or in two new ones. */
function inTwoVersions(ad: SeenAd, n: number): readonly SeenAd[] {
  const other = { ...ad, version: 99, start: null };
  return n === 2 ? [ad, other] : [{ ...ad, version: 98 }, other];
}

function seenOn(
  newest: number,
  { ad, hasIds, version, observation, start, stopped, isDated }: SteadyAd,
): SeenAd {
  const lastSeen = isDated ? dateOf(Math.min(stopped ?? newest, newest)) : null;
  return { ad, hasIds, version, observation, start, lastSeen };
}
