import type { Ad } from '../../../src/core/ads/ad.ts';
import { shortId } from '../../../src/core/companies/platform-id.ts';

/** Identity of an ad, in the form that `nightshift.parse_ads` reads: its ids, else its texts. */
export function identityJson({ advertiserId, creativeId, text }: Ad) {
  return {
    advertiser_id: advertiserId === null ? null : shortId(advertiserId),
    creative_id: creativeId === null ? null : shortId(creativeId),
    headline: text?.headline ?? null,
    description: text?.description ?? null,
    display_url: text?.displayUrl ?? null,
    final_url: text?.finalUrl ?? null,
    ad_type: text?.adType ?? null,
  };
}
