import { verificationOf } from '../../core/ads/ad-details.ts';
import type { Ad } from '../../core/ads/ad.ts';
import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import { detailsOf } from '../../core/ads/known-details.ts';
import type { SuggestedAdvertiser } from '../../core/sources/choose-advertisers.ts';

/**
 * Completes the details of ads with the country and the verification of their advertisers, as a search for advertisers returned them.
 * What a reply says about the ad itself takes precedence.
 */
export function withAdvertisers(answer: AdsAnswer, advertisers: readonly SuggestedAdvertiser[]): AdsAnswer {
  if (answer.kind !== 'found') return answer;
  const byId = new Map(advertisers.map((each) => [each.id, each]));
  const complete = (ad: Ad) => withAdvertiser(ad, byId.get(ad.advertiserId ?? ''));
  return { ...answer, ads: answer.ads.map(complete) };
}

function withAdvertiser(ad: Ad, advertiser: SuggestedAdvertiser | undefined): Ad {
  if (advertiser === undefined) return ad;
  const { country, verified = null } = advertiser;
  const verification = verified === null ? null : verificationOf(verified);
  if (country === null && verification === null) return ad;
  const known = ad.details?.advertiser ?? null;
  const completed = {
    legalName: known?.legalName ?? null,
    location: known?.location ?? country,
    verification: known?.verification ?? verification,
  };
  return { ...ad, ...detailsOf({ ...ad.details, advertiser: completed }) };
}
