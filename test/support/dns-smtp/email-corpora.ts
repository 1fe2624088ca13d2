import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';

/** The corpora of e-mail addresses that may lie beside the checkout. */
const shared = join(packageRoot, '..', 'shared', 'corpora', 'email');

/** A corpus: its rows, and the words for the name of a test that needs it. */
export interface Corpus<Row> {
  readonly rows: readonly Row[];
  /** Empty where the corpus is there; else the title of a test says what was not run. */
  readonly notRun: string;
}

/** The rows of a corpus, of the shape that its README gives; none where the file is not there. */
export function readCorpus<Row>(file: string): Corpus<Row> {
  const path = join(shared, file);
  if (!existsSync(path)) return { rows: [], notRun: ` (not run: ${file} is not there)` };
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { readonly cases: readonly Row[] };
  return { rows: cases, notRun: '' };
}
