import { adPageUrl } from '../../core/ads/ad.ts';

const advertiserForm = /^AR\d{20}$/;
const creativeForm = /^CR\d{20}$/;

/**
 * URL of an ad: the canonical one if both ids are those of the Ads Transparency Center, so that exports of different sources
 * can be compared; else the one from the source, if any.
 */
export function adAddress(advertiserId: string, creativeId: string, given: string | null): string | null {
  const isPublic = advertiserForm.test(advertiserId) && creativeForm.test(creativeId);
  return isPublic ? adPageUrl(advertiserId, creativeId) : given;
}
