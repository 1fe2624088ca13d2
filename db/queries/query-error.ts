import pg from 'pg';
import { ValidationError } from '../../src/core/errors.ts';

/** SQLSTATE classes that are no mistake in a query: the server is away or out of something, or is broken inside. */
const failures = /^(08|40|53|57P|58|F0|XX)/;

/** True when Postgres refused a statement for what it says or for how long it takes, and not because of trouble of its own. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !failures.test(error.code ?? 'XX');
}

/**
 * True when a statement met a resource limit: memory, or temporary files. The server is well; the same
 * statement would meet it again. A single value that is larger than Postgres makes them has no SQLSTATE of its own (PostgreSQL source:
 * mcxt.c).
 */
export function isCap(error: unknown): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError)) return false;
  if (error.code === '53200' || error.code === '53400') return true;
  return error.code === 'XX000' && error.message.startsWith('invalid memory alloc request size');
}

/** Postgres' own words for what is wrong with a statement, where in it, and what helps. `remedies` by SQLSTATE, in place of its hints. */
export function refusalOf(
  error: pg.DatabaseError,
  remedies: Readonly<Record<string, string | undefined>>,
): ValidationError {
  const { code = '', message, hint } = error;
  // The text of a query within a function has places of its own.
  const position = error.internalPosition ?? error.position;
  const place = position === undefined ? '' : ` (at character ${position})`;
  const help = remedies[code] ?? hint;
  const words = `Postgres refused the query: ${message}${place}.`;
  return new ValidationError(help === undefined ? words : `${words}\n${help}`, { cause: error });
}
