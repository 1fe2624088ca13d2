import type { AdRegion, AdSurface, TimesShown } from '../ads/ad-details.ts';
import { wholeEea } from '../ads/reach.ts';
import { daysFrom } from '../reports/days.ts';
import { addDays } from '../time/day.ts';
import { pick, type Numbers } from './numbers.ts';

const countries = [
  'AT',
  'BE',
  'CZ',
  'DE',
  'DK',
  'ES',
  'FI',
  'FR',
  'GR',
  'IE',
  'IT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SE',
];
const countriesMax = 3;
const surfaces = ['SEARCH', 'YOUTUBE', 'SHOPPING', 'MAPS', 'PLAY'];
/** Probability that a region has surfaces. */
const surfacesShare = 0.1;
const timesPerDayMax = 6_000;

/** First and last day on which an ad runs, and the day of the sample; `YYYY-MM-DD`. */
export interface SampleRun {
  readonly start: string;
  readonly end: string;
  readonly today: string;
}

/**
 * Generates the regions of an ad: their aggregate, which the real data has as region `EEA`, and one to three countries. It is shown in one of
 * them as long as it runs, and elsewhere for a part of that time.
 *
 * @param numbers those of the ad.
 */
export function sampleRegions(numbers: Numbers, run: SampleRun): readonly AdRegion[] {
  const [whole, ...others] = chosenCountries(numbers);
  const shown = [
    regionOf(whole, run, numbers),
    ...others.map((region) => regionOf(region, partOf(run, region, numbers), numbers)),
  ].filter(({ firstShown }) => firstShown !== null && firstShown <= run.today);
  return [
    {
      ...region(wholeEea, run),
      timesShown: timesOf(shown.reduce((sum, { timesShown }) => sum + (timesShown?.lower ?? 0), 0)),
    },
    ...shown.toSorted((one, other) => (one.region < other.region ? -1 : 1)),
  ];
}

function chosenCountries(numbers: Numbers): readonly [string, ...string[]] {
  const [first = 'DE', ...others] = countries
    .map((code) => ({ code, order: numbers(`order of ${code}`) }))
    .sort((one, other) => one.order - other.order)
    .map(({ code }) => code);
  return [first, ...others.slice(0, Math.floor(numbers('countries') * countriesMax))];
}

/** Part of a run in a country that came later, and may end earlier. */
function partOf({ start, end, today }: SampleRun, code: string, numbers: Numbers): SampleRun {
  const days = daysFrom(start, end);
  const late = Math.floor((numbers(`start in ${code}`) * days) / 3);
  const early = Math.floor((numbers(`end in ${code}`) * days) / 3);
  return { start: addDays(start, late), end: addDays(end, -early), today };
}

function regionOf(code: string, run: SampleRun, numbers: Numbers): AdRegion {
  const timesPerDay = 100 + numbers(`times in ${code}`) * timesPerDayMax;
  const timesShown = timesOf(timesPerDay * (daysFrom(run.start, lastDay(run)) + 1));
  return { ...region(code, run), timesShown, surfaces: surfacesOf(code, timesShown, numbers) };
}

function region(code: string, run: SampleRun): AdRegion {
  return {
    region: code,
    firstShown: run.start,
    lastShown: lastDay(run),
    timesShown: null,
    timesShownFrom: null,
    timesShownTo: null,
    surfaces: [],
  };
}

function lastDay({ end, today }: SampleRun): string {
  return end < today ? end : today;
}

function surfacesOf(code: string, timesShown: TimesShown, numbers: Numbers): readonly AdSurface[] {
  if (numbers(`surfaces in ${code}`) >= surfacesShare) return [];
  const first = pick(surfaces, numbers(`first surface in ${code}`));
  const second = pick(
    surfaces.filter((surface) => surface !== first),
    numbers(`second surface in ${code}`),
  );
  const half = timesOf((timesShown.lower ?? 0) / 2);
  return [first, second].map((surface) => ({ surface, timesShown: half }));
}

/** Bounds of ranges, as multiples of a power of ten. */
const ranges = [
  [5, 10],
  [2, 5],
  [1, 2],
] as const;

/** The range that contains a number. Ranges are wide, so that the one of a running ad seldom changes. */
function timesOf(times: number): TimesShown {
  const unit = 10 ** Math.max(3, Math.floor(Math.log10(Math.max(times, 1))));
  const [lower, upper] = ranges.find(([bound]) => bound * unit <= times) ?? [0, 1];
  return { lower: lower * unit, upper: upper * unit, availableOn: null };
}
