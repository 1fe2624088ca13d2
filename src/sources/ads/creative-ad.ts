import type { Ad } from '../../core/ads/ad.ts';
import type { AdDetails } from '../../core/ads/ad-details.ts';
import { detailsOf } from '../../core/ads/known-details.ts';
import { adAddress } from './ad-address.ts';
import { formatLabel } from './format-label.ts';

/** A creative of the Ads Transparency Center, in the form that vendors of its data share. */
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

/** Converts a creative to an ad, with its canonical URL and a uniform format label. */
export function creativeAd({ link, format, beside = {}, ...creative }: Creative): Ad {
  return {
    ...creative,
    format: format === null ? null : formatLabel(format),
    originalUrl: adAddress(creative.advertiserId, creative.creativeId, link),
    text: null,
    ...detailsOf(beside),
  };
}
