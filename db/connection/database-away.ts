import { EnrichError } from '../../src/core/errors.ts';

/**
 * SQLSTATE classes and codes of a server that is unavailable, full, shutting down, or no longer the primary (25006, read-only): a later
 * retry helps, on another connection.
 */
const passingStates = /^(08|25006|25P03|53|57P0[1235]|40001|40P01|55P03)/;
const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOENT',
]);
const passingMessages =
  /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|Client has encountered a connection error/;

/** True when an error of the driver means that the server is unavailable, not that the SQL is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof EnrichError) return false;
  if ('code' in error && typeof error.code === 'string') {
    return passingCodes.has(error.code) || passingStates.test(error.code);
  }
  if (error.cause !== undefined) return isDatabaseAway(error.cause);
  return passingMessages.test(error.message);
}
