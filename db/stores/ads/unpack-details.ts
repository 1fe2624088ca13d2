import type { Ad } from '../../../src/core/ads/ad.ts';
import type {
  AdDetails,
  AdRegion,
  AdSurface,
  AdvertiserDetails,
  Targeting,
  TimesShown,
} from '../../../src/core/ads/ad-details.ts';
import { spanOf, type PackedDetails, type PackedRegion, type PackedSurface } from './pack-details.ts';

/** Packed details without the sums over regions, which `reachOf` repeats. */
export type StoredDetails = Omit<PackedDetails, 'times_shown_lower' | 'times_shown_upper'>;

/** Reads details of the record: the inverse of `packDetails` for an ad with these days. */
export function unpackDetails(packed: StoredDetails, days: Pick<Ad, 'start' | 'lastSeen'>): AdDetails {
  const { days_not_shown: daysNotShown, legal_name: legalName, location, verification } = packed;
  return {
    daysShown: daysNotShown === null ? null : Math.max(0, spanOf(days) - daysNotShown),
    targetDomain: packed.target_domain,
    previewUrl: packed.preview_url,
    topic: packed.topic,
    payer: packed.payer,
    isGrantFunded: packed.is_grant_funded,
    targeting: packed.targeting === null ? null : unpackTargeting(packed.targeting),
    regions: (packed.regions ?? []).map(unpackRegion),
    advertiser: unlessUnknown<AdvertiserDetails>({ legalName, location, verification }),
  };
}

function unpackTargeting(packed: readonly (string | null)[]): Targeting | null {
  const [demographicInfo, geoLocation, contextualSignals, customerLists, topicsOfInterest] = packed;
  return unlessUnknown<Targeting>({
    demographicInfo: demographicInfo ?? null,
    geoLocation: geoLocation ?? null,
    contextualSignals: contextualSignals ?? null,
    customerLists: customerLists ?? null,
    topicsOfInterest: topicsOfInterest ?? null,
  });
}

function unpackRegion(packed: PackedRegion): AdRegion {
  const [region, firstShown, lastShown, lower, upper, availableOn, from, to, surfaces] = packed;
  return {
    region: textOf(region) ?? '',
    firstShown: textOf(firstShown),
    lastShown: textOf(lastShown),
    timesShown: timesOf(lower, upper, availableOn),
    timesShownFrom: textOf(from),
    timesShownTo: textOf(to),
    surfaces: Array.isArray(surfaces) ? surfaces.map(unpackSurface) : [],
  };
}

function unpackSurface([surface, lower, upper, availableOn]: PackedSurface): AdSurface {
  return { surface: textOf(surface) ?? '', timesShown: timesOf(lower, upper, availableOn) };
}

function timesOf(lower: unknown, upper: unknown, availableOn: unknown): TimesShown | null {
  return unlessUnknown<TimesShown>({
    lower: numberOf(lower),
    upper: numberOf(upper),
    availableOn: textOf(availableOn),
  });
}

function unlessUnknown<T extends object>(fields: T): T | null {
  return Object.values(fields).every((value) => value === null) ? null : fields;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
