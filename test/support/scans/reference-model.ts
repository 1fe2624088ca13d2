import type { Change, Completeness, Judgement, Look, ScanSettings, SeenAd } from './history.ts';

/** A look with what came of it. Whatever is asked of the past is looked up in the list of these. */
interface Told {
  readonly look: Look;
  readonly completeness: Completeness;
  readonly changes: readonly Change[];
}

/** All that is known when a look is judged. */
interface Situation {
  readonly look: Look;
  readonly earlier: readonly Told[];
  readonly settings: ScanSettings;
  readonly completeness: Completeness;
}

/** Data sets of our own: they are as old as the newest that they hold, whenever they are asked. */
const localSources: readonly (string | null)[] = ['snapshot', 'sample'];
/** So long after its start an ad may come into the listing. */
const lagDaysMax = 7;

/**
 * The changes of one company in one schedule, by the rules read as plainly as possible: nothing is carried from look to look, all that
 * was said before is gone through again for each. Looks come in the order in which they were heard: one that says something about a
 * scan for which, or for a later one of which, something has been heard already comes too late.
 */
export function judgeHistory(looks: readonly Look[], settings: ScanSettings): Judgement {
  const all: (Told | null)[] = [];
  const upTo = (count: number) => all.slice(0, count).filter((told) => told !== null);
  for (const look of looks) all.push(judgeLook(look, upTo(all.length), settings));
  return {
    looks: looks.map(({ scan }, i) => ({
      scan,
      completeness: all[i]?.completeness ?? null,
      isBaseline: all[i] === upTo(looks.length)[0],
      adsActive: activeAds(upTo(i + 1)).length,
    })),
    changes: changesIn(upTo(looks.length)),
  };
}

function judgeLook(look: Look, earlier: readonly Told[], settings: ScanSettings): Told | null {
  if (look.outcome === 'failed' || look.outcome === 'cancelled' || look.outcome === 'open') return null;
  if (earlier.some((told) => told.look.scan >= look.scan)) return null;
  if (look.outcome === 'no_match' && earlier.length === 0) return null;
  const completeness = completenessOf(look, earlier);
  const situation = { look, earlier, settings, completeness };
  const seen = trackable(look).map((ad) => seenChange(ad, situation));
  const missed = activeAds(earlier)
    .filter((ad) => !trackable(look).some((one) => one.ad === ad))
    .map((ad) => missedChange(ad, situation));
  const changes = [...seen, ...missed].filter((change) => change !== null);
  return { look, completeness, changes: changes.sort((one, other) => one.ad - other.ad) };
}

/** R1. */
function completenessOf(look: Look, earlier: readonly Told[]): Completeness {
  if (look.outcome === 'no_match') return 'unconfirmed_empty';
  if (look.outcome === 'found' && look.partial) return 'partial';
  if (look.outcome === 'found') return look.truncated ? 'truncated' : 'complete';
  const isExpected = activeAds(earlier).length === 0 || earlier.at(-1)?.look.outcome === 'none';
  return isExpected ? 'complete' : 'unconfirmed_empty';
}

/** What comes of an ad that the look shows. */
function seenChange(ad: SeenAd, situation: Situation): Change | null {
  const { earlier, look } = situation;
  const last = changesIn(earlier).findLast((change) => change.ad === ad.ad);
  if (last === undefined) return firstChange(ad, situation);
  const change = { ...plainChange(ad, look), isActive: true };
  const isOld = isStale(ad, situation);
  // R5b
  if (last.isActive && isOld)
    return { ...change, kind: 'ended', reason: 'last_seen_long_ago', isActive: false };
  // R6
  if (!last.isActive) return isOld ? null : { ...change, kind: 'reactivated' };
  // R7
  const before = lastSighting(ad.ad, earlier);
  if (before.look.source !== look.source || before.seen.look === ad.look) return null;
  return { ...change, kind: 'changed', versionBefore: before.seen.version };
}

/** What comes of an ad that has never been seen before. */
function firstChange(ad: SeenAd, situation: Situation): Change {
  const change = { ...plainChange(ad, situation.look), kind: 'baseline', isActive: true } as const;
  // R3, in the baseline too.
  if (isStale(ad, situation)) return { ...change, reason: 'long_ago', isActive: false };
  // R2
  const before = situation.earlier.at(-1);
  if (before === undefined) return { ...change, reason: 'first_scan' };
  // R4
  return wasThere(ad, before, situation.look)
    ? { ...change, reason: 'missed_earlier' }
    : { ...change, kind: 'new' };
}

/** Whether the look before could have shown an ad that it did not show. */
function wasThere(ad: SeenAd, before: Told, look: Look): boolean {
  const isFirm = before.completeness === 'complete' && before.look.source === look.source;
  if (ad.start === null) return !isFirm;
  return dayOf(ad.start) < dayOfLook(before.look) - (isFirm ? lagDaysMax : 0);
}

/** What comes of an active ad that the look does not show: R5a. */
function missedChange(ad: number, { look, earlier, settings, completeness }: Situation): Change | null {
  const { seen, look: seenIn } = lastSighting(ad, earlier);
  const misses = [...earlier, { look, completeness }]
    .filter((told) => told.look.scan > seenIn.scan)
    .filter((told) => told.completeness === 'complete' && told.look.source === seenIn.source)
    .map((told) => told.look.scan);
  // The look must be one of them: nothing ends in a look that cannot end it.
  if (misses.length < settings.missesToEnd || misses.at(-1) !== look.scan) return null;
  return {
    ...plainChange(seen, look),
    kind: 'ended',
    reason: 'not_seen',
    isActive: false,
    restsOn: misses,
  };
}

/** What most changes have in common (R9). */
function plainChange({ ad, version }: SeenAd, { scan }: Look) {
  return { scan, ad, version, versionBefore: null, reason: null, restsOn: [scan] };
}

/** R3. */
function isStale({ lastSeen }: SeenAd, { look, settings }: Situation): boolean {
  return lastSeen !== null && dayOfLook(look) - dayOf(lastSeen) > settings.staleDays;
}

function dayOfLook({ observedAt, source, ads, othersLastSeen }: Look): number {
  const observed = dayOf(observedAt);
  if (!localSources.includes(source)) return observed;
  const days = [...ads.map(({ lastSeen }) => lastSeen), othersLastSeen].flatMap((day) =>
    day === null ? [] : [dayOf(day)],
  );
  return days.length === 0 ? observed : Math.min(observed, Math.max(...days));
}

/** R8: ads that can be followed, each where it stands first. */
function trackable({ ads }: Look): readonly SeenAd[] {
  return ads
    .filter(({ hasIds }) => hasIds)
    .filter((one, i, known) => known.findIndex(({ ad }) => ad === one.ad) === i);
}

function lastSighting(ad: number, earlier: readonly Told[]) {
  const sightings = earlier.flatMap(({ look }) => trackable(look).map((seen) => ({ look, seen })));
  const last = sightings.findLast(({ seen }) => seen.ad === ad);
  if (last === undefined) throw new Error(`Ad ${ad} has never been seen.`);
  return last;
}

/** Whether an ad runs is what its last change says. */
function activeAds(told: readonly Told[]): readonly number[] {
  const changes = changesIn(told);
  const ads = [...new Set(changes.map(({ ad }) => ad))];
  return ads.filter((ad) => changes.findLast((change) => change.ad === ad)?.isActive === true);
}

function changesIn(told: readonly Told[]): readonly Change[] {
  return told.flatMap(({ changes }) => changes);
}

/** Days since 1970, of a day or a time in UTC. */
function dayOf(text: string): number {
  return Math.floor(Date.parse(text) / 86_400_000);
}
