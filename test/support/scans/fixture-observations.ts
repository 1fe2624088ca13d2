import type { AdLifetime, AdFixture, Extent, ScanRun, RunAnswer } from './ad-fixture.ts';
import type { Observation, SeenAd } from './history.ts';

/** Day of the first run, a few days before a leap day. */
const firstDay = Date.UTC(2028, 1, 24) / 86_400_000;

/** All observations of the fixture, in order of arrival. */
export function fixtureObservations({ ads, runs }: AdFixture): readonly Observation[] {
  const observations: Observation[] = [];
  const days = runs.map((_, i) => runs.slice(1, i + 1).reduce((day, { gapDays }) => day + gapDays, 0));
  runs.forEach((run, i) => {
    const last = observations.at(-1);
    if (!run.isSkipped) observations.push(findIn({ run, scan: i + 1, day: days[i] ?? 0, ads, last }));
    runs.slice(0, i + 1).forEach((earlier, k) => {
      if (earlier.isSkipped || earlier.reported.kind !== 'failed' || earlier.retriedAfter !== i - k) return;
      const again = { ...earlier, hour: 23, reported: wholeListing, edited: null };
      observations.push(findIn({ run: again, scan: k + 1, day: days[i] ?? 0, ads, last: undefined }));
    });
  });
  return observations;
}

const wholeListing: RunAnswer = { kind: 'listing', extent: 'whole', adsMax: 0 };

interface Moment {
  readonly run: ScanRun;
  readonly scan: number;
  readonly day: number;
  readonly ads: readonly AdLifetime[];
  /** Last observation before it. */
  readonly last: Observation | undefined;
}

function findIn(moment: Moment): Observation {
  const { run, scan, day, last } = moment;
  const { reported, sources, hour, edited } = run;
  const plain = { scan, sources, truncated: false, partial: false, ads: [], edited };
  const observedAt = new Date((firstDay + day) * 86_400_000 + hour * 3_600_000).toISOString();
  const heard = { ...plain, observedAt, othersLastSeen: othersLastSeenIn(moment) };
  switch (reported.kind) {
    case 'listing':
      return { ...heard, ...answerOf(listingOf(moment), reported, sources) };
    case 'again':
      return last === undefined ? { ...heard, outcome: 'none' } : { ...last, scan, edited };
    case 'none':
    case 'no_match':
      return { ...heard, outcome: reported.kind };
    default:
      return { ...heard, outcome: reported.kind, sources: [] };
  }
}

/** Two sources differ in their age. */
function othersLastSeenIn(moment: Moment): Readonly<Record<string, string>> {
  const { sources, othersDays } = moment.run;
  if (othersDays === null) return {};
  const day = dataDayOf(moment) - othersDays;
  return Object.fromEntries(sources.map((source, i) => [source, dateOf(day + 4 * i)]));
}

type Answer = Pick<Observation, 'outcome' | 'sources' | 'ads' | 'truncated' | 'partial'>;

/** Answer for a listing. An empty listing cannot be truncated, and all sources report it. */
function answerOf(
  listing: readonly SeenAd[],
  { extent, adsMax }: { extent: Extent; adsMax: number },
  sources: readonly string[],
): Answer {
  const ads = extent === 'whole' ? listing : listing.slice(0, adsMax);
  if (ads.length === 0) return { outcome: 'none', sources, ads, truncated: false, partial: false };
  return {
    outcome: 'found',
    sources: sources.slice(0, 1),
    ads,
    truncated: extent.includes('truncated'),
    partial: extent.includes('partial'),
  };
}

/** Ads that the source knows on this day, most recently seen first unless shuffled. */
function listingOf(moment: Moment): readonly SeenAd[] {
  const { run, ads } = moment;
  const day = dataDayOf(moment);
  const shown = ads.flatMap((life, i) => (isListed(life, day, isOther(run)) ? [{ life, ad: i + 1 }] : []));
  const seen = shown.map(({ life, ad }) => seenOn(day, { life, ad, run }));
  const inOrder =
    run.shuffle === 0
      ? seen.toSorted((one, other) => (other.lastSeen ?? '').localeCompare(one.lastSeen ?? ''))
      : seen.toSorted((one, other) => ((one.ad * run.shuffle) % 11) - ((other.ad * run.shuffle) % 11));
  const doubles = shown
    .filter(({ life }) => life.isDoubled)
    .map(({ life, ad }) => seenOn(day - 9, { life, ad, run }));
  return [...inOrder, ...doubles];
}

function isOther({ sources }: ScanRun): boolean {
  return nameOf(sources) === 'other';
}

/** Name of the first source, without its options. */
function nameOf([source = '']: readonly string[]): string {
  return source.replace(/\?.*/, '');
}

function isListed(
  { startDay, lagDays, spells, knownTo }: AdLifetime,
  day: number,
  isOther: boolean,
): boolean {
  if (knownTo !== 'all' && isOther !== (knownTo === 'other')) return false;
  let left = day - startDay - lagDays;
  if (left < 0) return false;
  for (const [shownDays, hiddenDays] of spells) {
    if (left < shownDays + hiddenDays) return left < shownDays;
    left -= shownDays + hiddenDays;
  }
  return spells.length === 0;
}

function seenOn(day: number, { life, ad, run }: { life: AdLifetime; ad: number; run: ScanRun }): SeenAd {
  const { startDay, seenDays, restyledAfter, changesOften, lacks, hasTwoContents } = life;
  const restyled = restyledAfter.filter((after) => startDay + after <= day).length;
  const style = restyled + (hasTwoContents && isOther(run) ? 5 : 0);
  const lastSeen = Math.max(startDay, Math.min(day, seenDays === null ? day : startDay + seenDays));
  return {
    ad,
    hasIds: lacks !== 'ids',
    version: ad * 100 + style * 10 + (changesOften ? Math.abs(day % 10) : 0),
    observation: 'abcdefghij'.charAt(style),
    start: lacks === 'start' || lacks === 'dates' ? null : dateOf(startDay),
    lastSeen: lacks === 'last_seen' || lacks === 'dates' ? null : dateOf(lastSeen),
  };
}

/** Day of the data of the source. */
function dataDayOf({ run, day }: Moment): number {
  const isLocal = ['snapshot', 'sample'].includes(nameOf(run.sources));
  return isLocal ? day - run.dataDays : day;
}

/** Date of a day; day 0 is that of the first run. */
export function dateOf(day: number): string {
  return new Date((firstDay + day) * 86_400_000).toISOString().slice(0, 10);
}
