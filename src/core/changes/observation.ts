import type { SearchOptions } from '../ads/ads-answer.ts';

/** Result of a scan's lookup for one company. A lookup that failed, was cancelled or is open makes no observation. */
export interface Observation {
  readonly scanId: bigint;
  readonly outcome: ObservationOutcome;
  /** A part of the answer could not be had. */
  readonly partial: boolean;
  /** There is more than was asked for. */
  readonly truncated: boolean;
  /**
   * Sources of the observation, at least one: for ads the source that has them; for `none` and `no_match` every source that answered so,
   * the first of them first. A source with other options (another region, fewer ads) counts as another source and has another name:
   * `sourceKey`.
   */
  readonly sources: readonly string[];
  /** When the source said it. */
  readonly observedAt: Date;
  /** The day that the answer speaks of, `YYYY-MM-DD`, UTC; see `lookDay`. */
  readonly day: string;
  /** In the order of the answer. Ads without an identity of their own (shape A) are left out. */
  readonly ads: readonly SeenAd[];
}

export type ObservationOutcome = 'found' | 'none' | 'no_match';

/** An ad as an answer has it. */
export interface SeenAd {
  readonly adId: bigint;
  readonly versionId: bigint;
  /** Content hash of the version: `hashContent`. */
  readonly contentHash: string;
  /** Days, `YYYY-MM-DD`, UTC; null where the source does not say. */
  readonly start: string | null;
  readonly lastSeen: string | null;
}

/** Completeness of an observation. Only a `complete` one can end an ad that it does not contain. */
export const completenesses = ['complete', 'truncated', 'partial', 'unconfirmed_empty'] as const;
export type Completeness = (typeof completenesses)[number];

/**
 * The day that an answer speaks of: that of `observedAt`, by UTC. A data set of our own (a snapshot) is looked at long after it was made;
 * `newestSeen`, the newest day that any ad of the same scan out of it was seen, then says of when it is.
 */
export function observationDay(observedAt: Date, newestSeen: string | null): string {
  const day = observedAt.toISOString().slice(0, 10);
  return newestSeen !== null && newestSeen < day ? newestSeen : day;
}

/** The day so many days before. */
export function daysBefore(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - days);
  return at.toISOString().slice(0, 10);
}

/** A source together with what it was asked for, such as `name?region=DE&max_ads=100`; asked for anything, its plain name. */
export function sourceKey(source: string, search: SearchOptions | null): string {
  if (search === null) return source;
  const { region, adsMax, ownOnly } = search;
  const wanted = [
    ...(region === null ? [] : [`region=${region}`]),
    ...(adsMax === null ? [] : [`max_ads=${adsMax}`]),
    ...(ownOnly ? ['own_only'] : []),
  ];
  return wanted.length === 0 ? source : `${source}?${wanted.join('&')}`;
}

/** True when two observations have a source in common: only answers of the same source are comparable. */
export function haveSourceInCommon(one: readonly string[], other: readonly string[]): boolean {
  return one.some((source) => other.includes(source));
}

/** The later of two days, of those that are known; null: neither is. */
export function laterDay<Day extends string | null>(one: string | null, other: Day): string | Day {
  return one !== null && (other === null || one > other) ? one : other;
}

/** The earliest of days, of those that are known; null: none is. */
export function earliestDay(...days: readonly (string | null)[]): string | null {
  return days.reduce((first, day) => (first === null || (day !== null && day < first) ? day : first), null);
}
