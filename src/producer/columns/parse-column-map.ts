import { ValidationError } from '../../core/errors.ts';

/**
 * `company_domain=Website,company_name=Account` as which column holds which field. Columns may have commas in their names: a pair
 * begins where a field's name and an equals sign follow one. `option` is what the user knows it by.
 *
 * @throws ValidationError that shows how to write it.
 */
export function parseColumnMap(texts: readonly string[], option: string): Readonly<Record<string, string>> {
  const pairs = texts.flatMap((text) => text.split(/,(?=[a-z_]+=)/));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) {
        throw new ValidationError(
          `${option} ${pair}: write FIELD=COLUMN, for example ${option} company_name=Account.`,
        );
      }
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
}
