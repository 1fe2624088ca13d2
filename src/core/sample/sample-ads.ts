import type { AdText } from '../ads/ad.ts';
import { noDetails, type AdDetails, type Targeting } from '../ads/ad-details.ts';
import { daysFrom } from '../reports/days.ts';
import type { SnapshotRow } from '../sources/snapshot-store.ts';
import { addDays } from '../time/day.ts';
import { numbersOf, pick, type Numbers } from './numbers.ts';
import { sampleAdvertisers, type SampleAdvertiser } from './sample-advertisers.ts';
import { sampleVariant } from './sample-picture.ts';
import { sampleRegions } from './sample-regions.ts';
import { brandOf, sampleText } from './sample-texts.ts';

/** Payer of every ad of the sample, so that none can be mistaken for a real one. */
export const sampleLabel = 'GENERATED SAMPLE DATA';

const formats = ['Text', 'Text', 'Text', 'Image', 'Image', 'Video'];
const topics = [
  'Apparel',
  'Computers & Consumer Electronics',
  'Finance',
  'Food & Groceries',
  'Health',
  'Travel',
];
const criteria = [
  'CRITERIA_INCLUDED',
  'CRITERIA_EXCLUDED',
  'CRITERIA_INCLUDED_AND_EXCLUDED',
  'CRITERIA_UNUSED',
];

/** Shares of slots by the number of days that an ad of theirs is listed. */
const listedDays = [
  { share: 0.3, min: 60, max: 120 },
  { share: 0.4, min: 120, max: 360 },
  { share: 0.3, min: 360, max: 1_100 },
] as const;
/** Share of these days on which it runs. */
const runShare = { min: 0.5, max: 0.85 } as const;
/** An ad stays listed at least this long after its last day: a schedule reports its end after `staleDaysBounds.standard` days. */
const endedDaysMin = 24;
const revisionDays = { min: 20, max: 80 } as const;

/** First day from which days are counted. */
const origin = '1970-01-01';
const slotSize = 1_000_000;
const advertiserSize = 1_000 * slotSize;

/**
 * Generates the sample as of a day, `YYYY-MM-DD`: the same rows for the same day, and a little different ones for the next.
 *
 * Every advertiser has a fixed number of slots, and a slot always holds one ad: it starts, is revised now and then, ends, stays listed for a
 * while, and gives way to the next one. So the number of ads of a company is the same on every day, and ads start, change and end on most days.
 */
export function sampleRows(today: string): readonly SnapshotRow[] {
  return sampleAdvertisers.flatMap((advertiser, index) =>
    Array.from({ length: advertiser[2] }, (_, slot) => rowOf(advertiser, index, slot, today)),
  );
}

function rowOf(advertiser: SampleAdvertiser, index: number, slot: number, today: string): SnapshotRow {
  const { turn, start, end } = runOf(index, slot, today);
  const numbers = numbersOfAd(index, slot, turn);
  const lastSeen = end < today ? end : today;
  const [disclosedName, location, , legalName = null] = advertiser;
  const creativeId = idOf('CR', (index + 1) * advertiserSize + slot * slotSize + turn);
  const format = formatOf(numbers);
  const revision = revisionOf(numbers, start, lastSeen);
  return {
    advertiserId: idOf('AR', index + 1),
    creativeId,
    advertiserName: disclosedName,
    disclosedName,
    legalName,
    location,
    format,
    start,
    lastSeen,
    details: {
      ...noDetails,
      topic: numbers('has topic') < 0.4 ? pick(topics, numbers('topic')) : null,
      payer: sampleLabel,
      isGrantFunded: numbers('has funding') < 0.2 ? false : null,
      targeting: numbers('has targeting') < 0.04 ? targetingOf(numbers) : null,
      regions: sampleRegions(numbers, { start, end, today }),
      advertiser: advertiserDetails(location, legalName),
    },
    disapprovals: null,
    content: {
      text: sampleText(advertiser, numbers, revision),
      variants: [sampleVariant({ creativeId, revision }, format)],
    },
  };
}

/** The part of an ad of the sample that does not depend on the day. */
export interface SampleAd {
  readonly format: string;
  readonly brand: string;
  /** Colour of the brand, in degrees of the colour wheel. */
  readonly hue: number;
  /** Writes its texts in a revision, the first one being 0. */
  readonly textOf: (revision: number) => AdText;
}

/** Finds an ad by its creative, of whatever day; null for an id that no ad of the sample can have. */
export function findSampleAd(creativeId: string): SampleAd | null {
  const number = Number(creativeId.slice('CR0'.length));
  const index = Math.floor(number / advertiserSize) - 1;
  const slot = Math.floor((number % advertiserSize) / slotSize);
  const advertiser = sampleAdvertisers[index];
  if (advertiser === undefined || slot >= advertiser[2] || idOf('CR', number) !== creativeId) return null;
  const numbers = numbersOfAd(index, slot, number % slotSize);
  return {
    format: formatOf(numbers),
    brand: brandOf(advertiser),
    hue: numbersOf(`${index}`)('hue') * 360,
    textOf: (revision) => sampleText(advertiser, numbers, revision),
  };
}

/** The ad in a slot on a day: how many there were before it, and its first and last day. */
function runOf(index: number, slot: number, today: string) {
  const numbers = numbersOf(`${index}/${slot}`);
  const listed = listedDaysOf(numbers);
  const offset = Math.floor(numbers('offset') * listed);
  const turn = Math.floor((daysFrom(origin, today) + offset) / listed);
  const start = addDays(origin, turn * listed - offset);
  const share = between(runShare, numbersOfAd(index, slot, turn)('run'));
  const days = Math.min(Math.round(listed * share), listed - endedDaysMin);
  return { turn, start, end: addDays(start, days - 1) };
}

function listedDaysOf(numbers: Numbers): number {
  let rest = numbers('kind');
  const kind = listedDays.find(({ share }) => (rest -= share) < 0) ?? listedDays[0];
  return Math.floor(between(kind, numbers('days')));
}

function numbersOfAd(index: number, slot: number, turn: number): Numbers {
  return numbersOf(`${index}/${slot}/${turn}`);
}

function formatOf(numbers: Numbers): string {
  return pick(formats, numbers('format'));
}

function revisionOf(numbers: Numbers, start: string, lastSeen: string): number {
  return Math.floor(daysFrom(start, lastSeen) / between(revisionDays, numbers('revisions')));
}

function targetingOf(numbers: Numbers): Targeting {
  const use = (name: string) => pick(criteria, numbers(name));
  return {
    demographicInfo: use('demographic info'),
    geoLocation: use('geo location'),
    contextualSignals: use('contextual signals'),
    customerLists: use('customer lists'),
    topicsOfInterest: use('topics of interest'),
  };
}

function advertiserDetails(location: string, legalName: string | null): AdDetails['advertiser'] {
  return { legalName, location, verification: legalName === null ? null : 'VERIFIED' };
}

/** A prefix and 20 digits; every other number begins with zeros, which a parser must keep. */
function idOf(prefix: 'AR' | 'CR', number: number): string {
  return `${prefix}${number % 2 === 0 ? '1' : '0'}${String(number).padStart(19, '0')}`;
}

function between({ min, max }: { readonly min: number; readonly max: number }, number: number): number {
  return min + number * (max - min);
}
