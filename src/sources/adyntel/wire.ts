import { z } from 'zod';
import type { Ad } from '../../core/ads/ad.ts';
import { detailsOf } from '../../core/ads/known-details.ts';
import { previewUrlOf } from '../../core/ads/preview-url.ts';
import { SourceUnreadable } from '../../core/errors.ts';
import { adAddress } from '../ads/ad-address.ts';
import type { AdsPage } from '../calls/collect-pages.ts';
import { fromShapeB, shapeBFields, variant } from '../replies/shape-b.ts';
import { readReply } from '../replies/wire-fields.ts';

const image = /^\s*<img\s/i;
/** Matches the URL of a preview script, which a video has instead of an image element. */
const preview = /^\s*https?:\/\//i;

/** A variant is an image element or a preview; any other form is unknown, and its content could be lost. */
const imageOrPreview = variant.refine(({ content }) => image.test(content) || preview.test(content), {
  path: ['content'],
  message: 'neither an image element nor the address of a preview',
});

const ad = z.object({ ...shapeBFields, variants: z.array(imageOrPreview) }).transform(toAd);

/** A page (docs.adyntel.com/ad-libraries/google). `total_ad_count` is not documented, but public callers read it. */
const page = z
  .object({
    ads: z.array(ad),
    continuation_token: z.string().min(1).nullable(),
    total_ad_count: z.int().min(0).nullish(),
    error: z.unknown().optional(),
  })
  .refine(({ ads, error = null }) => ads.length > 0 || error === null, {
    path: ['error'],
    message: 'stands where no ads are',
  });

/** Credentials of the account. Both are secret. */
export interface AdyntelAccount {
  readonly key: string;
  readonly email: string;
}

/** Body of a request: Adyntel takes the credentials in the body, not in a header. */
export function toBody(
  { key, email }: AdyntelAccount,
  domain: string,
  token: string | null,
): Readonly<Record<string, string>> {
  return {
    api_key: key,
    email,
    company_domain: domain,
    ...(token === null ? {} : { continuation_token: token }),
  };
}

/**
 * Parses a page. The ads have shape B already and keep their order; the first preview goes from their variants to the
 * details, so that a video has no variant. The estimate is Google's own rounded number. An empty text is a page without ads; the source accepts one only with
 * a 204.
 *
 * @throws SourceUnreadable that names the path of the first invalid field, such as `ads[3].variants[0].content`; also for a
 * first page without ads whose total is not 0.
 */
export function parsePage(reply: string, pageNumber: number): AdsPage {
  if (reply === '') return { ads: [], next: null, estimate: null };
  const { ads, continuation_token: next, total_ad_count: counted } = readReply('adyntel', page, reply);
  const total = counted ?? 0;
  if (pageNumber === 1 && ads.length === 0 && total > 0)
    throw new SourceUnreadable(`The source adyntel counts ${total} ads and gives none`);
  return { ads, next, estimate: total === 0 ? null : { low: total, high: total } };
}

function toAd(wire: z.input<z.ZodObject<typeof shapeBFields>>): Ad {
  const { advertiser_id: advertiserId, creative_id: creativeId, original_url: given } = wire;
  const previewUrl =
    wire.variants.map(({ content }) => previewUrlOf(content.trim())).find((url) => url !== null) ?? null;
  return {
    ...fromShapeB(wire),
    originalUrl: adAddress(advertiserId, creativeId, given),
    variants: wire.variants.filter(({ content }) => image.test(content)),
    ...detailsOf({ previewUrl }),
  };
}
