import type { AdChange } from './ad-change.ts';
import { isStale, type AdStep, type ObservationContext } from './observation-context.ts';
import { lastObservationBy, type TrackedAd } from './tracked-ad.ts';

/** An ad that runs, as far as is known, and that the look does not contain. */
export function reconcileUnseen(ad: TrackedAd, context: ObservationContext): AdStep {
  const { observation, completeness, settings } = context;
  if (completeness !== 'complete') return { ad, change: null };
  if (!observation.sources.some((source) => lastObservationBy(ad, source) !== undefined)) {
    // Sources know different ads. What one has never had may run all the same, until its own source has not seen it for long.
    return isStale(ad.lastSeen, context)
      ? endAd(ad, 'last_seen_long_ago', [observation.scanId])
      : { ad, change: null };
  }
  const missedIn = [...ad.missedIn, observation.scanId];
  const missed = { ...ad, missedIn };
  return missedIn.length < settings.missesToEnd
    ? { ad: missed, change: null }
    : endAd(missed, 'not_seen', missedIn);
}

function endAd(ad: TrackedAd, reason: AdChange['reason'], restsOn: AdChange['restsOn']): AdStep {
  const { adId, last, day, lastSeen } = ad;
  const change: AdChange = {
    adId,
    kind: 'ended',
    reason,
    versionId: last.versionId,
    versionBefore: null,
    isActive: false,
    ranFrom: null,
    ranTo: lastSeen ?? day,
    restsOn,
  };
  return { ad: { ...ad, isActive: false }, change };
}
