import pg from 'pg';
import { ValidationError } from '../../src/core/errors.ts';

/** Remedy for a statement that writes. */
export const onlyReads = 'This login only reads.';

/** SQLSTATE classes that are not errors of a query: the server is unavailable, out of a resource, or has an internal error. */
const failures = /^(08|40|53|57P|58|F0|XX)/;

/** True when Postgres rejected a statement for its content or its duration, and not because of a failure of its own. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !failures.test(error.code ?? 'XX');
}

/**
 * True when a statement exceeded a resource limit: memory, or temporary files. The server is healthy; the same statement would
 * fail again. A single value beyond Postgres' maximum has no SQLSTATE of its own (PostgreSQL source: mcxt.c).
 */
export function isCap(error: unknown): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError)) return false;
  if (error.code === '53200' || error.code === '53400') return true;
  return error.code === 'XX000' && error.message.startsWith('invalid memory alloc request size');
}

/** Postgres' message about a statement, with its position and hint. `remedies`, by SQLSTATE, replace its hints. */
export function refusalOf(
  error: pg.DatabaseError,
  remedies: Readonly<Record<string, string | undefined>>,
): ValidationError {
  const { code = '', message, hint } = error;
  // The text of a query within a function has its own positions.
  const position = error.internalPosition ?? error.position;
  const place = position === undefined ? '' : ` (at character ${position})`;
  const help = remedies[code] ?? hint;
  const words = `Postgres rejected the query: ${message}${place}.`;
  return new ValidationError(help === undefined ? words : `${words}\n${help}`, { cause: error });
}
