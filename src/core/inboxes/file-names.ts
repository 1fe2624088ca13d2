import { isListedPath } from '../storage/storage-path.ts';

/** Folder that files are moved to once they became a batch, and folder of failed ones. Neither is looked at. */
export const doneFolder = 'done/';
export const failedFolder = 'failed/';

/** Ending of the file beside a failed one, with the reason. */
const reasonEnding = '.reason.txt';

/**
 * True for a file that an inbox looks at: not below `done/` or `failed/`, not hidden or under a name for unfinished files (`isListedPath`),
 * and with a name that matches the pattern.
 */
export function isArrival(path: string, pattern: string | null): boolean {
  if (isSetAside(path) || !isListedPath(path)) return false;
  return pattern === null || matches(nameOf(path), pattern);
}

/** True for a file that Nightshift has moved. */
export function isSetAside(path: string): boolean {
  return path.startsWith(doneFolder) || path.startsWith(failedFolder);
}

/** Last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Path of the file with the reason of a failed one. */
export function reasonPath(place: string): string {
  return `${place}${reasonEnding}`;
}

/** Matches a whole name, without regard to case, in at most as many steps as both lengths multiplied: `*` stands for any characters, `?` for one. */
function matches(name: string, pattern: string): boolean {
  const [text, glob] = [name.toLowerCase(), pattern.toLowerCase()];
  let [at, of] = [0, 0];
  let star = { of: -1, at: 0 };
  while (at < text.length) {
    if (glob[of] === '*') {
      star = { of, at };
      of += 1;
    } else if (glob[of] === '?' || glob[of] === text[at]) {
      at += 1;
      of += 1;
    } else if (star.of >= 0) {
      // The last star takes one character more.
      star = { of: star.of, at: star.at + 1 };
      at = star.at;
      of = star.of + 1;
    } else return false;
  }
  return /^\**$/.test(glob.slice(of));
}

/** Names below `done/` and `failed/` that are in use. */
export interface TakenNames {
  add(path: string): void;
  /** A free path for a file below one of the two folders; it is taken from then on. `tag` is unique to the file. */
  free(folder: typeof doneFolder | typeof failedFolder, path: string, tag: string): string;
}

/** Names that are kept in memory. With more of them, every moved file gets a name of its own. */
const namesMax = 200_000;

/** Creates the set of names in use, so that no earlier file is replaced by one of the same name. */
export function createTakenNames(): TakenNames {
  const taken = new Set<string>();
  let isComplete = true;
  const add = (path: string) => {
    if (taken.size < namesMax) taken.add(path);
    else isComplete = false;
  };
  return {
    add,
    free: (folder, path, tag) => {
      const wanted = `${folder}${path}`;
      const isFree = isComplete && !taken.has(wanted) && !taken.has(reasonPath(wanted));
      const chosen = isFree ? wanted : withTag(wanted, tag);
      add(chosen);
      if (folder === failedFolder) add(reasonPath(chosen));
      return chosen;
    },
  };
}

/** `failed/list.csv` → `failed/list (4f6a…).csv`. */
function withTag(path: string, tag: string): string {
  const [, stem = path, ending = ''] = /^(.*?[^/])((?:\.[A-Za-z0-9]{1,8}){0,2})$/s.exec(path) ?? [];
  return `${stem} (${tag})${ending}`;
}
