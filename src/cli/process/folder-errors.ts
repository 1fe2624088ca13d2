import { Misconfigured } from '../../core/errors.ts';

/** Messages for the system's error codes of a file that cannot be written. */
const failures: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'has no space left'],
  ['EDQUOT', 'has no space left'],
  ['EFBIG', 'takes no file of that size'],
  ['EACCES', 'cannot be written by this user'],
  ['EPERM', 'cannot be written by this user'],
  ['EROFS', 'can only be read'],
]);

/** Message for an error of the file system at a place of ours; null for any other error. */
export function errorOfPlace(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? (failures.get(error.code) ?? null) : null;
}

/** A folder that is full, or not ours, is no defect: the error names it and what to do. Any other error stays as it is. */
export function explainPlace(error: unknown): unknown {
  const failure = errorOfPlace(error);
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  if (failure === null || typeof path !== 'string') return error;
  return new Misconfigured(
    `${path} ${failure}. Mend that, or name another place: NIGHTSHIFT_HOME for what Nightshift keeps, -o for a file that it writes.`,
    { cause: error },
  );
}
