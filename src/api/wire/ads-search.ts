import type { Ad } from '../../core/ads/ad.ts';
import type { StoredAnswer } from '../../core/ads/search-ads.ts';
import { creditsNumber } from '../../core/credits/credits.ts';

/**
 * The response body of the ads search: the union of the contract's two shapes (service contract §2.2, DESIGN D12).
 *
 * `company_name` is the name as sent, else the advertiser's, else the domain. `match` is there only when no source could tell
 * which company was meant (our choice: that is not the same as knowing that it runs no ads). `matched_by` and `source` say how the
 * company was known and who answered (our choice: answers of the source `sample` are generated and must show it).
 */
export function toAdsSearchBody({ company, outcome, source, matchedBy, ads, chargedMicro }: StoredAnswer) {
  const found = outcome === 'found';
  return {
    company_name: company.name ?? ads[0]?.advertiserName ?? company.domain ?? '',
    ads: ads.map(toAdBody),
    ads_count: ads.length,
    credits_consumed: creditsNumber(chargedMicro),
    message: found ? 'Ads found.' : 'No ads found for this company.',
    ...(outcome === 'no_match' ? { match: 'no_match' } : {}),
    ...(matchedBy === null ? {} : { matched_by: matchedBy }),
    ...(source === null ? {} : { source }),
  };
}

/** Shape-B fields always; shape-A fields where the source knows any of them, and then all five. */
function toAdBody(ad: Ad) {
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
  if (ad.advertiserId === null) return shapeA;
  return {
    advertiser_id: ad.advertiserId,
    creative_id: ad.creativeId,
    original_url: ad.originalUrl,
    variants: ad.variants,
    start: ad.start,
    last_seen: ad.lastSeen,
    advertiser_name: ad.advertiserName,
    format: ad.format,
    ...shapeA,
  };
}
