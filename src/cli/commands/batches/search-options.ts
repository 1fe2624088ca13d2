import type { SearchOptions } from '../../../core/ads/ads-answer.ts';
import { readAge } from '../../../core/time/parse-age.ts';
import { parseRegion } from '../../../core/ads/regions.ts';
import { parseSurface } from '../../../core/ads/surfaces.ts';
import { ValidationError } from '../../../core/errors.ts';

/** Options of every command that searches ads. */
export interface SearchFlags {
  readonly region?: string;
  readonly surface?: string;
  readonly maxAds?: string;
  readonly ownOnly?: boolean;
  readonly maxAge?: string;
}

/** Parses the search options. @throws ValidationError naming the option. */
export function parseSearch({ region, surface, maxAds, ownOnly, maxAge }: SearchFlags): SearchOptions {
  return {
    region: region === undefined ? null : parseRegion(region, '--region'),
    surface: surface === undefined ? null : parseSurface(surface, '--surface'),
    adsMax: maxAds === undefined ? null : parseMaxAds(maxAds),
    ownOnly: ownOnly === true,
    ageMsMax: maxAge === undefined ? null : readAge(maxAge, '--max-age'),
  };
}

function parseMaxAds(text: string): number {
  const ads = Number(text);
  if (/^\d{1,6}$/.test(text) && ads >= 1) return ads;
  throw new ValidationError(`--max-ads ${text}: must be an integer from 1 to 999999, such as --max-ads 50.`);
}
