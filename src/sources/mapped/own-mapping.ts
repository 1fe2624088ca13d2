import { isGoogleAdvertiserId } from '../../core/companies/advertiser-id.ts';
import type { CompanyMapping } from '../../core/companies/company-mapping.ts';
import type { SourceMap } from './map-shape.ts';

/**
 * The mapped advertisers whose ids are of the form that a map states (`id_pattern`, for the whole of an id).
 *
 * A map that states none may be one of Google's ads or of another network's. Where a company is mapped to advertisers of both, those that
 * are not Google's are taken: for Google's there are sources that know them for certain. Our choice.
 */
export function ownMappingOf({ requests }: SourceMap): (mapping: CompanyMapping) => CompanyMapping {
  const pattern = requests.mapping?.id_pattern;
  if (pattern !== undefined) {
    const whole = new RegExp(`^(?:${pattern})$`, 'u');
    return (mapping) => mapping.filter(({ advertiserId }) => whole.test(advertiserId));
  }
  return (mapping) => {
    const others = mapping.filter(({ advertiserId }) => !isGoogleAdvertiserId(advertiserId));
    return others.length > 0 ? others : mapping;
  };
}

/** True when these ids may be another network's: the map does not say what its own look like, and they are Google's. */
export function mayBeOthers(advertiserIds: readonly string[], { requests }: SourceMap): boolean {
  return requests.mapping?.id_pattern === undefined && advertiserIds.every(isGoogleAdvertiserId);
}
