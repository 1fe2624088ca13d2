import type { AdChange } from './ad-change.ts';
import { daysBefore, type Completeness, type Observation } from './observation.ts';
import type { TrackedAd, TrackedCompany } from './tracked-ad.ts';

/** Settings that control when an ad counts as ended. */
export interface TrackSettings {
  /** Consecutive complete observations that must miss an ad to end it; at least 1. */
  readonly missesToEnd: number;
  /** An ad whose source last saw it more than this many days before the observation does not run any more. */
  readonly staleDays: number;
}

/** An observation together with the known state of its company. */
export interface ObservationContext {
  readonly observation: Observation;
  readonly completeness: Completeness;
  readonly settings: TrackSettings;
  /** State from earlier observations; null: this is the first. */
  readonly before: TrackedCompany | null;
}

/** Next state and change of one ad. */
export interface AdStep {
  readonly ad: TrackedAd;
  readonly change: AdChange | null;
}

/** True when the source last saw the ad too long before the day of the observation. */
export function isStale(lastSeen: string | null, { observation, settings }: ObservationContext): boolean {
  return lastSeen !== null && lastSeen < daysBefore(observation.day, settings.staleDays);
}
