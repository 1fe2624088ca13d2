import { createHash } from 'node:crypto';
import type { Change as Due, Evaluation, Observation as Heard, ScanSettings } from './history.ts';
import type { AdChange } from '../../../src/core/changes/ad-change.ts';
import { observationDay, type Observation } from '../../../src/core/changes/observation.ts';
import { applyObservation, type Tracked } from '../../../src/core/changes/apply-observation.ts';
import { countActive, type TrackedState } from '../../../src/core/changes/tracked-ad.ts';

/**
 * Computes the result of the product for the observations of one company in one schedule, in the terms of the reference model.
 * Observations are in scan order, one per scan: the store decides which retries still count.
 */
export function applyHistory(observations: readonly Heard[], settings: ScanSettings): Evaluation {
  let state: TrackedState | null = null;
  let current = settings;
  const evaluated: Evaluation['observations'][number][] = [];
  const changes: Due[] = [];
  for (const heard of observations) {
    current = heard.edited ?? current;
    const observation = toObservation(heard);
    const tracked: Tracked | null =
      observation === null ? null : applyObservation(state, observation, current);
    state = tracked?.state ?? state;
    evaluated.push({
      scan: heard.scan,
      completeness: tracked?.completeness ?? null,
      isBaseline: tracked?.isBaseline ?? false,
      adsActive: tracked?.adsActive ?? (state === null ? 0 : countActive(state.ads)),
    });
    changes.push(...(tracked?.changes ?? []).map((change) => toChange(heard.scan, change)));
  }
  return { observations: evaluated, changes };
}

function toObservation(heard: Heard): Observation | null {
  const { scan, outcome, partial, truncated, sources, ads } = heard;
  if (outcome !== 'found' && outcome !== 'none' && outcome !== 'no_match') return null;
  return {
    scanId: BigInt(scan),
    outcome,
    partial,
    truncated,
    sources,
    observedAt: new Date(heard.observedAt),
    day: dayOf(heard),
    ads: ads
      .filter(({ hasIds }) => hasIds)
      .map(({ ad, version, observation, start, lastSeen }) => ({
        adId: BigInt(ad),
        versionId: BigInt(version),
        contentHash: createHash('sha256').update(observation).digest('hex'),
        start,
        lastSeen,
      })),
  };
}

/** Stored form of the observation, from the result of the whole scan. */
function dayOf({ observedAt, sources, ads, othersLastSeen }: Heard): string {
  const days = sources.map((source) => {
    const isLocal = /^(snapshot|sample)(\?|$)/.test(source);
    const seen = [...ads.map(({ lastSeen }) => lastSeen), othersLastSeen[source] ?? null];
    const newest =
      seen
        .filter((day) => day !== null)
        .sort()
        .at(-1) ?? null;
    return observationDay(new Date(observedAt), isLocal ? newest : null);
  });
  return days.sort().at(-1) ?? observationDay(new Date(observedAt), null);
}

function toChange(scan: number, change: AdChange): Due {
  const { adId, kind, reason, versionId, versionBefore, isActive, restsOn } = change;
  return {
    scan,
    ad: Number(adId),
    kind,
    reason,
    version: Number(versionId),
    versionBefore: versionBefore === null ? null : Number(versionBefore),
    isActive,
    restsOn: restsOn.map(Number),
  };
}
