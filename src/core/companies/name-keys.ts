import { germanName, nameCharsMax, normaliseName } from './company-name.ts';

/**
 * All keys under which a name is found: normalized, and with umlauts also written out, so that `Müller` is `muller` and
 * `mueller`. Two names are equal if they share a key.
 *
 * Keys that no company can have are left out: the empty one, and those longer than a name may be. Never throws.
 */
export function nameKeys(name: string): readonly string[] {
  const german = germanName(name);
  const keys = [normaliseName(name), ...(german === null ? [] : [german])];
  return keys.filter((key) => key !== '' && key.length <= nameCharsMax);
}

/** The same keys without spaces, as the label of a domain would hold them. */
export function compactKeys(name: string): readonly string[] {
  return nameKeys(name).map((key) => key.replaceAll(' ', ''));
}
