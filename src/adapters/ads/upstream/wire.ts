import { z } from 'zod';
import type { Ad } from '../../../core/ads/ad.ts';
import type { AdsAnswer, MatchedBy } from '../../../core/ads/ad-source.ts';
import type { CompanyQuery } from '../../../core/company.ts';
import { SourceUnreadable } from '../../../core/errors.ts';
import { wireAd } from './wire-ad.ts';

/** The response of contract §2.2, both shapes at once. Keys that are not named here are ignored, `message` among them. */
const answer = z
  .object({
    ads: z.array(wireAd),
    ads_count: z.int().min(0).optional(),
    credits_consumed: z.number().min(0).optional(),
    /** Nightshift's own addition: `no_match` says that it could not tell which company was meant. */
    match: z.unknown().optional(),
  })
  .refine(({ ads, ads_count = 0 }) => ads.length > 0 || ads_count === 0, {
    path: ['ads_count'],
    message: 'counts ads where none are given',
  })
  .refine(({ ads, match }) => ads.length === 0 || match !== 'no_match', {
    path: ['match'],
    message: 'says no_match beside ads',
  });

/** The request body of contract §2.1; a name beside a domain goes along as a hint. */
export function toRequest({ domain, name }: CompanyQuery): Readonly<Record<string, string>> {
  return {
    ...(domain === null ? {} : { company_domain: domain }),
    ...(name === null ? {} : { company_name: name }),
  };
}

/**
 * Reads a server's response body, shape A, shape B or the union of both that Nightshift answers.
 *
 * Ads keep their order; of two with the same advertiser and creative id the first stays. In text, NUL characters and lone
 * surrogates become U+FFFD. `credits_consumed` becomes `sourceCharge`; it may be missing, as `ads_count` and `message` may.
 *
 * @throws SourceUnreadable naming the path of the first field that does not fit, such as `ads[3].variants[0].content`.
 */
export function parseAnswer(body: unknown, askedBy: MatchedBy): AdsAnswer {
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw unreadable(parsed.error);
  const { ads, match, credits_consumed: charge } = parsed.data;
  const sourceCharge = charge === undefined ? {} : { sourceCharge: charge };
  if (match === 'no_match') return { kind: 'no_match', ...sourceCharge };
  if (ads.length === 0) return { kind: 'none', matchedBy: askedBy, ...sourceCharge };
  return { kind: 'found', ads: withoutRepeats(ads), matchedBy: askedBy, ...sourceCharge };
}

function unreadable(error: z.ZodError): SourceUnreadable {
  const [issue] = error.issues;
  const path = issue === undefined || issue.path.length === 0 ? 'body' : formatPath(issue.path);
  const message = `The upstream answered in an unknown shape: ${path}: ${issue?.message ?? 'unknown'}`;
  return new SourceUnreadable(message, { cause: error });
}

/** `['ads', 3, 'variants', 0, 'content']` → `ads[3].variants[0].content` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** Shape-A ads have no ids and are all kept: what makes two of them the same is decided where they are stored. */
function withoutRepeats(ads: readonly Ad[]): readonly Ad[] {
  const seen = new Set<string>();
  return ads.filter(({ advertiserId, creativeId }) => {
    if (advertiserId === null || creativeId === null) return true;
    const identity = JSON.stringify([advertiserId, creativeId]);
    const isNew = !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}
