import { platformId } from '../../core/companies/platform-id.ts';
import { mappingOn, type CompanyMapping } from '../../core/companies/company-mapping.ts';
import type { SourceMap } from './map-shape.ts';

/** Selects the mapped advertisers on the platform of the map whose ids match its pattern (`id_pattern`, for the whole id without its prefix). */
export function ownMappingOf({
  platform,
  requests,
}: Pick<SourceMap, 'platform' | 'requests'>): (mapping: CompanyMapping) => CompanyMapping {
  const pattern = requests.mapping?.id_pattern;
  if (pattern === undefined) return (mapping) => mappingOn(platform, mapping);
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return (mapping) =>
    mappingOn(platform, mapping).filter(({ advertiserId }) => whole.test(platformId(advertiserId)));
}
