import { comparePaths, isListedPath } from '../../core/storage/storage-path.ts';
import type { StorageFile } from '../../core/storage/storage.ts';

/** Entry of a folder. Anything but files and folders is left out. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
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

/** Lists the files below a folder in the order of their paths, in pages. Holds the names of one folder on each level. */
export async function* listFolders(reader: FolderReader): AsyncGenerator<readonly StorageFile[], undefined> {
  let page: StorageFile[] = [];
  for await (const path of walk(reader, '', 0)) {
    const file = await reader.readFile(path);
    if (file === null) continue;
    page.push(file);
    if (page.length < pageFilesMax) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function* walk(reader: FolderReader, folder: string, depth: number): AsyncGenerator<string, undefined> {
  // In the order of paths, `a.csv` comes before `a/b.csv`.
  const keys = ((await reader.readFolder(folder)) ?? [])
    .filter(({ name }) => !name.includes('/') && !name.startsWith('.'))
    .map(({ name, isFolder }) => `${folder}${name}${isFolder ? '/' : ''}`)
    .sort(comparePaths);
  for (const key of keys) {
    if (!key.endsWith('/')) {
      if (isListedPath(key)) yield key;
    } else if (depth < depthMax) {
      yield* walk(reader, key, depth + 1);
    }
  }
}
