import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { trackedFiles } from '../support/ci/project-source.ts';
import {
  glossaryPlaces,
  insteadFinder,
  nameFinder,
  readRefusedWords,
  textFinder,
  textsOf,
  type GlossaryPlace,
} from '../support/docs/glossary.ts';

/** Names that may contain a rejected word, with the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['looksLike', 'the verb'],
  ['looksLikeData', 'the verb'],
  ['looksLikeField', 'the verb'],
  ['looksLikeWindows1252', 'the verb'],
  ['looks_like', 'a field of the API: the verb'],
  ['lookUp', 'the verb of lookup'],
  ['lookUpLeads', 'the verb of lookup'],
  ['look', 'a column of the database'],
  ['nights', 'the name of a benchmark'],
  ['night_bytes_over_first', 'a published figure'],
  ['night_time_over_first', 'a published figure'],
]);

/** Rejected words that may occur in strings, with the reason. */
const textExceptions: ReadonlyMap<string, string> = new Map([
  ['nobody in src/postgres-server/system/server-user.ts', 'the Unix user'],
]);

/** Rejected words that may occur in comments, with the reason. */
const commentExceptions: ReadonlyMap<string, string> = new Map([]);

const tracked = trackedFiles('*.ts', '*.tsx', '*.js', '*.md');
const programs = tracked
  .filter((path) => /\.(tsx?|js)$/.test(path) && path !== 'examples/typescript-client/schema.ts')
  .map((path) => ({ path, ...textsOf(path, readText(path)) }));
/** The reference repeats strings of the product; the list of bugs names tests; the glossary contains the words. */
const documents = tracked.filter(
  (path) => path.endsWith('.md') && !/^CHANGELOG|^docs\/reference\/|\/(glossary|seeded-bugs)\.md$/.test(path),
);

const findInName = nameFinder(wordsFor('names'));
const findInTitles = textFinder(wordsFor('titles'));
const findInText = textFinder(wordsFor('text'));
const insteadOf = insteadFinder(readRefusedWords());

test('no identifier has a word that the glossary refuses', () => {
  const found = programs.flatMap(({ path, names }) =>
    [...names]
      .filter((name) => !exceptions.has(name))
      .flatMap((name) => adviceOn(findInName(name), `${name} in ${path}`)),
  );
  expect(found).toEqual([]);
});

test('no file name has a word that the glossary refuses', () => {
  const found = tracked.flatMap((path) =>
    path.split(/[/.]/).flatMap((name) => adviceOn(findInName(name), path)),
  );
  expect(found).toEqual([]);
});

test('no test title has a word that the glossary refuses', () => {
  const found = programs
    .filter(({ path }) => path !== 'test/unit/glossary.test.ts')
    .flatMap(({ path, titles }) =>
      titles.flatMap((title) => findInTitles(title).flatMap((word) => adviceOn(word, `${title} in ${path}`))),
    );
  expect(found).toEqual([]);
});

test('no string of the product has a word that the glossary refuses', () => {
  const found = programs
    .filter(({ path }) => /^(src|db|workers)\//.test(path))
    .flatMap(({ path, text }) => text.flatMap(findInText).map((word) => ({ word, path })));
  expectOnly(found, textExceptions);
});

test('no comment has a word that the glossary refuses', () => {
  const found = programs.flatMap(({ path, comments }) =>
    comments.flatMap(findInText).map((word) => ({ word, path })),
  );
  expectOnly(found, commentExceptions);
});

test('no document has a word that the glossary refuses', () => {
  const found = documents.flatMap((path) => findInText(readText(path)).map((word) => ({ word, path })));
  expectOnly(found, new Map());
});

describe('the table of refused words', () => {
  test('has known places only, and is sorted', () => {
    const words = readRefusedWords();
    expect(words.length).toBeGreaterThan(40);
    expect(words.flatMap(({ places }) => places).filter((place) => !isPlace(place))).toEqual([]);
    const sorted = words.map(({ word }) => word.toLowerCase());
    expect(sorted).toEqual([...sorted].sort());
  });
});

describe('the finder', () => {
  test.each([
    'sourceDesk',
    'trouble',
    'judgeRedis',
    'openHttpLate',
    'scan_world',
    'NightScan',
    'made-up-source',
    'isLate',
  ])('finds %s in names', (name) => {
    expect(findInName(name)).not.toBeNull();
  });

  test.each(['history', 'nightshift', 'recommend', 'lookup', 'labelled', 'passwords', 'late'])(
    'lets the name %s pass',
    (name) => {
      expect(findInName(name)).toBeNull();
    },
  );

  test('finds words and phrases in texts, and nothing within a word', () => {
    expect(findInText('Nobody is told. Is\ntold: made-up, troublesome')).toEqual([
      'nobody',
      'is told',
      'is\ntold',
      'made-up',
    ]);
  });

  test('says what to write instead of a word in any spelling', () => {
    expect(['slotBook', 'made-up', 'is\ntold', 'late'].map(insteadOf)).toEqual([
      'rate limit store',
      'synthetic',
      'receives, learns',
      'lazy',
    ]);
    expect(adviceOn(findInName('NightScan'), 'NightScan in a.ts')).toEqual([
      'NightScan in a.ts: instead of "night" write scan, run',
    ]);
  });

  test('reads comments of all kinds', () => {
    const source = "/** a */\nexport const b = 'c'; // d\n// e\nf(/* g */ 1);";
    expect(textsOf('a.ts', source).comments).toEqual(['/** a */', '// d', '// e', '/* g */']);
  });

  test('reads titles apart from other strings', () => {
    const source = "describe('a', () => { test.each([['b']])(`c ${d} e`, () => { run('f'); }); });";
    expect(textsOf('a.ts', source)).toMatchObject({ titles: ['a', 'b', 'c ', ' e'], text: ['f'] });
  });
});

function wordsFor(place: GlossaryPlace): readonly string[] {
  return readRefusedWords()
    .filter(({ places }) => places.includes(place))
    .map(({ word }) => word);
}

/** Failure that names the place of a word and what to write instead; empty without a word. */
function adviceOn(word: string | null, place: string): readonly string[] {
  return word === null ? [] : [`${place}: instead of "${word}" write ${insteadOf(word)}`];
}

/** Expects that all words found, and no others, are exceptions. */
function expectOnly(
  found: readonly { readonly word: string; readonly path: string }[],
  allowed: ReadonlyMap<string, string>,
): void {
  const placeOf = ({ word, path }: { readonly word: string; readonly path: string }) => `${word} in ${path}`;
  const stray = found.filter((each) => !allowed.has(placeOf(each)));
  expect(stray.flatMap(({ word, path }) => adviceOn(word, path))).toEqual([]);
  const places = found.map(placeOf);
  expect([...allowed.keys()].filter((place) => !places.includes(place))).toEqual([]);
}

function isPlace(place: string): boolean {
  return glossaryPlaces.some((known) => known === place);
}

function readText(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}
