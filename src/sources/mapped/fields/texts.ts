import { z } from 'zod';
import type { AdText } from '../../../core/ads/ad.ts';
import { text } from '../../replies/wire-fields.ts';
import type { TextMap } from '../map-ad.ts';
import { pick, type Where } from './where.ts';

/** Picks the texts of an ad; null for one that the map does not name, and for all if the map names none. */
export function pickText(row: object, map: TextMap | undefined): unknown {
  if (map === undefined) return null;
  const at = (from: Where | undefined) => (from === undefined ? null : pick(row, from));
  return {
    headline: at(map.headline),
    description: at(map.description),
    displayUrl: at(map.display_url),
    finalUrl: at(map.final_url),
    adType: at(map.ad_type),
  };
}

/** Shape of the texts of an ad: null if it has none. The keys may be missing if they are `usual`. */
export function textShape({ isUsual }: { readonly isUsual: boolean }): z.ZodType<AdText | null> {
  const field = z
    .preprocess(blankAsNull, isUsual ? text.nullish() : text.nullable())
    .transform((value) => value ?? null);
  return z
    .object({ headline: field, description: field, displayUrl: field, finalUrl: field, adType: field })
    .nullable()
    .transform((texts) =>
      texts === null || Object.values(texts).every((each) => each === null) ? null : texts,
    );
}

/** Null for blank text. */
export function blankAsNull(value: unknown): unknown {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}
