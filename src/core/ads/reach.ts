import type { AdRegion, TimesShown } from './ad-details.ts';

/** The European Economic Area together: a region that contains others. */
export const wholeEea = 'EEA';

/**
 * Number of times an ad was shown: in the `EEA` if the source counts it, else the sum over its regions. The upper bound is null if that of a region
 * is. Null if no region has a lower bound.
 */
export function reachOf(regions: readonly AdRegion[]): Pick<TimesShown, 'lower' | 'upper'> | null {
  const whole = regions.find(({ region, timesShown }) => region === wholeEea && isCounted(timesShown));
  if (whole?.timesShown !== undefined && whole.timesShown !== null) return whole.timesShown;
  const parts = regions.filter(({ region }) => region !== wholeEea).map(({ timesShown }) => timesShown);
  if (!parts.some(isCounted)) return null;
  return { lower: sum(parts.map((times) => times?.lower ?? 0)), upper: upperOf(parts) };
}

function isCounted(times: TimesShown | null): boolean {
  return times !== null && times.lower !== null;
}

function upperOf(parts: readonly (TimesShown | null)[]): number | null {
  const uppers = parts.map((times) => times?.upper ?? null);
  return uppers.includes(null) ? null : sum(uppers.map((upper) => upper ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
