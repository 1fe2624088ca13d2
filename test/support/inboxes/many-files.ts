import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { badList } from './inbox-run.ts';
import { listOf, type TestInboxes } from './test-inboxes.ts';

/** Numbers of files of each kind in a folder. */
export interface ManyFiles {
  readonly good: number;
  readonly bad: number;
  readonly growing: number;
  /** Files with the content of a good one, under other names. */
  readonly copies: number;
}

/** 500 files, or a part of them. */
export function manyFiles(share = 1): ManyFiles {
  return { good: 400 * share, bad: 50 * share, growing: 20 * share, copies: 30 * share };
}

/** Writes the files, mixed by their names; copies are before or after the file whose content they have. */
export function writeManyFiles({ write }: Pick<TestInboxes, 'write'>, files: ManyFiles): void {
  const name = (n: number, kind: string) => `${String((n * 7919) % 997).padStart(3, '0')}-${kind}-${n}.csv`;
  for (let n = 0; n < files.good; n += 1) write(name(n, 'good'), listOf(`good-${n}`));
  for (let n = 0; n < files.bad; n += 1) write(name(n, 'bad'), badList(String(n)));
  for (let n = 0; n < files.copies; n += 1) write(name(n + 500, 'copy'), listOf(`good-${n}`));
  for (let n = 0; n < files.growing; n += 1) write(`growing-${n}.csv`, listOf(`growing-${n}`));
}

/** Appends a row to every growing file. */
export function growFiles(
  { folder }: Pick<TestInboxes, 'folder'>,
  { growing }: ManyFiles,
  row: number,
): void {
  for (let n = 0; n < growing; n += 1) {
    appendFileSync(join(folder, `growing-${n}.csv`), `growing-${n}-row-${row}.com\n`);
  }
}
