import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

/** Words that no identifier and no file name contains; the field has a standard term for each (docs/contributing/glossary.md). */
const refusedWords = new Set([
  'bell',
  'crew',
  'desk',
  'facts',
  'judge',
  'judged',
  'look',
  'looks',
  'mend',
  'mended',
  'misfortune',
  'night',
  'nights',
  'patience',
  'patient',
  'refuse',
  'refuses',
  'revive',
  'said',
  'seat',
  'story',
  'strike',
  'strikes',
  'suspect',
  'told',
  'trouble',
  'troubled',
  'troubles',
  'world',
  'worlds',
]);

/** Phrases of several words, as they stand in one name. */
const refusedPhrases =
  /callBook|slotBook|giveBack|comeBack|windDown|letGoOn|wordsOf|madeUp|howManieth|soManieth/i;

/** Openers of optional parts are lazy. */
const lateOpener = /[a-z]Late$/;

/** Names that keep such a word, with the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['looksLike', 'the verb'],
  ['looksLikeData', 'the verb'],
  ['looksLikeField', 'the verb'],
  ['looksLikeWindows1252', 'the verb'],
  ['looks_like', 'a field of the API: the verb'],
  ['lookUp', 'the verb of lookup'],
  ['lookUpLeads', 'the verb of lookup'],
  ['look', 'a column of the database'],
]);

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.js'], {
  cwd: packageRoot,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => path !== 'examples/typescript-client/schema.ts');

test('no identifier has a word that the glossary replaces', () => {
  const found = new Set<string>();
  for (const path of files)
    for (const name of identifiersOf(path))
      if (!exceptions.has(name) && isRefused(name)) found.add(`${name} in ${path}`);
  expect([...found]).toEqual([]);
});

test('no file name has a word that the glossary replaces', () => {
  expect(files.filter((path) => path.split(/[/.]/).some((part) => isRefused(toCamel(part))))).toEqual([]);
});

test.each(['sourceDesk', 'trouble', 'judgeRedis', 'openHttpLate', 'scan_world', 'NightScan'])(
  'finds %s',
  (name) => {
    expect(isRefused(name)).toBe(true);
  },
);

test.each(['history', 'nightshift', 'recommend', 'lookup', 'labelled', 'passwords', 'late', 'isLate'])(
  'lets %s pass',
  (name) => {
    expect(isRefused(name)).toBe(name === 'isLate');
  },
);

function isRefused(name: string): boolean {
  return (
    refusedPhrases.test(name) || lateOpener.test(name) || wordsIn(name).some((word) => refusedWords.has(word))
  );
}

/** Words of a name in camelCase, PascalCase or snake_case, in lower case. */
function wordsIn(name: string): readonly string[] {
  return name.split(/_|-|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((word) => word.toLowerCase());
}

function toCamel(kebab: string): string {
  return kebab.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function identifiersOf(path: string): ReadonlySet<string> {
  const text = readFileSync(join(packageRoot, path), 'utf8');
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, kind));
  return names;
}
