import { z } from 'zod';
import type { AdRegion } from '../../core/ads/ad-details.ts';
import { isDay } from '../../core/time/day.ts';

/** A day as a number of eight digits, `20260702`. */
export const dayOfDigits = z
  .int()
  .min(10_000_101)
  .max(99_991_231)
  .transform((digits) => String(digits).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))
  .refine(isDay, 'expected a date that exists');

/** A region of which a source says little: what is not given is unknown. */
export function adRegion(region: string, given: Partial<AdRegion>): AdRegion {
  return {
    firstShown: null,
    lastShown: null,
    timesShown: null,
    timesShownFrom: null,
    timesShownTo: null,
    surfaces: [],
    ...given,
    region,
  };
}
