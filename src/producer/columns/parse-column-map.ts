import { ValidationError } from '../../core/errors.ts';

/**
 * Parses `company_domain=Website,company_name=Account` to a column for each field. Column names can contain commas: a pair starts where a
 * field name and an equals sign follow a comma. `option` is the name of the option in messages.
 *
 * @throws ValidationError with the format.
 */
export function parseColumnMap(texts: readonly string[], option: string): Readonly<Record<string, string>> {
  const pairs = texts.flatMap((text) => text.split(/,(?=[a-z_]+=)/));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) {
        throw new ValidationError(
          `${option} ${pair}: must be FIELD=COLUMN, such as ${option} company_name=Account.`,
        );
      }
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
}
