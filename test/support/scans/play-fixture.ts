import type { AdLife, AdWorld, Extent, Night, Said } from './ad-fixture.ts';
import type { Look, SeenAd } from './history.ts';

/** The day of the first night, a few days before a leap day. */
const firstDay = Date.UTC(2028, 1, 24) / 86_400_000;

/** All that was heard of the world, in the order in which it was heard. */
export function playWorld({ ads, nights }: AdWorld): readonly Look[] {
  const looks: Look[] = [];
  const days = nights.map((_, i) => nights.slice(1, i + 1).reduce((day, { gapDays }) => day + gapDays, 0));
  nights.forEach((night, i) => {
    const last = looks.at(-1);
    if (!night.isSkipped) looks.push(lookIn({ night, scan: i + 1, day: days[i] ?? 0, ads, last }));
    nights.slice(0, i + 1).forEach((earlier, k) => {
      if (earlier.isSkipped || earlier.said.kind !== 'failed' || earlier.retriedAfter !== i - k) return;
      const again = { ...earlier, hour: 23, said: wholeListing, edited: null };
      looks.push(lookIn({ night: again, scan: k + 1, day: days[i] ?? 0, ads, last: undefined }));
    });
  });
  return looks;
}

const wholeListing: Said = { kind: 'listing', extent: 'whole', adsMax: 0 };

interface Moment {
  readonly night: Night;
  readonly scan: number;
  readonly day: number;
  readonly ads: readonly AdLife[];
  /** What was heard last before it. */
  readonly last: Look | undefined;
}

function lookIn(moment: Moment): Look {
  const { night, scan, day, last } = moment;
  const { said, sources, hour, edited } = night;
  const plain = { scan, sources, truncated: false, partial: false, ads: [], edited };
  const observedAt = new Date((firstDay + day) * 86_400_000 + hour * 3_600_000).toISOString();
  const heard = { ...plain, observedAt, othersLastSeen: othersLastSeenIn(moment) };
  switch (said.kind) {
    case 'listing':
      return { ...heard, ...answerOf(listingOf(moment), said, sources) };
    case 'again':
      return last === undefined ? { ...heard, outcome: 'none' } : { ...last, scan, edited };
    case 'none':
    case 'no_match':
      return { ...heard, outcome: said.kind };
    default:
      return { ...heard, outcome: said.kind, sources: [] };
  }
}

/** Two sources differ in how old they are. */
function othersLastSeenIn(moment: Moment): Readonly<Record<string, string>> {
  const { sources, othersDays } = moment.night;
  if (othersDays === null) return {};
  const day = dataDayOf(moment) - othersDays;
  return Object.fromEntries(sources.map((source, i) => [source, dateOf(day + 4 * i)]));
}

type Answer = Pick<Look, 'outcome' | 'sources' | 'ads' | 'truncated' | 'partial'>;

/** Of a listing without ads nothing can be left out, and all sources say so. */
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

/** The ads that the source knows on that day, the last seen first unless they are mixed up. */
function listingOf(moment: Moment): readonly SeenAd[] {
  const { night, ads } = moment;
  const day = dataDayOf(moment);
  const shown = ads.flatMap((life, i) => (isListed(life, day, isOther(night)) ? [{ life, ad: i + 1 }] : []));
  const seen = shown.map(({ life, ad }) => seenOn(day, { life, ad, night }));
  const inOrder =
    night.shuffle === 0
      ? seen.toSorted((one, other) => (other.lastSeen ?? '').localeCompare(one.lastSeen ?? ''))
      : seen.toSorted((one, other) => ((one.ad * night.shuffle) % 11) - ((other.ad * night.shuffle) % 11));
  const doubles = shown
    .filter(({ life }) => life.isDoubled)
    .map(({ life, ad }) => seenOn(day - 9, { life, ad, night }));
  return [...inOrder, ...doubles];
}

function isOther({ sources }: Night): boolean {
  return nameOf(sources) === 'other';
}

/** Of the first source, however it is asked. */
function nameOf([source = '']: readonly string[]): string {
  return source.replace(/\?.*/, '');
}

function isListed({ startDay, lagDays, spells, knownTo }: AdLife, day: number, isOther: boolean): boolean {
  if (knownTo !== 'all' && isOther !== (knownTo === 'other')) return false;
  let left = day - startDay - lagDays;
  if (left < 0) return false;
  for (const [shownDays, hiddenDays] of spells) {
    if (left < shownDays + hiddenDays) return left < shownDays;
    left -= shownDays + hiddenDays;
  }
  return spells.length === 0;
}

function seenOn(day: number, { life, ad, night }: { life: AdLife; ad: number; night: Night }): SeenAd {
  const { startDay, seenDays, restyledAfter, isRestless, lacks, isTwofaced } = life;
  const restyled = restyledAfter.filter((after) => startDay + after <= day).length;
  const style = restyled + (isTwofaced && isOther(night) ? 5 : 0);
  const lastSeen = Math.max(startDay, Math.min(day, seenDays === null ? day : startDay + seenDays));
  return {
    ad,
    hasIds: lacks !== 'ids',
    version: ad * 100 + style * 10 + (isRestless ? Math.abs(day % 10) : 0),
    look: 'abcdefghij'.charAt(style),
    start: lacks === 'start' || lacks === 'dates' ? null : dateOf(startDay),
    lastSeen: lacks === 'last_seen' || lacks === 'dates' ? null : dateOf(lastSeen),
  };
}

/** The day as of which the source knows the world. */
function dataDayOf({ night, day }: Moment): number {
  const isLocal = ['snapshot', 'sample'].includes(nameOf(night.sources));
  return isLocal ? day - night.dataDays : day;
}

/** Day 0 is that of the first night. */
export function dateOf(day: number): string {
  return new Date((firstDay + day) * 86_400_000).toISOString().slice(0, 10);
}
