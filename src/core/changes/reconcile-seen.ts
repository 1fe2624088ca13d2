import type { AdChange } from './ad-change.ts';
import { daysBefore, earliestDay, haveSourceInCommon, laterDay, type SeenAd } from './observation.ts';
import { isStale, type AdStep, type Meeting } from './observation-context.ts';
import { sightingBy, type FirmLook, type TrackedAd } from './tracked-ad.ts';

/** Sources list an ad up to so many days after it began to run; our choice. */
const listingLagDays = 7;

/** An ad that the look contains; `known`: as it was until now, undefined when no look has seen it. */
export function meetAd(known: TrackedAd | undefined, seen: SeenAd, meeting: Meeting): AdStep {
  const change = known === undefined ? judgeFirst(seen, meeting) : judgeAgain(known, seen, meeting);
  const isActive = change?.isActive ?? known?.isActive ?? false;
  return { ad: noteSighting(known, seen, isActive, meeting), change };
}

function judgeFirst(seen: SeenAd, meeting: Meeting): AdChange {
  const { look, before } = meeting;
  const { start, lastSeen } = seen;
  if (isStale(lastSeen, meeting)) {
    const ran = { isActive: false, ranFrom: earliestDay(start, lastSeen), ranTo: lastSeen };
    return changeOf(seen, meeting, { kind: 'baseline', reason: 'long_ago', ...ran });
  }
  const ranFrom = earliestDay(start, look.day);
  if (before === null) return changeOf(seen, meeting, { kind: 'baseline', reason: 'first_scan', ranFrom });
  return mayHaveBeenMissed(seen, meeting, before.firm)
    ? changeOf(seen, meeting, { kind: 'baseline', reason: 'missed_earlier', ranFrom })
    : changeOf(seen, meeting, { kind: 'new', ranFrom });
}

/** Whether the ad may have been there at the look before: sources reorder while they are paged, and cut off. */
function mayHaveBeenMissed({ start }: SeenAd, { look }: Meeting, before: FirmLook): boolean {
  const wasWhole = before.completeness === 'complete' && haveSourceInCommon(look.sources, before.sources);
  if (start === null) return !wasWhole;
  return start < daysBefore(before.day, wasWhole ? listingLagDays : 0);
}

function judgeAgain(known: TrackedAd, seen: SeenAd, meeting: Meeting): AdChange | null {
  // An answer without a day says that the ad is there now, however old the newest that is known.
  const lastSeen = seen.lastSeen === null ? null : laterDay(known.lastSeen, seen.lastSeen);
  const isStaleNow = isStale(lastSeen, meeting);
  if (!known.isActive) {
    const ranFrom = earliestDay(lastSeen, meeting.look.day);
    return isStaleNow ? null : changeOf(seen, meeting, { kind: 'reactivated', ranFrom });
  }
  if (isStaleNow) {
    const ran = { isActive: false, ranTo: lastSeen };
    return changeOf(seen, meeting, { kind: 'ended', reason: 'last_seen_long_ago', ...ran });
  }
  const earlier = sightingBy(known, sourceOf(meeting));
  if (earlier === undefined || earlier.look === seen.look) return null;
  return changeOf(seen, meeting, { kind: 'changed', versionBefore: earlier.versionId });
}

/** A change that rests on this look; of an ad that runs, unless it says otherwise. */
function changeOf(
  { adId, versionId }: SeenAd,
  { look }: Meeting,
  said: Pick<AdChange, 'kind'> & Partial<AdChange>,
): AdChange {
  return {
    adId,
    reason: null,
    versionId,
    versionBefore: null,
    isActive: true,
    ranFrom: null,
    ranTo: null,
    restsOn: [look.scanId],
    ...said,
  };
}

function noteSighting(
  known: TrackedAd | undefined,
  seen: SeenAd,
  isActive: boolean,
  meeting: Meeting,
): TrackedAd {
  const { scanId, day } = meeting.look;
  const source = sourceOf(meeting);
  const earlier = known === undefined ? [] : [known.last, ...known.elsewhere];
  return {
    adId: seen.adId,
    isActive,
    firstScanId: known?.firstScanId ?? scanId,
    lastScanId: scanId,
    last: { source, versionId: seen.versionId, look: seen.look },
    elsewhere: earlier.filter((sighting) => sighting.source !== source),
    day,
    start: seen.start,
    lastSeen: laterDay(known?.lastSeen ?? null, seen.lastSeen),
    missedIn: [],
  };
}

/** The source of ads that were found: it alone has them. */
function sourceOf({ look }: Meeting): string {
  const [source] = look.sources;
  if (source === undefined) throw new Error(`The look of scan ${look.scanId} has no source.`);
  return source;
}
