import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';

/** The typos of mailcheck, if they exist beside the checkout. */
const shared = join(packageRoot, '..', 'shared', 'corpora', 'email', 'mailcheck-typos.json');

export interface TypoCase {
  readonly address: string;
  readonly meant: string | null;
}

export interface TypoCorpus {
  /** Providers for which its cases were written. */
  readonly providers: readonly string[];
  readonly cases: readonly TypoCase[];
  /** Name of the corpus for the test title. */
  readonly title: string;
}

interface CorpusFile {
  readonly lists: Readonly<Record<'domains' | 'second_level' | 'top_level', readonly string[]>>;
  readonly cases: readonly { readonly address: string; readonly suggest_domain: string | null }[];
}

/** Reads the complete corpus if it exists beside the checkout; otherwise four similar rows, with a title that says what was not run. */
export function readTypoCorpus(): TypoCorpus {
  if (!existsSync(shared)) return own;
  const { lists, cases } = JSON.parse(readFileSync(shared, 'utf8')) as CorpusFile;
  const combined = lists.second_level.flatMap((name) => lists.top_level.map((end) => `${name}.${end}`));
  return {
    providers: [...lists.domains, ...combined],
    cases: cases.map(({ address, suggest_domain: meant }) => ({ address, meant })),
    title: `the ${cases.length} typos of mailcheck`,
  };
}

const own: TypoCorpus = {
  providers: ['gmail.com', 'hotmail.com', 'yahoo.com', 'yahoo.co.uk'],
  cases: [
    { address: 'test@gnail.con', meant: 'gmail.com' },
    { address: 'test@hotmail.co', meant: 'hotmail.com' },
    { address: 'test@yahoo.co.uk', meant: null },
    { address: 'test@mail.randomsmallcompany.cmo', meant: null },
  ],
  title: 'four typos (not run: those of mailcheck, mailcheck-typos.json is not there)',
};
