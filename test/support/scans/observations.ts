import type { AdChange } from '../../../src/core/changes/ad-change.ts';
import { daysBefore, type Look, type SeenAd } from '../../../src/core/changes/observation.ts';
import type { TrackSettings } from '../../../src/core/changes/observation-context.ts';
import { trackLook, type Tracked } from '../../../src/core/changes/apply-observation.ts';
import type { TrackedState } from '../../../src/core/changes/tracked-ad.ts';

export const usualSettings: TrackSettings = { missesToEnd: 2, staleDays: 14 };

/** The day of the first look of a story. */
export const firstDay = '2026-03-10';

/** The day so many days after the first look. */
export function dayOf(offset: number): string {
  return daysBefore(firstDay, -offset);
}

/** An ad, with the same look in every answer unless it is told otherwise; it runs for long, and was seen on the day of the look. */
export function ad(adId: number, changes: Partial<Omit<SeenAd, 'adId'>> = {}): SeenAd {
  const versionId = changes.versionId ?? BigInt(adId * 100);
  const look = `look ${versionId}`;
  return { adId: BigInt(adId), versionId, look, start: '2025-01-01', lastSeen: null, ...changes };
}

/** What a scan says about the company, as far as it differs from a whole answer of serpapi. */
export type Said = Partial<Omit<Look, 'ads'>> & { readonly ads?: readonly SeenAd[] };

/** A company that is looked at once a day. */
export interface Story {
  /** The look of the next day. */
  readonly look: (said: Said) => Tracked;
  readonly state: () => TrackedState | null;
}

export function tellStory(settings: Partial<TrackSettings> = {}): Story {
  let state: TrackedState | null = null;
  let days = 0;
  return {
    look: (said) => {
      const day = dayOf(days);
      days += 1;
      const tracked = trackLook(state, lookOf(BigInt(days), day, said), { ...usualSettings, ...settings });
      state = tracked.state;
      return tracked;
    },
    state: () => state,
  };
}

function lookOf(scanId: bigint, day: string, { ads = [], ...said }: Said): Look {
  return {
    scanId,
    outcome: ads.length > 0 ? 'found' : 'none',
    partial: false,
    truncated: false,
    sources: ['serpapi'],
    observedAt: new Date(`${day}T02:00:00Z`),
    day,
    ads,
    ...said,
  };
}

/** Changes in a few words: `1 ended not_seen`. */
export function shortly(changes: readonly AdChange[]): readonly string[] {
  return changes.map(({ adId, kind, reason }) =>
    [adId, kind, reason].filter((word) => word !== null).join(' '),
  );
}
