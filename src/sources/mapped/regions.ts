import { basename } from 'node:path';
import { ValidationError } from '../../core/errors.ts';
import type { SourceMap } from './map-shape.ts';
import { placeholdersOf } from './request.ts';

/**
 * Rejects a map with a request for ads that has no place for a region: companies that are searched with it cannot be searched
 * in one country.
 *
 * @throws ValidationError that names the requests and the remedy.
 */
export function requireRegionPlaces(map: SourceMap, file: string): void {
  const without = requestsWithoutRegion(map);
  if (without.length === 0) return;
  throw new ValidationError(
    `region: the source mapped cannot be asked by region, because ${without.join(' and ')} of its map ${basename(file)} ` +
      '(NIGHTSHIFT_MAPPED_FILE) has no {region} and no {region_number}. Put one of them into the query or the JSON there, or leave ' +
      'the region out.',
  );
}

function requestsWithoutRegion({ requests: { mapping, domain } }: SourceMap): readonly string[] {
  return Object.entries({ mapping, domain }).flatMap(([way, request]) => {
    const used = request === undefined ? ['region'] : placeholdersOf(request);
    return used.includes('region') || used.includes('region_number') ? [] : [`requests.${way}`];
  });
}
