import { adBounds } from './ad-bounds.ts';
import type { AdDetails, AdRegion, AdvertiserDetails, Targeting } from './ad-details.ts';
import { boundedText, shortOrNone } from './storable-text.ts';

const { textChars, addressChars, codeChars } = adBounds;
const text = (value: string | null) => boundedText(value, textChars);
const code = (value: string | null) => boundedText(value, codeChars);

/**
 * Truncates details to the stored size: longer texts and codes end in `…`, a longer URL becomes null, and regions and surfaces beyond their
 * maximum number, or with a code that is too long, are dropped. Details within the bounds stay equal.
 */
export function storableDetails(details: AdDetails): AdDetails {
  return {
    ...details,
    targetDomain: text(details.targetDomain),
    previewUrl: shortOrNone(details.previewUrl, addressChars),
    topic: text(details.topic),
    payer: text(details.payer),
    targeting: details.targeting === null ? null : storableTargeting(details.targeting),
    regions: shortest(details.regions, ({ region }) => region, adBounds.regions).map(storableRegion),
    advertiser: details.advertiser === null ? null : storableAdvertiser(details.advertiser),
  };
}

function storableTargeting(targeting: Targeting): Targeting {
  return {
    demographicInfo: code(targeting.demographicInfo),
    geoLocation: code(targeting.geoLocation),
    contextualSignals: code(targeting.contextualSignals),
    customerLists: code(targeting.customerLists),
    topicsOfInterest: code(targeting.topicsOfInterest),
  };
}

function storableAdvertiser({ legalName, location, verification }: AdvertiserDetails): AdvertiserDetails {
  return { legalName: text(legalName), location: code(location), verification: code(verification) };
}

function storableRegion(region: AdRegion): AdRegion {
  return { ...region, surfaces: shortest(region.surfaces, ({ surface }) => surface, adBounds.surfaces) };
}

/** The first elements whose code is short: a truncated code could be that of another element. */
function shortest<T>(elements: readonly T[], codeOf: (element: T) => string, countMax: number): readonly T[] {
  return elements.filter((element) => codeOf(element).length <= codeChars).slice(0, countMax);
}
