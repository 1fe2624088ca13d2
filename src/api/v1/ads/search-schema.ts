import { z } from '@hono/zod-openapi';
import type { Ad } from '../../../core/ads/ad.ts';
import { platformId, platformOfAd } from '../../../core/companies/platform-id.ts';
import { registrableLabel } from '../../../core/companies/company.ts';
import { compactKeys } from '../../../core/companies/name-keys.ts';
import { partialReasons } from '../../../core/ads/ads-answer.ts';
import type { StoredAnswer } from '../../../core/sources/search-ads.ts';
import { toDetailsJson } from '../../../core/ads/ad-details-json.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { detailsBody } from './details-schema.ts';

/**
 * The request body of the ads search (docs/architecture/contract.md, 2.1): at least one of the two. Unknown fields are ignored.
 */
export const adsSearchRequest = z
  .object({
    company_domain: z
      .string()
      .optional()
      .openapi({ description: 'Company website domain (the preferred input).', example: 'nike.com' }),
    company_name: z.string().optional().openapi({ description: 'Company name.', example: 'Nike, Inc.' }),
  })
  .openapi('AdsSearchRequest', { anyOf: [{ required: ['company_domain'] }, { required: ['company_name'] }] });

const variant = z
  .object({
    content: z.string().openapi({
      description:
        'Markup of the creative, as the source returned it. It is untrusted: do not render it unchanged.',
    }),
    height: z.int().nullable().openapi({ description: 'Pixels.' }),
    width: z.int().nullable().openapi({ description: 'Pixels.' }),
  })
  .openapi('Variant');

const day = z.iso.date().nullable();

/**
 * An ad: the fields of shape B, and those of shape A if the source knows them (docs/architecture/contract.md, 2.2,
 * docs/architecture/decisions/0012-union-of-response-shapes.md).
 */
export const adBody = z
  .object({
    advertiser_id: z.string().optional().openapi({ description: 'Identifier of the advertiser.' }),
    creative_id: z.string().nullable().optional().openapi({ description: 'Identifier of the creative.' }),
    platform: z
      .string()
      .optional()
      .openapi({ description: 'Platform of the ids. Our addition.', example: 'google' }),
    original_url: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: 'Link to the ad in a public ad-transparency listing.' }),
    variants: z.array(variant).optional().openapi({ description: 'Renderings of the creative.' }),
    start: day.optional().openapi({ description: 'First date the ad was seen running.' }),
    last_seen: day.optional().openapi({ description: 'Most recent date the ad was seen.' }),
    advertiser_name: z.string().nullable().optional().openapi({ description: 'Name of the advertiser.' }),
    format: z.string().nullable().optional().openapi({ description: 'Ad format label.' }),
    headline: z.string().nullable().optional().openapi({ description: 'Ad headline.' }),
    description: z.string().nullable().optional().openapi({ description: 'Ad description.' }),
    display_url: z.string().nullable().optional().openapi({ description: 'Display URL.' }),
    final_url: z.string().nullable().optional().openapi({ description: 'Landing page URL.' }),
    ad_type: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: 'Type of ad (text, responsive, and similar).' }),
    details: detailsBody.optional().openapi({
      description:
        'What the source says beside the content of the ad. Present only if it says something. Our addition.',
    }),
  })
  .openapi('Ad');

/** An ad as all operations except the contract's return it: with qualified ids. */
export const qualifiedAdBody = adBody.extend({
  advertiser_id: z.string().optional().openapi({
    description: 'Identifier of the advertiser, with its platform.',
    example: 'google:AR16735076323512287233',
  }),
  creative_id: z.string().nullable().optional().openapi({
    description: 'Identifier of the creative, with its platform.',
    example: 'google:CR10126761610920853505',
  }),
});

export const adsSearchBody = z
  .object({
    company_name: z.string().openapi({
      description:
        'The company that was searched: the name in the request, else the name of the advertiser, else the domain.',
    }),
    ads: z.array(adBody).openapi({ description: 'Ad creatives found; empty when none are found.' }),
    ads_count: z.int().openapi({ description: 'Number of ads in `ads`.' }),
    credits_consumed: z.number().openapi({ description: 'Credits charged for the call.', example: 0.2 }),
    message: z.string().openapi({ description: 'Human-readable status message.', example: 'Ads found.' }),
    match: z.literal('no_match').optional().openapi({
      description:
        'Present only if no source could identify the company. This does not mean that the company runs no ads. Our addition.',
    }),
    partial: z.literal(true).optional().openapi({
      description:
        'Present only if there may be more ads of the company; see `partial_reason`. Our addition.',
    }),
    partial_reason: z.enum(partialReasons).optional().openapi({
      description:
        'Present with `partial`. `page_failed`: a later page could not be fetched. `uncertain_advertisers`: ads of advertisers that may belong to the company are left out. `too_many_advertisers`: only advertisers with the exact name were evaluated. Our addition.',
    }),
    uncertain_advertisers: z.int().optional().openapi({
      description:
        'Number of advertisers that may belong to the company, and whose ads are left out. Present only if there are any. Our addition.',
    }),
    truncated: z.literal(true).optional().openapi({
      description: 'Present only if there are more ads than the requested maximum. Our addition.',
    }),
    estimate_low: z.int().optional().openapi({
      description:
        'Lower bound of the total number of ads. Present only if the source estimates it. Our addition.',
    }),
    estimate_high: z
      .int()
      .optional()
      .openapi({ description: 'Upper bound of the total number of ads. Our addition.' }),
    matched_by: z
      .string()
      .optional()
      .openapi({ description: 'How the source identified the company. Our addition.' }),
    source: z.string().optional().openapi({
      description: 'The source of the answer. Answers of `sample` are generated. Our addition.',
    }),
    from_cache: z.literal(true).optional().openapi({
      description:
        'Present only if an earlier answer of the account is returned again, free of charge. Our addition.',
    }),
    observed_at: z.iso.datetime().optional().openapi({
      description: 'Present with `from_cache`: time at which the source returned that answer. Our addition.',
    }),
  })
  .openapi('AdsSearchResponse');

/**
 * The response body of the ads search: the union of the contract's two shapes (docs/architecture/contract.md, 2.2,
 * docs/architecture/decisions/0012-union-of-response-shapes.md).
 *
 * `company_name` is the name in the request, else the advertiser's, else the domain. Our choices: `match` is present only when no source
 * could identify the company, which does not mean that it runs no ads; `partial` and `truncated` only when there are or may be more ads;
 * the estimates only if the source has them. `matched_by` is how the source identified the company. `source` is present because answers of
 * the source `sample` are generated and must show it. `from_cache` and `observed_at` are present only when an earlier answer is returned
 * again.
 */
export function toAdsSearchBody({
  company,
  outcome,
  source,
  matchedBy,
  ads,
  partial,
  partialReason,
  uncertainAdvertisers,
  truncated,
  estimate,
  chargedMicro,
  observedAt,
}: StoredAnswer): z.infer<typeof adsSearchBody> {
  const found = outcome === 'found';
  return {
    company_name: company.name ?? advertiserNameIn(ads, company.domain) ?? company.domain ?? '',
    ads: ads.map(toContractAd),
    ads_count: ads.length,
    credits_consumed: creditsNumber(chargedMicro),
    message: found ? 'Ads found.' : 'No ads found for this company.',
    ...(outcome === 'no_match' ? { match: 'no_match' as const } : {}),
    ...(partial ? { partial } : {}),
    ...(partialReason === null ? {} : { partial_reason: partialReason }),
    ...(uncertainAdvertisers === null ? {} : { uncertain_advertisers: uncertainAdvertisers }),
    ...(truncated ? { truncated } : {}),
    ...(estimate === null ? {} : { estimate_low: estimate.low, estimate_high: estimate.high }),
    ...(matchedBy === null ? {} : { matched_by: matchedBy }),
    ...(source === null ? {} : { source }),
    ...(observedAt === null ? {} : { from_cache: true as const, observed_at: observedAt.toISOString() }),
  };
}

/** Name of the advertiser that has the name of the domain, as the parent company has; else that of the first ad. */
function advertiserNameIn(ads: readonly Ad[], domain: string | null): string | null {
  const labels = new Set(domain === null ? [] : compactKeys(registrableLabel(domain)));
  const named = ads.find(({ advertiserName }) =>
    compactKeys(advertiserName ?? '').some((key) => labels.has(key)),
  );
  return (named ?? ads[0])?.advertiserName ?? null;
}

/** Converts an ad as the contract has it: its ids as the platform writes them, and the platform beside. */
function toContractAd(ad: Ad): z.infer<typeof adBody> {
  const { advertiserId, creativeId } = ad;
  return {
    ...toAdBody(ad),
    ...(advertiserId === null ? {} : { advertiser_id: platformId(advertiserId) }),
    ...(creativeId === null ? {} : { creative_id: platformId(creativeId) }),
  };
}

/**
 * Converts an ad: always the fields of shape B, all five fields of shape A if the source knows any of them, and the details if there are
 * any.
 */
export function toAdBody(ad: Ad): z.infer<typeof adBody> {
  const shapeA =
    ad.text === null
      ? {}
      : {
          headline: ad.text.headline,
          description: ad.text.description,
          display_url: ad.text.displayUrl,
          final_url: ad.text.finalUrl,
          ad_type: ad.text.adType,
        };
  const beside = ad.details === undefined ? {} : { details: toDetailsJson(ad.details) };
  if (ad.advertiserId === null) return { ...shapeA, ...beside };
  return {
    advertiser_id: ad.advertiserId,
    creative_id: ad.creativeId,
    platform: platformOfAd(ad),
    original_url: ad.originalUrl,
    variants: [...ad.variants],
    start: ad.start,
    last_seen: ad.lastSeen,
    advertiser_name: ad.advertiserName,
    format: ad.format,
    ...shapeA,
    ...beside,
  };
}
