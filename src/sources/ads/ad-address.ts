import { adPageUrl } from '../../core/ads/ad.ts';
import { isGoogleAdvertiser, isGoogleCreative } from '../../core/companies/platform-id.ts';

/**
 * URL of an ad of Google, from ids without their prefix: the canonical one if both ids are those of the Ads Transparency Center, so that exports of different sources
 * can be compared; else the one from the source, if any.
 */
export function adAddress(advertiserId: string, creativeId: string, given: string | null): string | null {
  const isPublic = isGoogleAdvertiser(advertiserId) && isGoogleCreative(creativeId);
  return isPublic ? adPageUrl(advertiserId, creativeId) : given;
}
