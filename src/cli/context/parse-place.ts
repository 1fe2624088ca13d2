import { resolve } from 'node:path';
import { parseLocation, type Location } from '../../core/storage/location.ts';

/** Options of a location besides its address. */
export interface PlaceOptions {
  readonly endpoint?: string;
  readonly s3Region?: string;
  readonly hostKey?: string;
}

/** Parses a location; a folder may be relative to the current one. @throws ValidationError */
export function parsePlace(text: string, { endpoint, s3Region, hostKey }: PlaceOptions): Location {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
  return parseLocation(isUrl ? text : resolve(text.trim()), { endpoint, region: s3Region, hostKey });
}
