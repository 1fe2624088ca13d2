import type { AdChange } from './ad-change.ts';
import { daysBefore, type Completeness, type Observation } from './observation.ts';
import type { TrackedAd, TrackedCompany } from './tracked-ad.ts';

/** Settings that control when an ad counts as ended. */
export interface TrackSettings {
  /** Complete looks in a row that must miss an ad to end it; from 1. */
  readonly missesToEnd: number;
  /** An ad that its source last saw more days before the look's day does not run any more. */
  readonly staleDays: number;
}

/** A look that meets what is known of its company. */
export interface ObservationContext {
  readonly observation: Observation;
  readonly completeness: Completeness;
  readonly settings: TrackSettings;
  /** The looks before; null: this is the first. */
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
