import assert from 'node:assert/strict';
import type { Change, Completeness, Evaluation, Observation, ScanSettings, SeenAd } from './history.ts';

/** An observation with its result. Queries about the past search the list of them. */
interface Reported {
  readonly observation: Observation;
  /** False for an observation that is stored but that later ones ignore. */
  readonly counts: boolean;
  readonly completeness: Completeness;
  readonly changes: readonly Change[];
}

/** Everything that is known when an observation is evaluated. */
interface ModelContext {
  readonly observation: Observation;
  /** Earlier observations that count. */
  readonly earlier: readonly Reported[];
  readonly settings: ScanSettings;
  readonly completeness: Completeness;
}

/** Local data sets: their age is that of their newest ad, independent of the time of the query. */
const localSources = ['snapshot', 'sample'];
/** Maximum number of days after its start at which an ad enters the listing. */
const lagDaysMax = 7;

/**
 * Computes the changes of one company in one schedule by the simplest reading of the rules: it carries no state and goes through
 * all earlier observations again for each one. Observations are in order of arrival: a conclusive one is too late if one of the
 * same scan or of a later scan has arrived before.
 */
export function evaluateHistory(observations: readonly Observation[], settings: ScanSettings): Evaluation {
  const all: (Reported | null)[] = [];
  const upTo = (count: number) => all.slice(0, count).filter((reported) => reported !== null);
  observations.forEach((observation, i) => {
    // A11
    const edited = observations.slice(0, i + 1).findLast((one) => one.edited !== null)?.edited ?? settings;
    all.push(evaluateObservation(observation, upTo(i), edited));
  });
  return {
    observations: observations.map(({ scan }, i) => ({
      scan,
      completeness: all[i]?.completeness ?? null,
      isBaseline: all[i] === upTo(observations.length).find(({ counts }) => counts),
      adsActive: activeAds(upTo(i + 1)).length,
    })),
    changes: changesIn(upTo(observations.length)),
  };
}

function evaluateObservation(
  observation: Observation,
  reported: readonly Reported[],
  settings: ScanSettings,
): Reported | null {
  if (
    observation.outcome === 'failed' ||
    observation.outcome === 'cancelled' ||
    observation.outcome === 'open'
  )
    return null;
  if (reported.some((one) => one.observation.scan >= observation.scan)) return null;
  const earlier = reported.filter(({ counts }) => counts);
  // A2
  const isRepeat = earlier.some(
    (one) => Date.parse(observation.observedAt) <= Date.parse(one.observation.observedAt),
  );
  const completeness = completenessOf(observation, earlier, isRepeat);
  // R2
  const isUnknown = observation.outcome === 'no_match' && earlier.length === 0;
  if (isRepeat || isUnknown) return { observation, counts: false, completeness, changes: [] };
  const situation = { observation, earlier, settings, completeness };
  const seen = trackable(observation).map((ad) => seenChange(ad, situation));
  const missed = activeAds(earlier)
    .filter((ad) => !trackable(observation).some((one) => one.ad === ad))
    .map((ad) => missedChange(ad, situation));
  const changes = [...seen, ...missed].filter((change) => change !== null);
  return {
    observation,
    counts: true,
    completeness,
    changes: changes.sort((one, other) => one.ad - other.ad),
  };
}

/** R1, with A5 and A2. */
function completenessOf(
  observation: Observation,
  earlier: readonly Reported[],
  isRepeat: boolean,
): Completeness {
  if (observation.outcome === 'no_match') return 'unconfirmed_empty';
  if (observation.outcome === 'found' && observation.partial) return 'partial';
  if (observation.outcome === 'found') return observation.truncated ? 'truncated' : 'complete';
  if (activeAds(earlier).length === 0) return 'complete';
  const before = earlier.at(-1)?.observation;
  const isConfirmed = !isRepeat && before?.outcome === 'none' && shareSource(before, observation);
  return isConfirmed ? 'complete' : 'unconfirmed_empty';
}

/** Change of an ad that the observation contains. */
function seenChange(ad: SeenAd, situation: ModelContext): Change | null {
  const { earlier, observation } = situation;
  const last = changesIn(earlier).findLast((change) => change.ad === ad.ad);
  if (last === undefined) return firstChange(ad, situation);
  const change = { ...plainChange(ad, observation), isActive: true };
  // A4: an answer without a date, for an ad with a known date, means that the ad is seen now.
  const isOld = ad.lastSeen !== null && isStale([ad, ...observationsOf(ad.ad, earlier)], situation);
  // R5b
  if (last.isActive && isOld)
    return { ...change, kind: 'ended', reason: 'last_seen_long_ago', isActive: false };
  // R6
  if (!last.isActive) return isOld ? null : { ...change, kind: 'reactivated' };
  // R7, A7
  const before = observationsOf(ad.ad, earlier).findLast(({ by }) => shareSource(by, observation));
  if (before === undefined || before.observation === ad.observation) return null;
  return { ...change, kind: 'changed', versionBefore: before.version };
}

/** Change of an ad that no earlier observation contained. */
function firstChange(ad: SeenAd, situation: ModelContext): Change {
  const change = { ...plainChange(ad, situation.observation), kind: 'baseline', isActive: true } as const;
  // R3, also in the baseline.
  if (isStale([ad], situation)) return { ...change, reason: 'long_ago', isActive: false };
  // R2
  if (situation.earlier.length === 0) return { ...change, reason: 'first_scan' };
  // R4
  return wasThere(ad, situation) ? { ...change, reason: 'missed_earlier' } : { ...change, kind: 'new' };
}

/** True if the previous observation could have contained an ad that it did not contain: R4, A9. */
function wasThere({ start }: SeenAd, { observation, earlier }: ModelContext): boolean {
  const upToBefore = earlier.slice(
    0,
    earlier.findLastIndex(({ completeness }) => completeness !== 'unconfirmed_empty') + 1,
  );
  const before = upToBefore.at(-1);
  const isFirm = before?.completeness === 'complete' && shareSource(before.observation, observation);
  if (start === null) return !isFirm;
  return (
    dayOf(start) < dayAfter(upToBefore.map((reported) => reported.observation)) - (isFirm ? lagDaysMax : 0)
  );
}

/** Change of an active ad that the observation does not contain: R5a, A6. */
function missedChange(ad: number, situation: ModelContext): Change | null {
  const { observation, earlier, settings, completeness } = situation;
  if (completeness !== 'complete') return null;
  const sightings = observationsOf(ad, earlier);
  const last = sightings.at(-1);
  assert(last !== undefined);
  const ended = { ...plainChange(last, observation), kind: 'ended', isActive: false } as const;
  const couldShowIt = (one: Observation) => sightings.some(({ by }) => shareSource(by, one));
  if (!couldShowIt(observation))
    return isStale(sightings, situation) ? { ...ended, reason: 'last_seen_long_ago' } : null;
  const misses = [...earlier, { observation, completeness }]
    .filter((reported) => reported.observation.scan > last.by.scan)
    .filter((reported) => reported.completeness === 'complete' && couldShowIt(reported.observation))
    .map((reported) => reported.observation.scan);
  return misses.length < settings.missesToEnd ? null : { ...ended, reason: 'not_seen', restsOn: misses };
}

/** Common fields of most changes (R9). */
function plainChange({ ad, version }: SeenAd, { scan }: Observation) {
  return { scan, ad, version, versionBefore: null, reason: null, restsOn: [scan] };
}

/** R3, by the newest known day of an ad (A4). */
function isStale(sightings: readonly SeenAd[], { observation, earlier, settings }: ModelContext): boolean {
  const days = sightings.flatMap(({ lastSeen }) => (lastSeen === null ? [] : [dayOf(lastSeen)]));
  const day = dayAfter([...earlier.map((reported) => reported.observation), observation]);
  return days.length > 0 && day - Math.max(...days) > settings.staleDays;
}

/** Day of the last observation: A3. */
function dayAfter(observations: readonly Observation[]): number {
  return Math.max(...observations.map(ownDay));
}

/** R3, A10. If several sources report no ads, the newest of their days. */
function ownDay({ observedAt, sources, ads, othersLastSeen }: Observation): number {
  const observed = dayOf(observedAt);
  const days = sources.map((source) => {
    if (!localSources.includes(source.replace(/\?.*/, ''))) return observed;
    const known = [...ads.map(({ lastSeen }) => lastSeen), othersLastSeen[source] ?? null];
    const newest = Math.max(...known.flatMap((day) => (day === null ? [] : [dayOf(day)])));
    return Number.isFinite(newest) ? Math.min(observed, newest) : observed;
  });
  return Math.max(...days);
}

/** A1. A source with other options has another name (A8). */
function shareSource(one: Observation, other: Observation): boolean {
  return one.sources.some((source) => other.sources.includes(source));
}

/** R8: trackable ads, each at its first position. */
function trackable({ ads }: Observation): readonly SeenAd[] {
  return ads
    .filter(({ hasIds }) => hasIds)
    .filter((one, i, known) => known.findIndex(({ ad }) => ad === one.ad) === i);
}

/** Observations of an ad, oldest first. */
function observationsOf(ad: number, earlier: readonly Reported[]) {
  const sightings = earlier.flatMap(({ observation }) =>
    trackable(observation).map((seen) => ({ ...seen, by: observation })),
  );
  return sightings.filter((seen) => seen.ad === ad);
}

/** Ads that still run after their last change. */
function activeAds(reported: readonly Reported[]): readonly number[] {
  const changes = changesIn(reported);
  const ads = [...new Set(changes.map(({ ad }) => ad))];
  return ads.filter((ad) => changes.findLast((change) => change.ad === ad)?.isActive === true);
}

function changesIn(reported: readonly Reported[]): readonly Change[] {
  return reported.flatMap(({ changes }) => changes);
}

/** Days since 1970 of a date or a time in UTC. */
function dayOf(text: string): number {
  return Math.floor(Date.parse(text) / 86_400_000);
}
