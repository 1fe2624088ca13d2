import { ValidationError } from '../../../src/core/errors.ts';
import { errorCode } from '../../connection/error-code.ts';

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
    if (errorCode(error) !== unknownZone) throw error;
    throw new ValidationError(
      `The time zone "${timeZone}" is unknown to this Postgres. Use another name of it, such as that of its largest city.`,
      { cause: error },
    );
  }
}
