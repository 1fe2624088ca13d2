import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';

/** A path of the project in a text: from the root, with a suffix. */
const pointer =
  /(?<![\w./@-])((?:src|db|docs|test|workers|bench|examples)\/[\w./-]*\w\.(?:tsx?|js|sql|md|json|csv|ndjson|txt))\b/g;

/** Citations of documents that are not part of the project. */
const foreign = /\bDESIGN\b|\bcontract §|\(reference[ :§]/;

const files = execFileSync(
  'git',
  ['ls-files', 'src', 'db', 'workers', 'test', 'bench', 'examples', '*.md', '*.js'],
  {
    cwd: packageRoot,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((path) => /\.(tsx?|js|md|sql)$/.test(path))
  // A changelog names what was; a migration of a release is never edited; the API's types are generated.
  .filter((path) => !/^CHANGELOG|^db\/migrations\/|client\/schema\.ts$/.test(path));

test('every path in a comment or a document exists', () => {
  const broken = files.flatMap((path) =>
    [...textOf(path).matchAll(pointer)]
      .filter(([, target = '']) => !existsSync(join(packageRoot, target)))
      .map(([, target]) => `${path} names ${target}`),
  );
  expect(broken).toEqual([]);
});

test('no comment cites a document that is not part of the project', () => {
  expect(files.filter((path) => !path.startsWith('test/unit/docs/') && foreign.test(textOf(path)))).toEqual(
    [],
  );
});

/** Comments of a program; the whole text of a document. */
function textOf(path: string): string {
  const text = readFileSync(join(packageRoot, path), 'utf8');
  if (path.endsWith('.md')) return text;
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--) .*$/gm)].join('\n');
}
