import type { Ad } from './ad.ts';
import type { AdDetails } from './ad-details.ts';
import { platformOfAd } from '../companies/platform-id.ts';
import { reachOf } from './reach.ts';

/** Details of an ad in one line of a table: a value per column. */
export interface DetailsSummary {
  readonly platform: string;
  readonly payer: string | null;
  readonly topic: string | null;
  readonly daysShown: number | null;
  readonly timesShownLower: number | null;
  readonly timesShownUpper: number | null;
  /** Codes of the regions in the order of the source; empty without any. */
  readonly regions: readonly string[];
  /** Distinct surfaces over all regions, in alphabetical order. */
  readonly surfaces: readonly string[];
  readonly targetDomain: string | null;
  readonly previewUrl: string | null;
  readonly legalName: string | null;
  readonly location: string | null;
  readonly verification: string | null;
}

/** Summary of an ad without details. */
const nothing: Omit<DetailsSummary, 'platform'> = {
  payer: null,
  topic: null,
  daysShown: null,
  timesShownLower: null,
  timesShownUpper: null,
  regions: [],
  surfaces: [],
  targetDomain: null,
  previewUrl: null,
  legalName: null,
  location: null,
  verification: null,
};

/** Summarises the details of an ad, as the view `reports.ads` does. */
export function summariseDetails({
  advertiserId,
  details,
}: Pick<Ad, 'advertiserId'> & { readonly details: AdDetails | undefined }): DetailsSummary {
  if (details === undefined) return { ...nothing, platform: platformOfAd({ advertiserId }) };
  const regions = details.regions ?? [];
  const reach = reachOf(regions);
  const surfaces = regions.flatMap((region) => region.surfaces.map(({ surface }) => surface));
  return {
    platform: platformOfAd({ advertiserId }),
    payer: details.payer ?? null,
    topic: details.topic ?? null,
    daysShown: details.daysShown ?? null,
    timesShownLower: reach?.lower ?? null,
    timesShownUpper: reach?.upper ?? null,
    regions: regions.map(({ region }) => region),
    surfaces: [...new Set(surfaces)].sort(),
    targetDomain: details.targetDomain ?? null,
    previewUrl: details.previewUrl ?? null,
    legalName: details.advertiser?.legalName ?? null,
    location: details.advertiser?.location ?? null,
    verification: details.advertiser?.verification ?? null,
  };
}
