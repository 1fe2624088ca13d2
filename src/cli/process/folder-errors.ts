import { Misconfigured } from '../../core/errors.ts';

/** Descriptions of the system's error codes for a path that cannot be written. */
const failures: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'has no space left'],
  ['EDQUOT', 'has no space left'],
  ['EFBIG', 'does not accept a file of that size'],
  ['EACCES', 'is not writable for this user'],
  ['EPERM', 'is not writable for this user'],
  ['EROFS', 'is read-only'],
]);

/** Describes an error of the file system, after the path; null for any other error. */
export function writeErrorText(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? (failures.get(error.code) ?? null) : null;
}

/** Adds path and remedy to an error of a full or read-only folder. Returns any other error unchanged. */
export function explainWriteError(error: unknown): unknown {
  const failure = writeErrorText(error);
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  if (failure === null || typeof path !== 'string') return error;
  return new Misconfigured(
    `${path} ${failure}. Fix the folder, or choose another: NIGHTSHIFT_HOME for the data of Nightshift, -o for an output file.`,
    { cause: error },
  );
}
