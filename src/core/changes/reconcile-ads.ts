import type { AdChange } from './ad-change.ts';
import { daysBefore, earliestDay, haveSourceInCommon, laterDay, type SeenAd } from './observation.ts';
import { isStale, type AdStep, type ObservationContext } from './observation-context.ts';
import { lastObservationBy, type ConclusiveObservation, type TrackedAd } from './tracked-ad.ts';

/** Sources list an ad up to this many days after it starts to run. Our choice. */
const listingLagDays = 7;

/** Step of an ad that the observation contains. `known`: its state so far; undefined for an ad that no observation has seen. */
export function reconcileSeen(
  known: TrackedAd | undefined,
  seen: SeenAd,
  context: ObservationContext,
): AdStep {
  const change = known === undefined ? evaluateFirst(seen, context) : evaluateAgain(known, seen, context);
  const isActive = change?.isActive ?? known?.isActive ?? false;
  return { ad: trackObservation(known, seen, isActive, context), change };
}

function evaluateFirst(seen: SeenAd, context: ObservationContext): AdChange {
  const { observation, before } = context;
  const { start, lastSeen } = seen;
  if (isStale(lastSeen, context)) {
    const ran = { isActive: false, ranFrom: earliestDay(start, lastSeen), ranTo: lastSeen };
    return changeOf(seen, context, { kind: 'baseline', reason: 'long_ago', ...ran });
  }
  const ranFrom = earliestDay(start, observation.day);
  if (before === null) return changeOf(seen, context, { kind: 'baseline', reason: 'first_scan', ranFrom });
  return mayHaveBeenMissed(seen, context, before.conclusive)
    ? changeOf(seen, context, { kind: 'baseline', reason: 'missed_earlier', ranFrom })
    : changeOf(seen, context, { kind: 'new', ranFrom });
}

/** True when the ad may have run at the previous observation: sources reorder between pages, and truncate. */
function mayHaveBeenMissed(
  { start }: SeenAd,
  { observation }: ObservationContext,
  before: ConclusiveObservation,
): boolean {
  const wasWhole =
    before.completeness === 'complete' && haveSourceInCommon(observation.sources, before.sources);
  if (start === null) return !wasWhole;
  return start < daysBefore(before.day, wasWhole ? listingLagDays : 0);
}

function evaluateAgain(known: TrackedAd, seen: SeenAd, context: ObservationContext): AdChange | null {
  // An answer without a day means that the ad runs now, however old the newest known day is.
  const lastSeen = seen.lastSeen === null ? null : laterDay(known.lastSeen, seen.lastSeen);
  const isStaleNow = isStale(lastSeen, context);
  if (!known.isActive) {
    const ranFrom = earliestDay(lastSeen, context.observation.day);
    return isStaleNow ? null : changeOf(seen, context, { kind: 'reactivated', ranFrom });
  }
  if (isStaleNow) {
    const ran = { isActive: false, ranTo: lastSeen };
    return changeOf(seen, context, { kind: 'ended', reason: 'last_seen_long_ago', ...ran });
  }
  const earlier = lastObservationBy(known, sourceOf(context));
  if (earlier === undefined || earlier.contentHash === seen.contentHash) return null;
  return changeOf(seen, context, { kind: 'changed', versionBefore: earlier.versionId });
}

/** A change that is based on this observation, of an ad that runs unless `details` says otherwise. */
function changeOf(
  { adId, versionId }: SeenAd,
  { observation }: ObservationContext,
  details: Pick<AdChange, 'kind'> & Partial<AdChange>,
): AdChange {
  return {
    adId,
    reason: null,
    versionId,
    versionBefore: null,
    isActive: true,
    ranFrom: null,
    ranTo: null,
    restsOn: [observation.scanId],
    ...details,
  };
}

function trackObservation(
  known: TrackedAd | undefined,
  seen: SeenAd,
  isActive: boolean,
  context: ObservationContext,
): TrackedAd {
  const { scanId, day } = context.observation;
  const source = sourceOf(context);
  const earlier = known === undefined ? [] : [known.last, ...known.otherSources];
  return {
    adId: seen.adId,
    isActive,
    firstScanId: known?.firstScanId ?? scanId,
    lastScanId: scanId,
    last: { source, versionId: seen.versionId, contentHash: seen.contentHash },
    otherSources: earlier.filter((observation) => observation.source !== source),
    day,
    start: seen.start,
    lastSeen: laterDay(known?.lastSeen ?? null, seen.lastSeen),
    missedIn: [],
  };
}

/** Source of the ads: an observation with ads has exactly one. */
function sourceOf({ observation }: ObservationContext): string {
  const [source] = observation.sources;
  if (source === undefined) throw new Error(`The observation of scan ${observation.scanId} has no source.`);
  return source;
}

/** Step of an ad that is known to run and that the observation does not contain. */
export function reconcileUnseen(ad: TrackedAd, context: ObservationContext): AdStep {
  const { observation, completeness, settings } = context;
  if (completeness !== 'complete') return { ad, change: null };
  if (!observation.sources.some((source) => lastObservationBy(ad, source) !== undefined)) {
    // Sources know different ads. An ad that this source has never had may still run, until its own source has not seen it for
    // long.
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
