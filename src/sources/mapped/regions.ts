import { basename } from 'node:path';
import { ValidationError } from '../../core/errors.ts';
import type { SourceMap } from './map-shape.ts';
import { regionPlacesOf } from './request.ts';

/** A map, and where it comes from. */
interface MapOrigin {
  readonly map: SourceMap;
  /** Name of its source. */
  readonly source: string;
  readonly file: string;
  /** The setting that names the file. */
  readonly setting: string;
}

/**
 * Rejects a map with a request for ads that has no place for a region: companies that are searched with it cannot be searched
 * in one country. Without a region, rejects a map with a request that requires one.
 *
 * @throws ValidationError that names the requests and the remedy.
 */
export function validateRegionPlaces(region: string | null, named: MapOrigin): void {
  if (region === null) requireNoRegion(named);
  else requireRegionPlaces(named);
}

function requireRegionPlaces({ map, source, file, setting }: MapOrigin): void {
  const without = requestsOf(map).flatMap(([way, places]) => (places.length > 0 ? [] : [`requests.${way}`]));
  if (without.length === 0) return;
  throw new ValidationError(
    `region: the source ${source} cannot be asked by region, because ${without.join(' and ')} of its map ${basename(file)} ` +
      `(${setting}) has no {region} and no {region_number}. Put one of them into the query or the JSON there, or leave ` +
      'the region out.',
  );
}

function requireNoRegion({ map, source }: MapOrigin): void {
  const required = requestsOf(map).some(([, places]) => places.some(({ isRequired }) => isRequired));
  if (required) throw regionRequired(source);
}

/** Error of a search without a region, which the map requires. */
export function regionRequired(source: string): ValidationError {
  return new ValidationError(
    `region: the source ${source} can be asked for one country only. Set a region, such as DE.`,
  );
}

function requestsOf({ requests: { mapping, domain } }: SourceMap) {
  return Object.entries({ mapping, domain }).flatMap(([way, request]) =>
    request === undefined ? [] : [[way, regionPlacesOf(request)] as const],
  );
}
