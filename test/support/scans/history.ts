/** The two settings of a schedule that decide which ads have ended. */
export interface ScanSettings {
  /** Number of consecutive complete observations without an ad that end it; more if the setting was lowered in between. */
  readonly missesToEnd: number;
  /** Number of days since the source last saw an ad after which it is stale. */
  readonly staleDays: number;
}

/** An ad in one answer. Days are `YYYY-MM-DD`, UTC. */
export interface SeenAd {
  readonly ad: number;
  /** True if its advertiser is known; otherwise it is of shape A, which cannot be tracked. */
  readonly hasIds: boolean;
  readonly version: number;
  /** Placeholder of the content hash of this version. */
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
  /** Sources of the answer: with ads, the one that has them, otherwise all called ones in order; empty without an answer. */
  readonly sources: readonly string[];
  /** Time of the source's answer, in ISO 8601 and UTC. */
  readonly observedAt: string;
  /** Ads in the order of the answer. */
  readonly ads: readonly SeenAd[];
  /** By source, the newest `lastSeen` of its ads of all other companies in the same scan. */
  readonly othersLastSeen: Readonly<Record<string, string>>;
  /** Settings of the schedule that changed since the previous observation; null: none. */
  readonly edited: ScanSettings | null;
}

/** Observations of one company by the scans of one schedule, in order of arrival. */
export interface History {
  /** Initial settings. */
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
  /** Null: the observation is inconclusive, and nothing is written. */
  readonly completeness: Completeness | null;
  readonly isBaseline: boolean;
  /** Number of ads known to run after it. */
  readonly adsActive: number;
}

export interface Evaluation {
  /** Results in the order of the observations. */
  readonly observations: readonly EvaluatedObservation[];
  /** Changes ordered by scan, then by ad. */
  readonly changes: readonly Change[];
}
