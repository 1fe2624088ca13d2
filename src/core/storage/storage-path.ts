import { StorageRejected } from '../errors.ts';

const bytesMax = 1024;

/**
 * Asserts that a path names a file below the root of a storage, in the form that every kind of storage stores and lists.
 *
 * @throws StorageRejected for an absolute path, `.`, `..` and empty parts, backslashes, control characters, and more than 1,024 bytes.
 */
export function assertStoragePath(path: string): void {
  const problem = problemOf(path);
  if (problem === null) return;
  throw new StorageRejected(
    `The path ${JSON.stringify(path.slice(0, 200))} cannot be used: ${problem}. Use a path such as 2026/results.csv.`,
  );
}

/** True when `list` shows a file: its path is valid, no part of it begins with a dot, and its name is not that of an unfinished download. */
export function isListedPath(path: string): boolean {
  return problemOf(path) === null && !/(^|\/)\./.test(path) && !isTemporary(path);
}

/** Compares paths by their bytes in UTF-8, the order in which S3 lists keys. */
export function comparePaths(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function problemOf(path: string): string | null {
  if (path === '') return 'it is empty';
  if (path.startsWith('/')) return 'it is absolute';
  if (/[\p{Cc}\\]/u.test(path)) return 'it contains a backslash or a control character';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'it has an empty part, "." or ".."';
  }
  if (/\p{Cs}/u.test(path)) return 'it is not valid Unicode';
  return Buffer.byteLength(path) > bytesMax ? `it has more than ${bytesMax} bytes` : null;
}

/** Names that browsers, SFTP clients and office programs give to files that are not complete, or that lock another. */
function isTemporary(path: string): boolean {
  return /(\.(tmp|part|partial|filepart|crdownload)|~)$|(^|\/)~\$[^/]*$/i.test(path);
}
