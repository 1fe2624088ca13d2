/** What a lookup of a scan says about one company. A lookup that failed, was cancelled or is open says nothing: it makes no look. */
export interface Look {
  readonly scanId: bigint;
  readonly outcome: LookOutcome;
  /** A part of the answer could not be had. */
  readonly partial: boolean;
  /** There is more than was asked for. */
  readonly truncated: boolean;
  /**
   * Whose word it is, at least one: of ads the source that has them; of `none` and `no_match` every source that said so, the first of
   * them first.
   */
  readonly sources: readonly string[];
  /** When the source said it. */
  readonly observedAt: Date;
  /** The day that the answer speaks of, `YYYY-MM-DD`, UTC; see `lookDay`. */
  readonly day: string;
  /** In the order of the answer. Ads without an identity of their own (shape A) are left out. */
  readonly ads: readonly SeenAd[];
}

export type LookOutcome = 'found' | 'none' | 'no_match';

/** An ad as an answer has it. */
export interface SeenAd {
  readonly adId: bigint;
  readonly versionId: bigint;
  /** What it looks like, as a digest: `hashLook`. */
  readonly look: string;
  /** Days, `YYYY-MM-DD`, UTC; null where the source does not say. */
  readonly start: string | null;
  readonly lastSeen: string | null;
}

/** How much a look can be relied on. Only a `complete` one can end an ad that it does not contain. */
export const completenesses = ['complete', 'truncated', 'partial', 'unconfirmed_empty'] as const;
export type Completeness = (typeof completenesses)[number];

/**
 * The day that an answer speaks of: that of `observedAt`, by UTC. A data set of our own (a snapshot) is looked at long after it was made;
 * `newestSeen`, the newest day that any ad of the same scan out of it was seen, then says of when it is.
 */
export function lookDay(observedAt: Date, newestSeen: string | null): string {
  const day = observedAt.toISOString().slice(0, 10);
  return newestSeen !== null && newestSeen < day ? newestSeen : day;
}

/** The day so many days before. */
export function daysBefore(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - days);
  return at.toISOString().slice(0, 10);
}

/** The earliest of days, of those that are known; null: none is. */
export function earliestDay(...days: readonly (string | null)[]): string | null {
  return days.reduce((first, day) => (first === null || (day !== null && day < first) ? day : first), null);
}
