import { wholeSearch, type SearchOptions } from '../ads/ads-answer.ts';

/** Result of a scan's lookup for one company. A lookup that failed, was cancelled or is open makes no observation. */
export interface Observation {
  readonly scanId: bigint;
  readonly outcome: ObservationOutcome;
  /** True when a part of the answer failed. */
  readonly partial: boolean;
  /** True when there are more ads than were requested. */
  readonly truncated: boolean;
  /**
   * Sources of the observation, at least one: for ads the source that has them; for `none` and `no_match` every source that answered so,
   * the first of them first. A source with other options (another region, fewer ads) counts as another source and has another name:
   * `sourceKey`.
   */
  readonly sources: readonly string[];
  /** Time at which the source answered. */
  readonly observedAt: Date;
  /** Day of the answer, `YYYY-MM-DD`, UTC; see `observationDay`. */
  readonly day: string;
  /** In the order of the answer. Ads without an identity of their own (shape A) are left out. */
  readonly ads: readonly SeenAd[];
}

/** An observation whose ads are read apart. */
export type ObservationWithoutAds = Omit<Observation, 'ads'>;

export type ObservationOutcome = 'found' | 'none' | 'no_match';

/** An ad in an answer. */
export interface SeenAd {
  readonly adId: bigint;
  readonly versionId: bigint;
  /** Content hash of the version: `hashContent`. */
  readonly contentHash: string;
  /** Days, `YYYY-MM-DD`, UTC; null if the source does not report them. */
  readonly start: string | null;
  readonly lastSeen: string | null;
}

/** Completeness of an observation. Only a `complete` one can end an ad that it does not contain. */
export const completenesses = ['complete', 'truncated', 'partial', 'unconfirmed_empty'] as const;
export type Completeness = (typeof completenesses)[number];

/**
 * Day of an answer: that of `observedAt` in UTC. A data set of ours (a snapshot) is older than its use: its day is
 * `newestSeen`, the newest day on which any ad of the same scan was seen in it.
 */
export function observationDay(observedAt: Date, newestSeen: string | null): string {
  const day = observedAt.toISOString().slice(0, 10);
  return newestSeen !== null && newestSeen < day ? newestSeen : day;
}

/** The day this many days before. */
export function daysBefore(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - days);
  return at.toISOString().slice(0, 10);
}

/** A source together with its search options, such as `name?region=DE&max_ads=100`; the plain name without options. */
export function sourceKey(source: string, search: SearchOptions | null): string {
  const { region, surface, adsMax, ownOnly } = wholeSearch(search);
  const wanted = [
    ...(region === null ? [] : [`region=${region}`]),
    ...(surface === null ? [] : [`surface=${surface}`]),
    ...(adsMax === null ? [] : [`max_ads=${adsMax}`]),
    ...(ownOnly ? ['own_only'] : []),
  ];
  return wanted.length === 0 ? source : `${source}?${wanted.join('&')}`;
}

/** True when two observations have a source in common: only answers of the same source are comparable. */
export function haveSourceInCommon(one: readonly string[], other: readonly string[]): boolean {
  return one.some((source) => other.includes(source));
}

/** The later of two days, ignoring unknown ones; null if both are unknown. */
export function laterDay<Day extends string | null>(one: string | null, other: Day): string | Day {
  return one !== null && (other === null || one > other) ? one : other;
}

/** The earliest of several days, ignoring unknown ones; null if all are unknown. */
export function earliestDay(...days: readonly (string | null)[]): string | null {
  return days.reduce((first, day) => (first === null || (day !== null && day < first) ? day : first), null);
}
