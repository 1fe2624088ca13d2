import { z } from 'zod';
import type { Ad } from '../../core/ads/ad.ts';
import { day, id, size, text } from './wire-fields.ts';

/**
 * A variant object. Sizes may be null, but every key must be there, here and below: a key that is gone is a changed shape,
 * and to read it as null would lose data without a word.
 */
export const variant = z.object({ content: text, height: size.nullable(), width: size.nullable() });

/** The fields of a shape-B ad (docs/architecture/contract.md, 2.2). */
export const shapeBFields = {
  advertiser_id: id,
  creative_id: id,
  original_url: text.nullable(),
  variants: z.array(variant),
  start: day.nullable(),
  last_seen: day.nullable(),
  advertiser_name: text.nullable(),
  format: text.nullable(),
};

type ShapeB = z.infer<z.ZodObject<typeof shapeBFields>>;

/** The ad that a shape-B object tells of, each field as it is. */
export function fromShapeB(ad: ShapeB): Ad {
  return {
    advertiserId: ad.advertiser_id,
    creativeId: ad.creative_id,
    advertiserName: ad.advertiser_name,
    format: ad.format,
    originalUrl: ad.original_url,
    variants: ad.variants,
    start: ad.start,
    lastSeen: ad.last_seen,
    text: null,
  };
}
