import { ValidationError } from '../../../src/core/errors.ts';

/** SQLSTATE of Postgres for an unknown time zone. */
const unknownZone = '22023';

/**
 * Runs a query about days in a time zone. Node and Postgres each have their own zones, which may differ.
 *
 * @throws ValidationError
 */
export async function withZone<T>(timeZone: string, query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (codeOf(error) !== unknownZone) throw error;
    throw new ValidationError(
      `The time zone "${timeZone}" is unknown to this Postgres. Use another name of it, such as that of its largest city.`,
      { cause: error },
    );
  }
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return null;
  return 'code' in error ? error.code : codeOf(error.cause);
}
