/** A schedule's two numbers that decide what has ended. */
export interface ScanSettings {
  /** Complete looks in a row that must miss an ad to end it; more where it was lowered meanwhile. */
  readonly missesToEnd: number;
  /** An ad that the source itself last saw more days ago is stale. */
  readonly staleDays: number;
}

/** An ad as one answer shows it. Days are `YYYY-MM-DD`, UTC. */
export interface SeenAd {
  readonly ad: number;
  /** True if its advertiser is known; otherwise it is of shape A, which cannot be tracked. */
  readonly hasIds: boolean;
  readonly version: number;
  /** Stands for the hash of what can be seen of this version. */
  readonly observation: string;
  readonly start: string | null;
  readonly lastSeen: string | null;
}

/** Result of a scan's lookup for the company. */
export interface Observation {
  readonly scan: number;
  readonly outcome: 'found' | 'none' | 'no_match' | 'failed' | 'cancelled' | 'open';
  readonly truncated: boolean;
  readonly partial: boolean;
  /** Sources of the answer: for ads the one that has them, else all that were asked, in order; none without an answer. */
  readonly sources: readonly string[];
  /** When the source said it, as ISO 8601 in UTC. */
  readonly observedAt: string;
  /** In the order of the answer. */
  readonly ads: readonly SeenAd[];
  /** By source the newest `lastSeen` of what the same scan got from it for all other companies. */
  readonly othersLastSeen: Readonly<Record<string, string>>;
  /** Settings of the schedule that changed since the observation before; null: none. */
  readonly edited: ScanSettings | null;
}

/** All that the scans of one schedule said about one company, in the order in which it was heard. */
export interface History {
  /** As the schedule began. */
  readonly settings: ScanSettings;
  readonly observations: readonly Observation[];
}

export type Completeness = 'complete' | 'truncated' | 'partial' | 'unconfirmed_empty';

export interface Change {
  readonly scan: number;
  readonly ad: number;
  readonly kind: 'baseline' | 'new' | 'reactivated' | 'ended' | 'changed';
  readonly reason: 'first_scan' | 'missed_earlier' | 'long_ago' | 'not_seen' | 'last_seen_long_ago' | null;
  readonly version: number;
  /** Version before the change. */
  readonly versionBefore: number | null;
  readonly isActive: boolean;
  /** Scans, oldest first. */
  readonly restsOn: readonly number[];
}

/** Result of an observation. */
export interface EvaluatedObservation {
  readonly scan: number;
  /** Null: it said nothing, and nothing is written. */
  readonly completeness: Completeness | null;
  readonly isBaseline: boolean;
  /** Ads that run, as far as is known after it. */
  readonly adsActive: number;
}

export interface Evaluation {
  /** One for each look of the history, in its order. */
  readonly observations: readonly EvaluatedObservation[];
  /** By scan, then by ad. */
  readonly changes: readonly Change[];
}
