import { StorageRejected } from '../../core/errors.ts';
import { comparePaths, isListedPath } from '../../core/storage/storage-path.ts';
import type { StorageFile } from '../../core/storage/storage.ts';

/** Entry of a folder. Anything but files and folders is left out. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** State of a file, where the list of the folder contains it. */
  readonly state?: Omit<StorageFile, 'path'>;
}

export interface FolderReader {
  /** Reads the entries of a folder by its path below the root, empty for the root; null when the folder has gone. */
  readonly readFolder: (path: string) => Promise<readonly FolderEntry[] | null>;
  /** Reads the state of a file; null when the file has gone. */
  readonly readFile: (path: string) => Promise<StorageFile | null>;
}

const pageFilesMax = 500;
/** Nested deeper than any folder of lists. Our choice. */
const depthMax = 32;
/** Maximum number of files and folders. Our choice: a server could list without an end. */
const entriesMax = 1_000_000;

/**
 * Lists the files below a folder in the order of their paths, in pages. Holds the names of one folder on each level.
 *
 * @throws StorageRejected when there are more than a million entries.
 */
export async function* listFolders(reader: FolderReader): AsyncGenerator<readonly StorageFile[], undefined> {
  let page: StorageFile[] = [];
  for await (const file of walk(reader, '', { depth: 0, count: { entries: 0 } })) {
    page.push(file);
    if (page.length < pageFilesMax) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

interface Walk {
  readonly depth: number;
  readonly count: { entries: number };
}

async function* walk(
  reader: FolderReader,
  folder: string,
  { depth, count }: Walk,
): AsyncGenerator<StorageFile, undefined> {
  const entries = ((await reader.readFolder(folder)) ?? [])
    .filter(({ name }) => !name.includes('/') && !name.startsWith('.'))
    // In the order of paths, `a.csv` comes before `a/b.csv`.
    .map((entry) => ({ ...entry, path: `${folder}${entry.name}${entry.isFolder ? '/' : ''}` }))
    .sort((one, other) => comparePaths(one.path, other.path));
  count.entries += entries.length;
  if (count.entries > entriesMax)
    throw new StorageRejected('The folder has too many files. Use one with fewer.');
  for (const { path, isFolder, state } of entries) {
    if (isFolder) {
      if (depth < depthMax) yield* walk(reader, path, { depth: depth + 1, count });
    } else if (isListedPath(path)) {
      const file = state === undefined ? await reader.readFile(path) : { path, ...state };
      if (file !== null) yield file;
    }
  }
}
