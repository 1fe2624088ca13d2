import type { SourceMap } from './map-shape.ts';
import { placeholdersOf } from './request.ts';

/**
 * The requests for ads of a map, as they are called in it, that have no place for a region: a company that is asked about in one of
 * them cannot be searched in one country.
 */
export function requestsWithoutRegion({ requests: { mapping, domain } }: SourceMap): readonly string[] {
  return Object.entries({ mapping, domain }).flatMap(([way, request]) => {
    const used = request === undefined ? ['region'] : placeholdersOf(request);
    return used.includes('region') || used.includes('region_number') ? [] : [`requests.${way}`];
  });
}
