import type { Ad } from '../../core/ads/ad.ts';
import { adAddress } from './ad-address.ts';
import { formatLabel } from './format-label.ts';

/** A creative of the transparency center, as any vendor of its data passes it on. */
export interface Creative {
  readonly advertiserId: string;
  readonly creativeId: string;
  readonly advertiserName: string | null;
  /** The vendor's label, in its spelling. */
  readonly format: string | null;
  readonly variants: Ad['variants'];
  /** `YYYY-MM-DD`, UTC. */
  readonly start: string | null;
  readonly lastSeen: string | null;
  /** The vendor's link to the ad. */
  readonly link: string | null;
}

/** The ad that a creative is: under its canonical address, and with the format under the name that it has everywhere. */
export function creativeAd({ link, format, ...creative }: Creative): Ad {
  return {
    ...creative,
    format: format === null ? null : formatLabel(format),
    originalUrl: adAddress(creative.advertiserId, creative.creativeId, link),
    text: null,
  };
}
