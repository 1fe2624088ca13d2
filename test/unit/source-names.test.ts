import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import type { LiveSourceDefinition } from '../../src/sources/definition/source-definition.ts';
import { liveSources } from '../../src/sources/registry.ts';
import { trackedFiles } from '../support/ci/project-source.ts';

/** Files that name a live source outside of its own folder, each with its reason. */
const exceptions: readonly (readonly [path: string, id: string, reason: string])[] = [
  ['src/api/http/problem.ts', 'upstream', 'a code of errors that calls to it alone can end with'],
  ['src/cli/command-notes.ts', 'serpapi', 'examples of commands'],
  ['src/core/work/retry-policies.ts', 'bigquery', 'retry policies of its client'],
  ['src/core/work/retry-policies.ts', 'transparency', 'the retry policy of its blocked calls'],
  ...['db/stores/ads/unidentified.ts', 'src/core/companies/unidentified.ts', 'src/api/v1/companies/'].map(
    (path) => [path, 'mapped', 'the state of a company that has been mapped'] as const,
  ),
  ...['db/stores/batches/', 'src/core/batches/', 'src/api/v1/batches/', 'src/cli/commands/batches/'].map(
    (path) => [path, 'mapped', 'retries of companies that have been mapped'] as const,
  ),
  ['src/console/pages/mapping/', 'mapped', 'companies that have been mapped'],
  ['src/producer/columns/columns.ts', 'mapped', 'columns that a column mapping names'],
  ['src/sources/snapshot/', 'bigquery', 'the tool that writes the exports'],
  ['src/sources/snapshot/source.ts', 'mapped', 'advertisers that a company mapping names'],
];

const files = trackedFiles('src', 'db', 'workers')
  .filter((path) => /\.(ts|tsx|js|sql)$/.test(path) && path !== 'src/sources/registry.ts')
  .map((path) => ({ path, text: readFileSync(join(packageRoot, path), 'utf8') }));

test('a live source is named only in its own folder and the registry', () => {
  const stray = liveSources.flatMap((source) =>
    outsideFilesNaming(source)
      .filter((path) => !exceptions.some(([at, id]) => id === source.id && path.startsWith(at)))
      .map((path) => `${path} names ${source.id}`),
  );
  const remedy =
    'read this from the definition. If the id is an ordinary word, make its label a phrase, such as `the Example API`, ' +
    'and list a file that needs the word as a value in `exceptions`';
  expect(stray, remedy).toEqual([]);
});

test('every exception is in use', () => {
  const unused = exceptions.filter(
    ([at, id]) =>
      !liveSources.some(
        (source) => source.id === id && outsideFilesNaming(source).some((path) => path.startsWith(at)),
      ),
  );
  expect(unused).toEqual([]);
});

describe('the finder of source names', () => {
  const acme = naming({ id: 'acme', label: 'Acme' });
  const plain = naming({ id: 'mapped', label: 'that API' });
  test.each(["'sources smoke acme'", '// ACME bills', 'NIGHTSHIFT_ACME_KEY', "import('./acme/source.ts')"])(
    'finds a proper name in %s',
    (text) => expect(text).toMatch(acme),
  );
  test.each([
    "name === 'mapped'",
    '// `mapped?region=DE`',
    'NIGHTSHIFT_MAPPED_KEY',
    'access.mapped',
    "'../sources/mapped/source.ts'",
  ])('finds a plain word in %s', (text) => expect(text).toMatch(plain));
  test.each(['const mapped = rows.map(toAd);', '`${counts.mapped} lines mapped`', "import './mapped.ts'"])(
    'ignores the word "mapped" in %s',
    (text) => expect(text).not.toMatch(plain),
  );
});

/** Files outside the folder of a source that name it. */
function outsideFilesNaming(source: LiveSourceDefinition): readonly string[] {
  const pattern = naming(source);
  return files
    .filter(({ path, text }) => !path.startsWith(`src/sources/${source.id}/`) && pattern.test(text))
    .map(({ path }) => path);
}

/** Matches a source with a proper name by any mention, and one such as `mapped` by its id as a value, a key or a folder. */
function naming({ id, label }: Pick<LiveSourceDefinition, 'id' | 'label'>): RegExp {
  const isProperName = label.toLowerCase() === id;
  if (isProperName) return new RegExp(`(\\b|_)${id}(\\b|_)`, 'i');
  return new RegExp(
    `['"\`]${id}(?![\\w./:-])|access\\.${id}\\b|sources/${id}/|NIGHTSHIFT_${id.toUpperCase()}_`,
  );
}
