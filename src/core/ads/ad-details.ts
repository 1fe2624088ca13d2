/**
 * Statements of a source about an ad beside its content and its days. No part of the ad's version: other details are no change of the ad. A field is
 * null, and a list empty, where the source does not say.
 */
export interface AdDetails {
  /** Number of days on which the ad was really shown, as the source counts them. */
  readonly daysShown: number | null;
  /** Domain that the ad points to, as the source gives it. */
  readonly targetDomain: string | null;
  /** Address that renders an ad without a picture: a video, an HTML5 bundle or a preview script. Without nonces that differ in every reply. */
  readonly previewUrl: string | null;
  /** Subject by the platform's classification, such as `Health`. */
  readonly topic: string | null;
  /** Payer of the ad, as the platform discloses it. */
  readonly payer: string | null;
  /** True if Google Ad Grants funded it. */
  readonly isGrantFunded: boolean | null;
  readonly targeting: Targeting | null;
  /** Regions in which the ad was shown, in the order of the source; without sums over regions other than those of the source itself (`EEA`). */
  readonly regions: readonly AdRegion[];
  /** The advertiser as this ad names it. */
  readonly advertiser: AdvertiserDetails | null;
}

/** An advertiser beside its id and its name. */
export interface AdvertiserDetails {
  /** Name in the register. */
  readonly legalName: string | null;
  /** Country, ISO 3166-1 alpha-2, as the source gives it. */
  readonly location: string | null;
  /** State of its verification, in capitals: `VERIFIED`, `UNVERIFIED` or another word of the source. */
  readonly verification: string | null;
}

/** `AdvertiserDetails.verification` for a source that says only yes or no. */
export function verificationOf(isVerified: boolean): string {
  return isVerified ? 'VERIFIED' : 'UNVERIFIED';
}

/** Use of each kind of audience selection: `CRITERIA_INCLUDED`, `CRITERIA_EXCLUDED`, `CRITERIA_INCLUDED_AND_EXCLUDED`, `CRITERIA_UNUSED`. */
export interface Targeting {
  readonly demographicInfo: string | null;
  readonly geoLocation: string | null;
  readonly contextualSignals: string | null;
  readonly customerLists: string | null;
  readonly topicsOfInterest: string | null;
}

/** Number of times shown: an inclusive range, since the beginning of the source's records. Null where unknown or unbounded. */
export interface TimesShown {
  readonly lower: number | null;
  readonly upper: number | null;
  /** Day, `YYYY-MM-DD`, on which the range becomes available; null if it is. */
  readonly availableOn: string | null;
}

/** An ad in one region. Days are `YYYY-MM-DD`, UTC. */
export interface AdRegion {
  /** ISO 3166-1 alpha-2, or `EEA` for the European Economic Area together. */
  readonly region: string;
  readonly firstShown: string | null;
  readonly lastShown: string | null;
  readonly timesShown: TimesShown | null;
  /** Period that `timesShown` counts. */
  readonly timesShownFrom: string | null;
  readonly timesShownTo: string | null;
  readonly surfaces: readonly AdSurface[];
}

/** An ad on one surface in one region: `SEARCH`, `YOUTUBE`, `MAPS`, `PLAY`, `SHOPPING` or another word of the source. */
export interface AdSurface {
  readonly surface: string;
  readonly timesShown: TimesShown | null;
}

/** Details of which nothing is known, to complete. */
export const noDetails: AdDetails = {
  daysShown: null,
  targetDomain: null,
  previewUrl: null,
  topic: null,
  payer: null,
  isGrantFunded: null,
  targeting: null,
  regions: [],
  advertiser: null,
};
