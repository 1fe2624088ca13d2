import fc from 'fast-check';
import type { AdRegion, AdSurface, Targeting, TimesShown } from '../../../src/core/ads/ad-details.ts';
import type { Disapproval } from '../../../src/core/ads/disapproval.ts';

/** What one row of an export says about an ad, before it is written into a file. */
export interface RowTruth {
  /** Number of the ad in its history. */
  readonly ad: number;
  readonly isRemoved: boolean;
  /** Last day in a column of its own; null: the regions decide. */
  readonly lastShown: string | null;
  readonly topic: string | null;
  readonly payer: string | null;
  readonly isGrantFunded: boolean | null;
  readonly legalName: string | null;
  readonly location: string | null;
  readonly verification: string | null;
  readonly targeting: Targeting | null;
  readonly regions: readonly AdRegion[];
  readonly disapprovals: readonly Disapproval[];
  /** How its values are written: bits that `writeRow` takes in turn. */
  readonly style: number;
}

/** Rows of an advertiser by load, in the order of the load. */
export type ExportHistory = readonly (readonly RowTruth[])[];

/** Days of the loads in their order: several on one day, and days without any between them. */
export const loadDays = [
  '2026-01-01',
  '2026-01-01',
  '2026-01-02',
  '2026-01-05',
  '2026-01-05',
  '2026-01-05',
  '2026-01-06',
  '2026-01-31',
] as const;

/** Days before, on, between and after the loads. */
export const askedDays = [
  '2025-12-31',
  '2026-01-01',
  '2026-01-02',
  '2026-01-03',
  '2026-01-05',
  '2026-01-06',
  '2026-01-30',
  '2026-01-31',
  '2026-02-01',
] as const;

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const text = fc.constantFrom('Health', 'P&G', 'Ünïcode 株式会社', 'a "quoted", text', 'back\\slash');
const day = fc.constantFrom('2023-03-01', '2024-02-29', '2025-12-30', '2025-12-31');
const count = fc.constantFrom(0, 1000, 2000, 3_000_000_000);

const times: fc.Arbitrary<TimesShown | null> = fc
  .record({ lower: orNull(count), upper: orNull(count), availableOn: orNull(day) })
  .map((range) => (Object.values(range).every((value) => value === null) ? null : range));

const surface: fc.Arbitrary<AdSurface> = fc.record({
  surface: fc.constantFrom('SEARCH', 'YOUTUBE', 'MAPS', 'PLAY', 'SHOPPING'),
  timesShown: times,
});

const region: fc.Arbitrary<AdRegion> = fc.record({
  region: fc.constantFrom('EEA', 'DE', 'FR', 'TR'),
  firstShown: orNull(day),
  lastShown: orNull(day),
  timesShown: times,
  timesShownFrom: orNull(day),
  timesShownTo: orNull(day),
  surfaces: fc.uniqueArray(surface, { maxLength: 2, selector: (each) => each.surface }),
});

const criterion = orNull(fc.constantFrom('CRITERIA_INCLUDED', 'CRITERIA_UNUSED'));

const targeting: fc.Arbitrary<Targeting | null> = orNull(
  fc.record({
    demographicInfo: criterion,
    geoLocation: criterion,
    contextualSignals: criterion,
    customerLists: criterion,
    topicsOfInterest: criterion,
  }),
).map((each) => (each === null || Object.values(each).every((value) => value === null) ? null : each));

const disapproval: fc.Arbitrary<Disapproval> = fc.record({
  removalReason: orNull(text),
  violationCategory: orNull(text),
  isAutomated: orNull(fc.boolean()),
  removalLocation: orNull(fc.constantFrom('DE', 'GLOBAL')),
  decisionType: orNull(text),
});

const row: fc.Arbitrary<RowTruth> = fc.record({
  ad: fc.integer({ min: 1, max: 2 }),
  isRemoved: fc.constantFrom(false, false, false, true),
  lastShown: orNull(day),
  topic: orNull(text),
  payer: orNull(text),
  isGrantFunded: orNull(fc.boolean()),
  legalName: orNull(text),
  location: orNull(fc.constantFrom('DE', 'FR')),
  verification: orNull(fc.constantFrom('VERIFIED', 'UNVERIFIED')),
  targeting,
  regions: fc.uniqueArray(region, { maxLength: 3, selector: (each) => each.region }),
  disapprovals: fc.array(disapproval, { maxLength: 2 }),
  style: fc.nat(),
});

/** A row that says nothing beside the ids, as a flat export of today. */
const bare = row.map((each) => ({
  ...each,
  topic: null,
  payer: null,
  isGrantFunded: null,
  verification: null,
  targeting: null,
  regions: [],
}));

/** Histories of an advertiser: some loads repeat the rows of the one before, as exports of the next day do. */
export const exportHistories: fc.Arbitrary<ExportHistory> = fc
  .array(
    fc.record({
      repeats: fc.boolean(),
      rows: fc.array(fc.oneof({ weight: 6, arbitrary: row }, { weight: 1, arbitrary: bare }), {
        maxLength: 3,
      }),
    }),
    { minLength: loadDays.length, maxLength: loadDays.length },
  )
  .map((loads) => {
    let last: readonly RowTruth[] = [];
    return loads.map(({ repeats, rows }) => (last = repeats ? last : rows));
  });
