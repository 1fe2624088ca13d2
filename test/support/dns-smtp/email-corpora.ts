import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';

/** The corpora of e-mail addresses, if they exist beside the checkout. */
const shared = join(packageRoot, '..', 'shared', 'corpora', 'email');

/** A corpus: its rows, and text for the title of a test that needs it. */
export interface Corpus<Row> {
  readonly rows: readonly Row[];
  /** Empty if the corpus exists; otherwise text for the test title that says what was not run. */
  readonly notRun: string;
}

/** Reads the rows of a corpus, in the shape that its README gives; none if the file does not exist. */
export function readCorpus<Row>(file: string): Corpus<Row> {
  const path = join(shared, file);
  if (!existsSync(path)) return { rows: [], notRun: ` (not run: ${file} is not there)` };
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { readonly cases: readonly Row[] };
  return { rows: cases, notRun: '' };
}
