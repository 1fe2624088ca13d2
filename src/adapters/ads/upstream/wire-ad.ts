import { z } from 'zod';
import type { Ad, AdText } from '../../../core/ads/ad.ts';

/** Largest number a Postgres `integer` holds: a size beyond it is no size, and would fail the whole commit. */
const sizePxMax = 2_147_483_647;
/** Ids of the known servers have 22 characters. The bound keeps them within a Postgres index row. */
const idLengthMax = 256;

/** Text as Postgres can store it: NUL characters and lone surrogates become U+FFFD, everything else stays as it is. */
const text = z
  .string()
  .transform((value) => value.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD'));
const id = text.pipe(z.string().min(1).max(idLengthMax));
const day = z.string().refine(isDay, 'expected a date that exists, YYYY-MM-DD');
const size = z.int().min(0).max(sizePxMax);

/**
 * A variant object. Sizes may be null, but every key must be there, here and below: a key that is gone is a changed shape,
 * and to read it as null would lose data without a word.
 */
const variant = z.object({ content: text, height: size.nullable(), width: size.nullable() });

const textFields = {
  headline: text.nullable(),
  description: text.nullable(),
  display_url: text.nullable(),
  final_url: text.nullable(),
  ad_type: text.nullable(),
};
const textKeys = Object.keys(textFields);
const someTexts = z.object(textFields).partial();

/** A shape-A ad: five texts, at least one of them telling something. */
const shapeA = z
  .object(textFields)
  .refine(
    (ad) => Object.values(ad).some((value) => value !== null && value.trim() !== ''),
    'all five fields are empty',
  );

/** A shape-B ad; Nightshift itself adds those of the shape-A fields that it knows. */
const shapeB = z.object({
  advertiser_id: id,
  creative_id: id,
  original_url: text.nullable(),
  variants: z.array(variant),
  start: day.nullable(),
  last_seen: day.nullable(),
  advertiser_name: text.nullable(),
  format: text.nullable(),
  ...someTexts.shape,
});

const adOfShape = { A: shapeA.transform(fromShapeA), B: shapeB.transform(fromShapeB) };

/** An ad of either shape (contract §2.2). Fails with the path of the first field that does not fit. */
export const wireAd = z.unknown().transform((value, context): Ad => {
  const shape = shapeOf(value);
  if (shape === null) {
    context.addIssue('expected an ad with ids (shape B) or texts (shape A)');
    return z.NEVER;
  }
  const parsed = adOfShape[shape].safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

function shapeOf(value: unknown): 'A' | 'B' | null {
  if (typeof value !== 'object' || value === null) return null;
  const given = new Map<string, unknown>(Object.entries(value));
  if (['advertiser_id', 'creative_id'].some((key) => (given.get(key) ?? null) !== null)) return 'B';
  return textKeys.some((key) => given.has(key)) ? 'A' : null;
}

function fromShapeA(ad: z.infer<typeof shapeA>): Ad {
  return {
    advertiserId: null,
    creativeId: null,
    advertiserName: null,
    format: null,
    originalUrl: null,
    variants: [],
    start: null,
    lastSeen: null,
    text: textOf(ad),
  };
}

function fromShapeB(ad: z.infer<typeof shapeB>): Ad {
  return {
    advertiserId: ad.advertiser_id,
    creativeId: ad.creative_id,
    advertiserName: ad.advertiser_name,
    format: ad.format,
    originalUrl: ad.original_url,
    variants: ad.variants,
    start: ad.start,
    lastSeen: ad.last_seen,
    text: textOf(ad),
  };
}

function textOf(ad: z.infer<typeof someTexts>): AdText | null {
  const fields: AdText = {
    headline: ad.headline ?? null,
    description: ad.description ?? null,
    displayUrl: ad.display_url ?? null,
    finalUrl: ad.final_url ?? null,
    adType: ad.ad_type ?? null,
  };
  return Object.values(fields).every((value) => value === null) ? null : fields;
}

function isDay(value: string): boolean {
  const at = Date.parse(`${value}T00:00:00Z`);
  // The year 0 exists for JavaScript and not for Postgres; 2024-02-30 is March for some parsers.
  return (
    /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(at) &&
    new Date(at).toISOString().startsWith(value)
  );
}
