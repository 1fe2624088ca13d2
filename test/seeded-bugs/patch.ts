import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededBug } from './bugs.ts';

/** Counts the places of a bug's text in its file; any number but one means that the list is out of date. */
export function countPlaces(root: string, { file, find }: SeededBug): number {
  return readFileSync(join(root, file), 'utf8').split(find).length - 1;
}

/** Puts the bug in, runs `work`, and takes the bug out again, whatever came of it. */
export async function withBug<T>(root: string, bug: SeededBug, work: () => Promise<T>): Promise<T> {
  const path = join(root, bug.file);
  const sound = readFileSync(path, 'utf8');
  write(path, sound.split(bug.find).join(bug.replace));
  try {
    return await work();
  } finally {
    write(path, sound);
  }
}

/** Under its old time: the command line is not built again, since the tests of the list run the sources themselves. */
function write(path: string, text: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
}
