import type { Ad } from '../../../src/core/ads/ad.ts';
import type {
  AdDetails,
  AdRegion,
  AdSurface,
  Targeting,
  TimesShown,
} from '../../../src/core/ads/ad-details.ts';
import type { Disapproval } from '../../../src/core/ads/disapproval.ts';
import { reachOf } from '../../../src/core/ads/reach.ts';

/** Region, first and last day, lower and upper bound, day of availability, first and last day counted, surfaces; without nulls at the end. */
export type PackedRegion = readonly (string | number | null | readonly PackedSurface[])[];

/** Surface, lower and upper bound, day of availability; without nulls at the end. */
export type PackedSurface = readonly (string | number | null)[];

/** Reason, category, automated means, location, kind of decision; without nulls at the end. */
export type PackedDisapproval = readonly (string | boolean | null)[];

/** Details as they are stored: a column per field. */
export interface PackedDetails {
  readonly days_not_shown: number | null;
  readonly times_shown_lower: number | null;
  readonly times_shown_upper: number | null;
  readonly is_grant_funded: boolean | null;
  readonly topic: string | null;
  readonly payer: string | null;
  readonly target_domain: string | null;
  readonly preview_url: string | null;
  readonly legal_name: string | null;
  readonly location: string | null;
  readonly verification: string | null;
  readonly targeting: readonly (string | null)[] | null;
  readonly regions: readonly PackedRegion[] | null;
}

/** A removed ad as it is stored, without its ids. */
export interface PackedRemoval {
  readonly targeting: readonly (string | null)[] | null;
  readonly regions: readonly PackedRegion[] | null;
  readonly disapprovals: readonly PackedDisapproval[];
}

/**
 * Packs details for the record. Days really shown become their difference to the days from `start` to `lastSeen`, both included; without
 * both of these days, to zero.
 */
export function packDetails(details: AdDetails, days: Pick<Ad, 'start' | 'lastSeen'>): PackedDetails {
  const { advertiser } = details;
  const reach = reachOf(details.regions);
  return {
    days_not_shown: details.daysShown === null ? null : spanOf(days) - details.daysShown,
    times_shown_lower: reach?.lower ?? null,
    times_shown_upper: reach?.upper ?? null,
    is_grant_funded: details.isGrantFunded,
    topic: storable(details.topic),
    payer: storable(details.payer),
    target_domain: storable(details.targetDomain),
    preview_url: storable(details.previewUrl),
    legal_name: storable(advertiser?.legalName ?? null),
    location: storable(advertiser?.location ?? null),
    verification: storable(advertiser?.verification ?? null),
    targeting: packTargeting(details.targeting),
    regions: packRegions(details.regions),
  };
}

/** Packs a removed ad for the record: the decisions about it, and its regions and targeting. */
export function packRemoval(
  disapprovals: readonly Disapproval[],
  { targeting, regions }: Pick<AdDetails, 'targeting' | 'regions'>,
): PackedRemoval {
  return {
    targeting: packTargeting(targeting),
    regions: packRegions(regions),
    disapprovals: disapprovals.map(packDisapproval),
  };
}

const dayMs = 86_400_000;

/** Number of days from the first to the last, both included; 0 if one of them is unknown. */
export function spanOf({ start, lastSeen }: Pick<Ad, 'start' | 'lastSeen'>): number {
  if (start === null || lastSeen === null) return 0;
  return (Date.parse(lastSeen) - Date.parse(start)) / dayMs + 1;
}

function packTargeting(targeting: Targeting | null): readonly (string | null)[] | null {
  if (targeting === null) return null;
  const { demographicInfo, geoLocation, contextualSignals, customerLists, topicsOfInterest } = targeting;
  return [demographicInfo, geoLocation, contextualSignals, customerLists, topicsOfInterest].map(storable);
}

function packRegions(regions: readonly AdRegion[]): readonly PackedRegion[] | null {
  return regions.length === 0 ? null : regions.map(packRegion);
}

function packRegion(region: AdRegion): PackedRegion {
  const { firstShown, lastShown, timesShown, timesShownFrom, timesShownTo, surfaces } = region;
  return withoutLastNulls([
    storable(region.region),
    firstShown,
    lastShown,
    ...packTimes(timesShown),
    timesShownFrom,
    timesShownTo,
    surfaces.length === 0 ? null : surfaces.map(packSurface),
  ]);
}

function packSurface({ surface, timesShown }: AdSurface): PackedSurface {
  return withoutLastNulls([storable(surface), ...packTimes(timesShown)]);
}

function packTimes(times: TimesShown | null): readonly (string | number | null)[] {
  return [times?.lower ?? null, times?.upper ?? null, times?.availableOn ?? null];
}

function packDisapproval(disapproval: Disapproval): PackedDisapproval {
  return withoutLastNulls([
    storable(disapproval.removalReason),
    storable(disapproval.violationCategory),
    disapproval.isAutomated,
    storable(disapproval.removalLocation),
    storable(disapproval.decisionType),
  ]);
}

function withoutLastNulls<T>(values: readonly (T | null)[]): readonly (T | null)[] {
  return values.slice(0, values.findLastIndex((value) => value !== null) + 1);
}

const unstorable = /[\0\p{Cs}]/gu;

/** Text as Postgres can store it: NUL and broken UTF-16 become a space. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replace(unstorable, ' ');
}
