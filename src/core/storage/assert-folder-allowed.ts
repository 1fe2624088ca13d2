import { ValidationError } from '../errors.ts';

/**
 * Asserts that an account may name a folder: it is one of the folders that the operator lists, or below one. The folder itself may be a
 * link; the storage compares the real path again when it opens it.
 *
 * @param path absolute, without `..`: that of a parsed location.
 * @param folders setting NIGHTSHIFT_FOLDERS.
 * @throws ValidationError that lists the folders.
 */
export function assertFolderAllowed(path: string, folders: readonly string[]): void {
  if (isFolderWithin(path, folders)) return;
  throw new ValidationError(
    folders.length === 0
      ? 'Folders cannot be used here. The operator lists the folders that accounts may use in NIGHTSHIFT_FOLDERS.'
      : `This folder cannot be used. Use a folder below ${folders.join(' or ')}, or have the operator add it to NIGHTSHIFT_FOLDERS.`,
  );
}

/** True when a path is one of the folders, or below one. */
export function isFolderWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`));
}
