import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededBug } from './bugs.ts';

/** Counts the occurrences of a bug's text in its file; any number but one means that the list is outdated. */
export function countPlaces(root: string, { file, find }: SeededBug): number {
  return readFileSync(join(root, file), 'utf8').split(find).length - 1;
}

/** Inserts the bug, runs `work`, and always removes the bug again. */
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

/** Keeps the modification time: the command line is not rebuilt, because these tests run the sources themselves. */
function write(path: string, text: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
}
