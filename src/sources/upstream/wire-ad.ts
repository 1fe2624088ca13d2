import { z } from 'zod';
import type { Ad, AdText } from '../../core/ads/ad.ts';
import { platformCharsMax, platformPattern } from '../../core/companies/platform-id.ts';
import { parseDetails } from '../../core/ads/ad-details-json.ts';
import { fromShapeB, shapeBFields } from '../replies/shape-b.ts';
import { text } from '../replies/wire-fields.ts';

const textFields = {
  headline: text.nullable(),
  description: text.nullable(),
  display_url: text.nullable(),
  final_url: text.nullable(),
  ad_type: text.nullable(),
};
const textKeys = Object.keys(textFields);
/** An addition of Nightshift; anything else under this key is ignored. */
const besides = z.object({ details: z.unknown().transform(parseDetails).optional() });
const someTexts = z.object(textFields).partial();

/** A shape-A ad: five texts, at least one of them not empty. */
const shapeA = z
  .object({ ...textFields, ...besides.shape })
  .refine((ad) => textsOf(ad).some((value) => value.trim() !== ''), 'all five fields are empty');

/** A shape-B ad; Nightshift itself adds the known fields of shape A, and the platform of the ids. Without one they are Google's. */
const shapeB = z.object({
  ...shapeBFields,
  ...someTexts.shape,
  ...besides.shape,
  platform: z
    .string()
    .max(platformCharsMax)
    .regex(platformPattern, 'expected a platform, a word in lower case such as google')
    .nullish(),
});

const adOfShape = { A: shapeA.transform(fromShapeA), B: shapeB.transform(fromUnion) };

/** An ad of either shape (docs/architecture/contract.md, 2.2). Its error names the path of the first invalid field. */
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
    ...detailsIn(ad),
  };
}

function fromUnion(ad: z.infer<typeof shapeB>): Ad {
  return { ...fromShapeB(ad, ad.platform ?? undefined), text: textOf(ad), ...detailsIn(ad) };
}

function detailsIn({ details = null }: z.infer<typeof besides>): Pick<Ad, 'details'> {
  return details === null ? {} : { details };
}

function textsOf(ad: z.infer<typeof someTexts>): readonly string[] {
  const { headline, description, display_url: displayUrl, final_url: finalUrl, ad_type: adType } = ad;
  return [headline, description, displayUrl, finalUrl, adType].map((value) => value ?? '');
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
