import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { trackedFiles } from '../../support/ci/project-source.ts';

/** Matches a path of the project in a text: from the root, below one of its folders. */
const pointer = /(?<![\w./@:$}-])(?:src|db|docs|test|workers|bench|examples)\/[\w./-]*\w/g;

/** Matches documents outside of the project; links of documents may begin with `reference/`. */
const foreign = /\bDESIGN\b|\bEXEMPLARS\b|(?<![\w/(])reference\/[\w-]+\.md|\(reference[ :§]/;

/** Matches sections of the contract: `docs/architecture/contract.md, 4.1 and 8`. */
const contractPointer = /docs\/architecture\/contract\.md, (\d[\d.]*\d|\d)(?:(?:,| and) (\d[\d.]*\d|\d))?/g;

/** Standards with sections. A `§` in a comment without one of them has no target. */
const standards = /RFC|UAX|UTS|IDNA|ECMA|NIST|WCAG|XML|APPNOTE|ASVS|OpenID/;

const files = trackedFiles('src', 'db', 'workers', 'test', 'bench', 'examples', '*.md', '*.js')
  .filter((path) => /\.(tsx?|js|md|sql)$/.test(path))
  // A changelog mentions old names; a migration of a release is never edited; the API's types are generated.
  .filter((path) => !/^CHANGELOG|^db\/migrations\/|client\/schema\.ts$/.test(path))
  // This file contains examples of the patterns.
  .filter((path) => path !== 'test/unit/docs/pointers.test.ts');

const texts = new Map(files.map((path) => [path, textOf(path)]));
const contract = readText('docs/architecture/contract.md');
const invariants = readText('docs/architecture/invariants.md');
const decisions = readdirSync(join(packageRoot, 'docs/architecture/decisions'))
  .filter((name) => name !== 'README.md')
  .sort();

describe('comments and documents reference only', () => {
  test('existing files and folders', () => {
    expect(findAll((text) => brokenPaths(text))).toEqual([]);
  });

  test('documents of the project', () => {
    expect(findAll((text) => (foreign.test(text) ? ['a foreign document'] : []))).toEqual([]);
  });

  test('existing sections of the contract', () => {
    const sections = sectionsOf(contract);
    expect(findAll((text) => contractSectionsIn(text).filter((section) => !sections.has(section)))).toEqual(
      [],
    );
  });

  test('existing sections of the contract in test titles', () => {
    const sections = sectionsOf(contract);
    const broken = files
      .filter((path) => path.startsWith('test/api/') || path.startsWith('test/unit/src/api/'))
      .flatMap((path) => sectionsInTitles(readText(path)).map((section) => ({ path, section })))
      .filter(({ section }) => !sections.has(section));
    expect(broken).toEqual([]);
  });

  test('a section sign together with the name of its standard', () => {
    const bare = files
      .filter((path) => !path.endsWith('.md'))
      .flatMap((path) =>
        commentsOf(readText(path))
          .filter((comment) => comment.includes('§') && !standards.test(comment))
          .map((comment) => `${path}: ${comment}`),
      );
    expect(bare).toEqual([]);
  });

  test('existing invariants', () => {
    const numbers = new Set([...invariants.matchAll(/^(\d+)\. /gm)].map(([, number]) => number));
    expect(
      findAll((text) =>
        [...text.matchAll(/\b[Ii]nvariants? (\d+)(?: and (\d+))?/g)]
          .flatMap(([, ...each]) => each.filter((number) => number !== undefined))
          .filter((number) => !numbers.has(number)),
      ),
    ).toEqual([]);
  });

  test('existing decisions, with the number of their file', () => {
    const links = /\[(?:decisions? )?(\d+)\]\((?:[\w./-]*\/)?(\d{4})-/g;
    expect(
      findAll((text) => [
        ...[...text.matchAll(links)]
          .filter(([, number = '', file = '']) => number.padStart(4, '0') !== file)
          .map(([link]) => link),
        ...[...text.matchAll(/\bdecision (\d+)/gi)]
          .filter(([, number = '']) => !decisions.some((name) => name.startsWith(number.padStart(4, '0'))))
          .map(([citation]) => citation),
      ]),
    ).toEqual([]);
  });
});

describe.each(decisions)('decision %s', (name) => {
  const text = readText(`docs/architecture/decisions/${name}`);

  test('has a number, context, decision, reasons and consequences', () => {
    expect(text.startsWith(`# ${Number(name.slice(0, 4))}. `)).toBe(true);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'Context',
      'Decision',
      'Reasons',
      'Consequences',
    ]);
  });

  test('is listed in the index under its title', () => {
    const title = text.slice(2, text.indexOf('\n')).replace('. ', `. [`);
    expect(readText('docs/architecture/decisions/README.md')).toContain(`${title}](${name})`);
  });
});

describe('the reference finder', () => {
  test.each(['src/core/gone.ts', '`docs/gone/`', 'see db/migrations/0000_gone.sql.', '(workers/gone)'])(
    'finds a missing path: %s',
    (text) => {
      expect(brokenPaths(text)).toHaveLength(1);
    },
  );

  test.each(['src/core/errors.ts', '`docs/architecture/`', 'src/sources/<name>', 'https://x.org/src/gone'])(
    'accepts existing paths and paths outside of the project: %s',
    (text) => {
      expect(brokenPaths(text)).toEqual([]);
    },
  );

  test('counts numbered items of a section as sections', () => {
    const sections = sectionsOf('## 5 Keys\n\n1. One\n2. Two\n\n## 7 Errors\n');
    expect([...sections]).toEqual(['5', '5.1', '5.2', '7']);
  });

  test('parses several sections of one reference', () => {
    expect(contractSectionsIn('(docs/architecture/contract.md, 4.1 and 8; of others')).toEqual(['4.1', '8']);
  });
});

function findAll(find: (text: string) => readonly string[]): readonly string[] {
  return [...texts].flatMap(([path, text]) => find(text).map((found) => `${path} names ${found}`));
}

function brokenPaths(text: string): readonly string[] {
  return [...text.matchAll(pointer)]
    .map(([path]) => path)
    .filter((path) => !existsSync(join(packageRoot, path)));
}

function contractSectionsIn(text: string): readonly string[] {
  return [...text.matchAll(contractPointer)].flatMap(([, ...sections]) =>
    sections.filter((section) => section !== undefined),
  );
}

function sectionsInTitles(text: string): readonly string[] {
  return [...text.matchAll(/['`]§([\d.]*\d)(?:, §([\d.]*\d))?/g)].flatMap(([, ...sections]) =>
    sections.filter((section) => section !== undefined),
  );
}

/** Numbers of the headings of a document, and of the numbered items below each. */
function sectionsOf(document: string): ReadonlySet<string> {
  const sections = new Set<string>();
  let current = '';
  for (const [, heading, item] of document.matchAll(/^(?:## ([\d.]+) |(\d+)\. )/gm)) {
    if (heading !== undefined) current = heading;
    sections.add(item === undefined ? current : `${current}.${item}`);
  }
  return sections;
}

/** Comments of a program; the whole text of a document. */
function textOf(path: string): string {
  const text = readText(path);
  return path.endsWith('.md') ? text : commentsOf(text).join('\n');
}

function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:(?<=^|\s)(?:\/\/|--) .*\n?\s*)+/gm)].map(
    ([comment]) => comment,
  );
}

function readText(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}
