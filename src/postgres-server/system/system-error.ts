import { EnrichError, Misconfigured } from '../../core/errors.ts';

/** The `code` that Node and `pg` put on errors of the system and of Postgres, or undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** True when the file system refused to be written to: a read-only mount, or somebody else's folder. */
export function isWriteRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '');
}

/** True when a name is already taken. `rename` onto a folder that is not empty says either, by system. */
export function isTaken(error: unknown): boolean {
  return ['EEXIST', 'ENOTEMPTY'].includes(errorCode(error) ?? '');
}

/**
 * Turns trouble with files (no permission, no space) into something the operator can act on; other errors stay themselves.
 *
 * @param what the sentence that the system's own words complete.
 */
export function explainSystemError(error: unknown, what: string): unknown {
  const isSystemError = error instanceof Error && 'syscall' in error && !(error instanceof EnrichError);
  if (!isSystemError) return error;
  return new Misconfigured(
    `${what}: ${error.message}. Check the space and the permissions there, or set NIGHTSHIFT_HOME or DATABASE_URL.`,
    { cause: error },
  );
}
