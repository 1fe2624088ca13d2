import type { Completeness, ObservationOutcome } from './observation.ts';

/** State that a schedule keeps of a company, after all observations so far. */
export interface TrackedState {
  readonly company: TrackedCompany;
  /** Every ad that was ever observed, by its id, including ended ads. */
  readonly ads: ReadonlyMap<bigint, TrackedAd>;
}

/** State of a company from its observations. */
export interface TrackedCompany {
  readonly baselineScanId: bigint;
  /** Scan of the last observation. */
  readonly lastScanId: bigint;
  readonly lastObservedAt: Date;
  readonly lastDay: string;
  readonly lastOutcome: ObservationOutcome;
  readonly lastSources: readonly string[];
  readonly conclusive: ConclusiveObservation;
}

/** The last observation other than an unconfirmed empty answer. It exists from the baseline on. */
export interface ConclusiveObservation {
  readonly day: string;
  readonly completeness: Completeness;
  readonly sources: readonly string[];
}

/** An ad of a company in a schedule. */
export interface TrackedAd {
  readonly adId: bigint;
  /** True when the ad runs, as far as known. */
  readonly isActive: boolean;
  /** The scans that saw the ad first and last. */
  readonly firstScanId: bigint;
  readonly lastScanId: bigint;
  readonly last: SourceObservation;
  /** Last observation by every other source that has had the ad, newest first. */
  readonly otherSources: readonly SourceObservation[];
  /** Day of the last observation, and the start that its source reported. */
  readonly day: string;
  readonly start: string | null;
  /** Newest day on which any source saw the ad. */
  readonly lastSeen: string | null;
  /** Scans of consecutive complete observations that did not contain the ad, oldest first. */
  readonly missedIn: readonly bigint[];
}

/** Version of an ad at the last observation of a source that had it. */
export interface SourceObservation {
  readonly source: string;
  readonly versionId: bigint;
  readonly contentHash: string;
}

/** Last observation of an ad by a source; undefined if the source has never had it. */
export function lastObservationBy(ad: TrackedAd, source: string): SourceObservation | undefined {
  return [ad.last, ...ad.otherSources].find((observation) => observation.source === source);
}

/** Counts the ads that run. */
export function countActive(ads: ReadonlyMap<bigint, TrackedAd>): number {
  let active = 0;
  for (const ad of ads.values()) active += Number(ad.isActive);
  return active;
}
