import { z } from 'zod';
import type { Ad } from '../../core/ads/ad.ts';
import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import { day, id, size, text } from './wire-fields.ts';

/**
 * A variant object. Sizes may be null, but every key must be present, here and below: a missing key means a changed shape, and
 * treating it as null would lose data silently.
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

/** Converts a shape-B object of a platform to an ad, with qualified ids and otherwise unchanged fields. */
export function fromShapeB(ad: ShapeB, platform: string = google): Ad {
  return {
    advertiserId: qualifiedId(platform, ad.advertiser_id),
    creativeId: qualifiedId(platform, ad.creative_id),
    advertiserName: ad.advertiser_name,
    format: ad.format,
    originalUrl: ad.original_url,
    variants: ad.variants,
    start: ad.start,
    lastSeen: ad.last_seen,
    text: null,
  };
}
