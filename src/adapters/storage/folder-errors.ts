import { EnrichError, StorageRejected, StorageUnavailable } from '../../core/errors.ts';

/** Returns the code of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Problems that a person has to fix, with their remedies. A map, because a code is untrusted text and an object has inherited keys. */
const rejections: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist. Create it, or name another'],
  ['ENOTDIR', 'has a path in which a file is named like a folder. Name another folder'],
  ['EACCES', 'cannot be used by the user that Nightshift runs as. Change its permissions'],
  ['EPERM', 'cannot be used by the user that Nightshift runs as. Change its permissions'],
  ['EROFS', 'is on a disk that can only be read. Name a folder on another disk'],
  ['ENAMETOOLONG', 'cannot hold a name of that length. Use a shorter one'],
  ['ELOOP', 'is a link that leads back to itself. Name another folder'],
  ['EISDIR', 'has a folder of that name. Use another name'],
  ['EFBIG', 'cannot hold files of that size. Name a folder on another disk'],
]);

/** Problems that can end by themselves. */
const failures: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'has no space left. Free some'],
  ['EDQUOT', 'has no space left for this user. Free some'],
  ['EIO', 'cannot be read at the moment'],
  ['ESTALE', 'is on a network disk that has changed'],
  ['ETIMEDOUT', 'is on a network disk that does not answer'],
  ['EHOSTDOWN', 'is on a network disk that does not answer'],
  ['EMFILE', 'cannot be opened: too many files are open'],
  ['ENFILE', 'cannot be opened: too many files are open'],
]);

/** Converts an error of the file system to an error of the storage. Any other error is returned as it is. */
export function folderError(error: unknown, root: string): unknown {
  // The staged file explains codes for the person who exports a file; here the cause counts.
  const code = codeOf(error instanceof EnrichError ? error.cause : error) ?? '';
  const rejection = rejections.get(code);
  if (rejection !== undefined)
    return new StorageRejected(`The folder ${root} ${rejection}.`, { cause: error });
  const failure = failures.get(code);
  if (failure !== undefined)
    return new StorageUnavailable(`The folder ${root} ${failure}.`, { cause: error });
  return error;
}
