import { EnrichError, Misconfigured } from '../../core/errors.ts';

/** Returns the `code` of an error of the system or of Postgres; undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** True when the file system rejected a write: a read-only mount, or a folder of another user. */
export function isWriteRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '');
}

/** True when a name already exists. The code for `rename` onto a non-empty folder depends on the system. */
export function isTaken(error: unknown): boolean {
  return ['EEXIST', 'ENOTEMPTY'].includes(errorCode(error) ?? '');
}

/**
 * Adds the remedy to a file system error (no permission, no space). Any other error is returned unchanged.
 *
 * @param what sentence before the message of the system.
 */
export function explainSystemError(error: unknown, what: string): unknown {
  const isSystemError = error instanceof Error && 'syscall' in error && !(error instanceof EnrichError);
  if (!isSystemError) return error;
  return new Misconfigured(
    `${what}: ${error.message}. Check the free space and the permissions, or set NIGHTSHIFT_HOME or DATABASE_URL.`,
    { cause: error },
  );
}
