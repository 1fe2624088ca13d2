import type { AdChange } from './ad-change.ts';
import {
  laterDay,
  type Completeness,
  type Observation,
  type SeenAd,
  haveSourceInCommon,
} from './observation.ts';
import { reconcileSeen, reconcileUnseen } from './reconcile-ads.ts';
import type { ObservationContext, TrackSettings } from './observation-context.ts';
import { countActive, type TrackedAd, type TrackedCompany, type TrackedState } from './tracked-ad.ts';

/** Result of applying an observation. */
export interface Tracked {
  readonly completeness: Completeness;
  /** Day of the observation, or of an earlier observation if that day is later. */
  readonly day: string;
  /** True for the first observation of the company. Later ones report changes. */
  readonly isBaseline: boolean;
  /** Number of ads that run after it. */
  readonly adsActive: number;
  /** In the order of ad ids, at most one per ad. */
  readonly changes: readonly AdChange[];
  /** State after the observation; null: nothing is known yet. Unchanged parts are the same objects as before. */
  readonly state: TrackedState | null;
}

/**
 * Applies an observation of a company to the state of a schedule. The rules; `docs/guides/schedules-and-changes.md` explains the reasons:
 *
 * - The first observation that finds ads or finds none is the baseline: all its ads are `baseline`. Before it, a company that no source
 *   could identify stays unknown.
 * - The day of an observation is never before that of an earlier one.
 * - An ad is *stale* in an observation when the newest day on which a source saw it is more than `staleDays` before the day of the
 *   observation. Without such a day it is not stale, nor where this observation has the ad without a last day.
 * - An ad that is first seen later is `new`, or `baseline` where earlier observations may have missed it: it started before the observation
 *   before (with a week's grace where that was complete and of the same source, because sources are slow to list), or it has no start
 *   and the observation before was not that good. Unconfirmed empty answers do not count as the one before. A stale ad is `baseline` too,
 *   and does not run.
 * - An ad that runs and is not in an observation is missed, if the observation is complete and by a source that has had the ad;
 *   incomplete observations neither count nor clear. With `missesToEnd` misses in a row the ad has `ended`. Misses of sources that never
 *   had it do not count; but an ad that they do not contain and whose own source last saw it too long ago has `ended` too.
 * - An ad that runs, is seen and is stale has `ended`, in an observation of any completeness.
 * - An ad that did not run and is seen, not stale, is `reactivated`.
 * - An ad that runs, is seen, not stale, and has another content hash than when the same source last had it, has `changed`.
 * - An ad that occurs twice in an answer counts at its first position. The order of ads plays no other part.
 * - An observation no later than the one before, which is a repeated answer, changes nothing.
 *
 * @param before the state before; null: nothing is known.
 */
export function applyObservation(
  before: TrackedState | null,
  observation: Observation,
  settings: TrackSettings,
): Tracked {
  const isRepeat = before !== null && observation.observedAt <= before.company.lastObservedAt;
  const completeness = evaluateCompleteness(observation, before, isRepeat);
  const day = laterDay(before?.company.lastDay ?? null, observation.day);
  const isUnknown = before === null && observation.outcome === 'no_match';
  if (isRepeat || isUnknown) {
    const adsActive = before === null ? 0 : countActive(before.ads);
    return { completeness, day, isBaseline: false, adsActive, changes: [], state: before };
  }
  const context: ObservationContext = {
    observation: { ...observation, day },
    completeness,
    settings,
    before: before?.company ?? null,
  };
  const seen = firstOccurrences(observation.ads);
  const steps = [
    ...[...seen.values()].map((ad) => reconcileSeen(before?.ads.get(ad.adId), ad, context)),
    ...missing(before, seen).map((ad) => reconcileUnseen(ad, context)),
  ];
  const ads = new Map(before?.ads);
  for (const { ad } of steps) ads.set(ad.adId, ad);
  return {
    completeness,
    day,
    isBaseline: before === null,
    adsActive: countActive(ads),
    changes: steps.flatMap(({ change }) => (change === null ? [] : [change])).sort(byAd),
    state: { company: companyAfter(context), ads },
  };
}

function firstOccurrences(ads: readonly SeenAd[]): ReadonlyMap<bigint, SeenAd> {
  const first = new Map<bigint, SeenAd>();
  for (const ad of ads) if (!first.has(ad.adId)) first.set(ad.adId, ad);
  return first;
}

function missing(before: TrackedState | null, seen: ReadonlyMap<bigint, SeenAd>): readonly TrackedAd[] {
  return before === null ? [] : [...before.ads.values()].filter((ad) => ad.isActive && !seen.has(ad.adId));
}

function companyAfter({ observation, completeness, before }: ObservationContext): TrackedCompany {
  const { day, sources } = observation;
  return {
    baselineScanId: before?.baselineScanId ?? observation.scanId,
    lastScanId: observation.scanId,
    lastObservedAt: observation.observedAt,
    lastDay: day,
    lastOutcome: observation.outcome,
    lastSources: sources,
    conclusive:
      completeness === 'unconfirmed_empty' && before !== null
        ? before.conclusive
        : { day, completeness, sources },
  };
}

function byAd(a: AdChange, b: AdChange): number {
  if (a.adId === b.adId) return 0;
  return a.adId < b.adId ? -1 : 1;
}

/**
 * Evaluates the completeness of an observation. For ads that were found, it follows the extent of the answer. An empty answer
 * for a company whose ads just ran is more often an outage than a fact (an age gate, or a source that reports success and an
 * empty list): it counts only after the same source repeats it in the next observation. A company that could not be identified
 * was not observed. A reused answer confirms nothing: `isRepeat`.
 */
function evaluateCompleteness(
  observation: Observation,
  before: TrackedState | null,
  isRepeat: boolean,
): Completeness {
  switch (observation.outcome) {
    case 'found':
      if (observation.partial) return 'partial';
      return observation.truncated ? 'truncated' : 'complete';
    case 'none':
      return isConfirmed(observation, before, isRepeat) ? 'complete' : 'unconfirmed_empty';
    case 'no_match':
      return 'unconfirmed_empty';
  }
}

function isConfirmed({ sources }: Observation, before: TrackedState | null, isRepeat: boolean): boolean {
  if (before === null || countActive(before.ads) === 0) return true;
  const { lastOutcome, lastSources } = before.company;
  return lastOutcome === 'none' && !isRepeat && haveSourceInCommon(sources, lastSources);
}
