import type { Ad } from '../../core/ads/ad.ts';
import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import type { AdDetails } from '../../core/ads/ad-details.ts';
import { detailsOf } from '../../core/ads/known-details.ts';
import { adAddress } from './ad-address.ts';
import { formatLabel } from './format-label.ts';

/** A creative of an ad library, in the form that vendors of its data share. Its ids have no prefix. */
export interface Creative {
  readonly advertiserId: string;
  readonly creativeId: string;
  readonly advertiserName: string | null;
  /** The vendor's label, unchanged. */
  readonly format: string | null;
  readonly variants: Ad['variants'];
  /** `YYYY-MM-DD`, UTC. */
  readonly start: string | null;
  readonly lastSeen: string | null;
  /** The vendor's link to the ad. */
  readonly link: string | null;
  /** Further statements of the vendor. Default: none. */
  readonly beside?: Partial<AdDetails>;
}

/** Converts a creative of a platform to an ad with qualified ids, its canonical URL if it is Google's, and a uniform format label. */
export function creativeAd(
  { link, format, beside = {}, ...creative }: Creative,
  platform: string = google,
): Ad {
  const { advertiserId, creativeId } = creative;
  return {
    ...creative,
    advertiserId: qualifiedId(platform, advertiserId),
    creativeId: qualifiedId(platform, creativeId),
    format: format === null ? null : formatLabel(format),
    originalUrl: platform === google ? adAddress(advertiserId, creativeId, link) : link,
    text: null,
    ...detailsOf(beside),
  };
}
