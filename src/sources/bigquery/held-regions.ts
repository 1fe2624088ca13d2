import { ValidationError } from '../../core/errors.ts';

/** The European Economic Area and Türkiye: the countries whose ads the table contains (its column descriptions). */
const heldRegions = new Set(
  (
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK ' + // European Union
    'IS LI NO TR'
  ).split(' '),
);

/**
 * Validates that the table contains ads shown in the region. For any other region it would return none.
 *
 * @throws ValidationError
 */
export function heldRegion(code: string): string {
  if (heldRegions.has(code)) return code;
  throw new ValidationError(
    `region: the source bigquery holds no ads shown in ${JSON.stringify(code)}, only those shown in the EEA and Türkiye. ` +
      'Name one of its countries, leave the region out, or name another source.',
    { where: 'region' },
  );
}
