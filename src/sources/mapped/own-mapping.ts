import { isGoogleAdvertiserId } from '../../core/companies/advertiser-id.ts';
import type { CompanyMapping } from '../../core/companies/company-mapping.ts';
import type { SourceMap } from './map-shape.ts';

/**
 * Selects the mapped advertisers whose ids match the pattern of the map (`id_pattern`, for the whole id).
 *
 * A map without a pattern may be for Google's ads or for another network's. If a company is mapped to advertisers of both,
 * those that are not Google's are selected, because other sources are certain to know Google's. Our choice.
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

/** True when these ids may belong to another network: the map has no pattern, and they are Google's. */
export function mayBeOthers(advertiserIds: readonly string[], { requests }: SourceMap): boolean {
  return requests.mapping?.id_pattern === undefined && advertiserIds.every(isGoogleAdvertiserId);
}
