import { z } from 'zod';
import { partialReasons, type AdsAnswer, type MatchedBy } from '../../core/ads/ads-answer.ts';
import type { CompanyQuery } from '../../core/companies/company.ts';
import { distinctAds } from '../ads/distinct-ads.ts';
import { readReply } from '../replies/wire-fields.ts';
import { wireAd } from './wire-ad.ts';

/** Response of docs/architecture/contract.md, 2.2, both shapes at once. Other keys are ignored, including `message`. */
const shape = z
  .object({
    ads: z.array(wireAd),
    ads_count: z.int().min(0).optional(),
    credits_consumed: z.number().min(0).optional(),
    /** An addition of Nightshift: `no_match` means that the company could not be identified. */
    match: z.unknown().optional(),
    /** Further additions: there may be more ads than these. */
    partial: z.boolean().optional(),
    partial_reason: z.enum(partialReasons).optional().catch(undefined),
    uncertain_advertisers: z.int().min(1).optional().catch(undefined),
    truncated: z.boolean().optional(),
    estimate_low: z.int().min(0).optional(),
    estimate_high: z.int().min(0).optional(),
    /**
     * Errors of docs/architecture/contract.md, 7, which come with an error status and not beside an answer; and their common
     * other name.
     */
    errors: z.unknown().optional(),
    error: z.unknown().optional(),
  })
  .refine(({ ads, errors, error }) => ads.length > 0 || (isNothing(errors) && isNothing(error)), {
    path: ['errors'],
    message: 'tells of an error where no ads are given',
  })
  .refine(({ ads, ads_count = 0 }) => ads.length > 0 || ads_count === 0, {
    path: ['ads_count'],
    message: 'counts ads where none are given',
  })
  .refine(({ ads, match }) => ads.length === 0 || match !== 'no_match', {
    path: ['match'],
    message: 'says no_match beside ads',
  });

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** Request body of docs/architecture/contract.md, 2.1; a name beside a domain is sent as a hint. */
export function toRequest({
  domain,
  name,
}: Pick<CompanyQuery, 'domain' | 'name'>): Readonly<Record<string, string>> {
  return {
    ...(domain === null ? {} : { company_domain: domain }),
    ...(name === null ? {} : { company_name: name }),
  };
}

/** A parsed reply, and the charge that the server reports. */
export interface UpstreamReply {
  readonly answer: AdsAnswer;
  readonly charged: number | null;
}

/**
 * Parses a server's response body: shape A, shape B, or the union of both that Nightshift returns.
 *
 * Ads keep their order; of two with the same advertiser and creative id the first stays. In text, NUL characters and lone
 * surrogates become U+FFFD. `credits_consumed`, `ads_count` and `message` may be missing.
 *
 * @throws SourceUnreadable that names the path of the first invalid field, such as `ads[3].variants[0].content`.
 */
export function parseAnswer(reply: string, askedBy: MatchedBy): UpstreamReply {
  const read = readReply('upstream', shape, reply);
  return { answer: toAnswer(read, askedBy), charged: read.credits_consumed ?? null };
}

function toAnswer(read: z.infer<typeof shape>, matchedBy: MatchedBy): AdsAnswer {
  if (read.match === 'no_match') return { kind: 'no_match' };
  if (read.ads.length === 0) return { kind: 'none', matchedBy };
  return { kind: 'found', ads: distinctAds(read.ads), matchedBy, extent: extentOf(read) };
}

/** A server whose count exceeds its ads has more of them. */
function extentOf({
  ads,
  ads_count: count = 0,
  partial = false,
  partial_reason: reason,
  uncertain_advertisers: uncertain,
  truncated = false,
  ...counted
}: z.infer<typeof shape>) {
  const { estimate_low: low, estimate_high: high } = counted;
  const estimate = low === undefined || high === undefined ? null : { low, high };
  return {
    partial,
    ...(partial && reason !== undefined ? { partialReason: reason } : {}),
    ...(uncertain === undefined ? {} : { uncertainAdvertisers: uncertain }),
    truncated: truncated || count > ads.length,
    estimate,
  };
}
