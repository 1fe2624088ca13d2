import type { Completeness, ObservationOutcome } from './observation.ts';

/** State that a schedule keeps of a company, after all observations so far. */
export interface TrackedState {
  readonly company: TrackedCompany;
  /** Every ad that a look has seen, by its id; those that have ended too. */
  readonly ads: ReadonlyMap<bigint, TrackedAd>;
}

/** The looks at a company, as far as they matter for the next. */
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

/** The last look that was more than an empty answer which nothing confirmed; from the baseline on there is one. */
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
  /** The scans that saw it first and last. */
  readonly firstScanId: bigint;
  readonly lastScanId: bigint;
  readonly last: SourceObservation;
  /** The last sighting by every other source that has had it, the newest first. */
  readonly otherSources: readonly SourceObservation[];
  /** The day that the last sighting spoke of, and the start that its source gave. */
  readonly day: string;
  readonly start: string | null;
  /** The newest day that any source has said it was seen. */
  readonly lastSeen: string | null;
  /** Complete looks in a row that did not contain it, by their scans, the oldest first. */
  readonly missedIn: readonly bigint[];
}

/** Version of an ad at the last observation of a source that had it. */
export interface SourceObservation {
  readonly source: string;
  readonly versionId: bigint;
  readonly contentHash: string;
}

/** Last sighting of an ad by a source; undefined: the source has never had it. */
export function lastObservationBy(ad: TrackedAd, source: string): SourceObservation | undefined {
  return [ad.last, ...ad.otherSources].find((observation) => observation.source === source);
}

/** Counts the ads that run. */
export function countActive(ads: ReadonlyMap<bigint, TrackedAd>): number {
  let active = 0;
  for (const ad of ads.values()) active += Number(ad.isActive);
  return active;
}
