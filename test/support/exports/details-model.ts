import type { AdRegion } from '../../../src/core/ads/ad-details.ts';
import type { ExportHistory, RowTruth } from './export-histories.ts';
import { loadDays } from './export-histories.ts';

/** What is known of an ad as of a day: the row that says it. */
export type KnownAd = RowTruth;

/**
 * Reference model of the details of a history: the rows that hold as of a day, by ad. Written for clarity, without the code that it is compared to.
 *
 * Of the rows of one load that say something, the one with the latest day counts, the last among equals. The last load of a day counts.
 */
export function knownAsOf(history: ExportHistory, day: string, isRemoved: boolean): readonly KnownAd[] {
  const known = new Map<number, RowTruth>();
  for (const [i, load] of history.entries()) {
    if ((loadDays[i] ?? '') > day) break;
    const rows = load.filter((row) => row.isRemoved === isRemoved && (isRemoved || saysSomething(row)));
    for (const ad of new Set(rows.map((row) => row.ad))) {
      const ofAd = rows.filter((row) => row.ad === ad);
      const newest = ofAd.map(lastDayOf).sort().at(-1) ?? '';
      const chosen = ofAd.findLast((row) => lastDayOf(row) === newest);
      if (chosen !== undefined) known.set(ad, chosen);
    }
  }
  return [...known.values()].sort((one, other) => one.ad - other.ad);
}

function saysSomething(row: RowTruth): boolean {
  const { topic, payer, isGrantFunded, verification, targeting, regions } = row;
  return (
    regions.length > 0 ||
    [topic, payer, isGrantFunded, verification, targeting].some((value) => value !== null)
  );
}

/** The column of its own, else the latest of the countries, else of the EEA; without a day it comes before all days. */
function lastDayOf({ isRemoved, lastShown, regions }: RowTruth): string {
  if (!isRemoved && lastShown !== null) return lastShown;
  const latest = (those: readonly AdRegion[]) =>
    those
      .flatMap((region) => (region.lastShown === null ? [] : [region.lastShown]))
      .sort()
      .at(-1);
  return latest(regions.filter(({ region }) => region !== 'EEA')) ?? latest(regions) ?? '';
}

/** Number of times shown: of the EEA, else of all countries together. */
export function modelledReach(regions: readonly AdRegion[]): readonly [number | null, number | null] {
  const eea = regions.find(
    ({ region, timesShown }) => region === 'EEA' && (timesShown?.lower ?? null) !== null,
  );
  if (eea !== undefined) return [eea.timesShown?.lower ?? null, eea.timesShown?.upper ?? null];
  const countries = regions.filter(({ region }) => region !== 'EEA');
  const lowers = countries.flatMap(({ timesShown }) => timesShown?.lower ?? []);
  if (lowers.length === 0) return [null, null];
  const uppers = countries.flatMap(({ timesShown }) => timesShown?.upper ?? []);
  const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  return [total(lowers), uppers.length < countries.length ? null : total(uppers)];
}
