import type { Ad } from './ad.ts';
import { noDetails, type AdDetails } from './ad-details.ts';

/** `Ad.details` from the given fields, to spread into an ad. Empty if all of them are null or empty: then the ad has no details. */
export function detailsOf(given: Partial<AdDetails>): Pick<Ad, 'details'> {
  const details = { ...noDetails, ...given };
  return hasContent(details) ? { details } : {};
}

/** True if at least one field has a value. */
export function hasContent(details: AdDetails): boolean {
  return Object.values(details).some(
    (value) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
}
