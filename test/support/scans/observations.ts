import type { AdChange } from '../../../src/core/changes/ad-change.ts';
import { daysBefore, type Observation, type SeenAd } from '../../../src/core/changes/observation.ts';
import type { TrackSettings } from '../../../src/core/changes/observation-context.ts';
import { applyObservation, type Tracked } from '../../../src/core/changes/apply-observation.ts';
import type { TrackedState } from '../../../src/core/changes/tracked-ad.ts';

export const usualSettings: TrackSettings = { missesToEnd: 2, staleDays: 14 };

/** Day of the first observation of a scenario. */
const firstDay = '2026-03-10';

/** Day this many days after the first observation. */
export function dayOf(offset: number): string {
  return daysBefore(firstDay, -offset);
}

/** An ad with the same content in every answer by default; it has run for a long time, and was seen on the day of the observation. */
export function ad(adId: number, changes: Partial<Omit<SeenAd, 'adId'>> = {}): SeenAd {
  const versionId = changes.versionId ?? BigInt(adId * 100);
  const contentHash = `look ${versionId}`;
  return { adId: BigInt(adId), versionId, contentHash, start: '2025-01-01', lastSeen: null, ...changes };
}

/** Differences of a scan's answer for the company from a complete answer of serpapi. */
export type ObservationChanges = Partial<Omit<Observation, 'ads'>> & { readonly ads?: readonly SeenAd[] };

/** A company with one observation per day. */
export interface Scenario {
  /** Tracks the observation of the next day. */
  readonly observation: (reported: ObservationChanges) => Tracked;
  readonly state: () => TrackedState | null;
}

export function buildScenario(settings: Partial<TrackSettings> = {}): Scenario {
  let state: TrackedState | null = null;
  let days = 0;
  return {
    observation: (reported) => {
      const day = dayOf(days);
      days += 1;
      const tracked = applyObservation(state, observationOf(BigInt(days), day, reported), {
        ...usualSettings,
        ...settings,
      });
      state = tracked.state;
      return tracked;
    },
    state: () => state,
  };
}

function observationOf(
  scanId: bigint,
  day: string,
  { ads = [], ...reported }: ObservationChanges,
): Observation {
  return {
    scanId,
    outcome: ads.length > 0 ? 'found' : 'none',
    partial: false,
    truncated: false,
    sources: ['serpapi'],
    observedAt: new Date(`${day}T02:00:00Z`),
    day,
    ads,
    ...reported,
  };
}

/** Summarizes changes: `1 ended not_seen`. */
export function summarize(changes: readonly AdChange[]): readonly string[] {
  return changes.map(({ adId, kind, reason }) =>
    [adId, kind, reason].filter((word) => word !== null).join(' '),
  );
}
