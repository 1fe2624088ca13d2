import { describeJudgement } from './describe-history.ts';
import type { Observation, ScanSettings, SeenAd } from './history.ts';
import { evaluateHistory } from './reference-model.ts';

/** Date of a day in the format of sources. Day 1 is 2026-03-01. */
function dateOf(day: number): string {
  return new Date(Date.UTC(2026, 2, day)).toISOString().slice(0, 10);
}

/** Differences from a plain ad, which has no dates. Its content hash is `a` by default. */
export interface AdTraits {
  readonly observation?: string;
  /** Default: ten times the number of the ad. */
  readonly version?: number;
  /** Day numbers; see `dateOf`. */
  readonly start?: number;
  readonly lastSeen?: number;
  readonly hasIds?: boolean;
}

export function ad(
  id: number,
  { observation = 'a', version = id * 10, start, lastSeen, hasIds = true }: AdTraits = {},
): SeenAd {
  const dates = { start: dateOrNull(start), lastSeen: dateOrNull(lastSeen) };
  return { ad: id, hasIds, version, observation, ...dates };
}

type ObservationTraits = Partial<
  Omit<Observation, 'scan' | 'outcome' | 'ads' | 'observedAt' | 'othersLastSeen'>
> & {
  /** Day number. Default: that of the scan. */
  readonly day?: number;
  /** Day numbers by source. */
  readonly othersLastSeen?: Readonly<Record<string, number>>;
};

/** Observation of a scan. Default: at 02:00 of the day with its number, by the source `main`. */
export function observation(
  scan: number,
  outcome: Observation['outcome'],
  { day = scan, othersLastSeen = {}, ...traits }: ObservationTraits = {},
): Observation {
  const observedAt = `${dateOf(day)}T02:00:00Z`;
  const plain = { truncated: false, partial: false, sources: ['main'], ads: [], edited: null };
  const others = Object.entries(othersLastSeen).map(
    ([source, lastSeen]) => [source, dateOf(lastSeen)] as const,
  );
  return { scan, outcome, observedAt, ...plain, ...traits, othersLastSeen: Object.fromEntries(others) };
}

export function found(scan: number, ads: readonly SeenAd[], traits: ObservationTraits = {}): Observation {
  return { ...observation(scan, 'found', traits), ads };
}

export function none(scan: number, traits: ObservationTraits = {}): Observation {
  return observation(scan, 'none', traits);
}

/** Summary of the reference model's result for the observations. Default: two misses end an ad, and 14 days make it stale. */
export function evaluated(
  observations: readonly Observation[],
  settings: Partial<ScanSettings> = {},
): readonly string[] {
  return describeJudgement(evaluateHistory(observations, { missesToEnd: 2, staleDays: 14, ...settings }));
}

function dateOrNull(day: number | undefined): string | null {
  return day === undefined ? null : dateOf(day);
}
