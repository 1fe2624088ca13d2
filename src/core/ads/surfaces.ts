import { ValidationError } from '../errors.ts';

/** Surfaces on which Google shows ads, as its public tables name them. */
export const surfaces = ['SEARCH', 'YOUTUBE', 'MAPS', 'PLAY', 'SHOPPING'] as const;

/**
 * Parses the name of a surface, in any case.
 *
 * @throws ValidationError for every other text. It names `where`, an option or a field.
 */
export function parseSurface(text: string, where = 'surface'): string {
  const name = text.trim().toUpperCase();
  const surface = surfaces.find((each) => each === name);
  if (surface !== undefined) return surface;
  throw new ValidationError(
    `${where}: ${JSON.stringify(text)} is not a surface. Known surfaces: ${surfaces.join(', ')}.`,
  );
}
