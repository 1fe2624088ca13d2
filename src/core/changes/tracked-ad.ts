import type { Completeness, ObservationOutcome } from './observation.ts';

/** What a schedule knows of a company after the looks at it so far. */
export interface TrackedState {
  readonly company: TrackedCompany;
  /** Every ad that a look has seen, by its id; those that have ended too. */
  readonly ads: ReadonlyMap<bigint, TrackedAd>;
}

/** The looks at a company, as far as they matter for the next. */
export interface TrackedCompany {
  readonly baselineScanId: bigint;
  /** Of the last look. */
  readonly lastScanId: bigint;
  readonly lastObservedAt: Date;
  readonly lastDay: string;
  readonly lastOutcome: ObservationOutcome;
  readonly lastSources: readonly string[];
  readonly firm: ConclusiveObservation;
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
  /** Whether it runs, as far as is known. */
  readonly isActive: boolean;
  /** The scans that saw it first and last. */
  readonly firstScanId: bigint;
  readonly lastScanId: bigint;
  readonly last: Sighting;
  /** The last sighting by every other source that has had it, the newest first. */
  readonly elsewhere: readonly Sighting[];
  /** The day that the last sighting spoke of, and the start that its source gave. */
  readonly day: string;
  readonly start: string | null;
  /** The newest day that any source has said it was seen. */
  readonly lastSeen: string | null;
  /** Complete looks in a row that did not contain it, by their scans, the oldest first. */
  readonly missedIn: readonly bigint[];
}

/** How an ad looked when a source last had it. */
export interface Sighting {
  readonly source: string;
  readonly versionId: bigint;
  readonly contentHash: string;
}

/** What a source last saw of an ad; undefined: it has never had it. */
export function sightingBy(ad: TrackedAd, source: string): Sighting | undefined {
  return [ad.last, ...ad.elsewhere].find((sighting) => sighting.source === source);
}

/** How many of the ads run. */
export function countActive(ads: ReadonlyMap<bigint, TrackedAd>): number {
  let active = 0;
  for (const ad of ads.values()) active += Number(ad.isActive);
  return active;
}
