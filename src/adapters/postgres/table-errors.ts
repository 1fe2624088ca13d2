import { EnrichError, StorageRejected, StorageUnavailable } from '../../core/errors.ts';

/** SQLSTATE classes and codes for which a later attempt helps: connection, resources, shutdown, conflicts and time limits. */
const passing = /^(08|25P03|40|53|55P03|57|58)/;

/**
 * Translates an error of a database of the user's own. Its message is that of Postgres, which names tables and columns and no password.
 *
 * @param table named in the message.
 */
export function tableError(error: unknown, table: string): unknown {
  if (error instanceof EnrichError || !(error instanceof Error)) return error;
  if (error.message.startsWith('SASL')) {
    const message =
      'Postgres asks for a password. Give the destination credentials with the password of the user.';
    return new StorageRejected(message, { cause: error });
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (isSqlState(code) && !passing.test(code)) {
    return new StorageRejected(
      `Postgres rejects the load into ${table}: ${error.message}. ${remedyOf(code)}`,
      {
        cause: error,
      },
    );
  }
  if (isSqlState(code) || code !== '' || /connection|timeout/i.test(error.message)) {
    return new StorageUnavailable(`Postgres cannot load into ${table} now: ${error.message}.`, {
      cause: error,
    });
  }
  return error;
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);
}

function remedyOf(code: string): string {
  if (code === '42501') return 'Grant the login CREATE on the schema, and all rights on the table.';
  if (code === '23505') return 'Rows of the table have equal keys: remove them, or choose another key.';
  if (code === '2BP01' || code === '0A000')
    return 'A view may use a column that must be widened: drop it, or choose another table.';
  return 'Change the table, or choose another one.';
}
