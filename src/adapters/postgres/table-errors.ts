import { StorageRejected } from '../../core/errors.ts';
import { ownDatabaseError } from './database-errors.ts';

/** Remedies of a load by SQLSTATE (Postgres, Appendix A). A map, because a code is untrusted text and an object has inherited keys. */
const remedies: ReadonlyMap<string, string> = new Map([
  [
    '42501',
    'denies the permission. Grant the user TEMPORARY on the database, CREATE on the schema, and all rights on the table',
  ],
  ['23505', 'has rows with equal keys in the table. Remove them, or choose another key'],
  ['23502', 'has a column without a default that must not be null, and that no result has'],
  ['23514', 'has a condition on the table that a result does not meet'],
  ['2BP01', 'has a view of a column that must be widened. Drop it, or choose another table'],
  ['0A000', 'has a view of a column that must be widened. Drop it, or choose another table'],
  ['54011', 'allows fewer columns than the result has'],
]);

/**
 * Converts an error of a load into a table, with the remedy. The message contains nothing that the server wrote, which may repeat values.
 *
 * @param where name of the database in messages, without secrets.
 */
export function tableError(error: unknown, where: string, table: string): unknown {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const remedy = remedies.get(code);
  if (remedy === undefined) return ownDatabaseError(error, where);
  return new StorageRejected(`${where} ${remedy} (table ${table}, ${code}).`, { cause: error });
}
