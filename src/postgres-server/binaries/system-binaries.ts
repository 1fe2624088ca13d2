import { readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { errorCode } from '../system/system-error.ts';

/** Folders with one subfolder per Postgres version: Debian; Red Hat; Alpine; Homebrew on both kinds of Mac. */
const versionParents: readonly VersionParent[] = [
  { parent: '/usr/lib/postgresql', pattern: /^\d+$/ },
  { parent: '/usr', pattern: /^pgsql-\d+$/ },
  { parent: '/usr/libexec', pattern: /^postgresql\d+$/, bin: '' },
  { parent: '/opt/homebrew/opt', pattern: /^postgresql@\d+$/ },
  { parent: '/usr/local/opt', pattern: /^postgresql@\d+$/ },
];

const plainFolders = ['/usr/local/bin', '/usr/bin', '/usr/local/pgsql/bin', '/opt/homebrew/bin'];

interface VersionParent {
  readonly parent: string;
  readonly pattern: RegExp;
  /** Subfolder of the programs; default `bin`. */
  readonly bin?: string;
}

/**
 * Lists the folders of this system with a `postgres` program, links resolved, without duplicates, in no particular order.
 *
 * @param searchPath folders to search besides the well-known ones, as in PATH.
 */
export async function listSystemBinaries(searchPath: string): Promise<readonly string[]> {
  const folders = [...searchPath.split(':').filter(isAbsolute), ...plainFolders];
  for (const { parent, pattern, bin = 'bin' } of versionParents) {
    const names = await readNames(parent);
    folders.push(...names.filter((name) => pattern.test(name)).map((name) => join(parent, name, bin)));
  }
  const found = await Promise.all(folders.map(findPostgres));
  return [...new Set(found.filter((folder) => folder !== undefined))];
}

/** Returns the real folder of `postgres`, which contains initdb as well; the folder of a link may not. */
async function findPostgres(folder: string): Promise<string | undefined> {
  try {
    return dirname(await realpath(join(folder, 'postgres')));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function readNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** True for a missing or inaccessible folder: neither contains a usable program. */
function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(errorCode(error) ?? '');
}
