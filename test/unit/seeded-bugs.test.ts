import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededBugs } from '../seeded-bugs/bugs.ts';
import type { SeededBug } from '../seeded-bugs/bugs/bug.ts';
import { countPlaces } from '../seeded-bugs/patch.ts';

const root = join(import.meta.dirname, '../..');
const migrations = 'db/migrations';
const doc = readFileSync(join(root, 'docs/contributing/seeded-bugs.md'), 'utf8');

describe.each(seededBugs)('the seeded bug "$name"', (bug) => {
  test('can be put in at exactly one place, and changes it', () => {
    expect(countPlaces(root, bug)).toBe(1);
    expect(bug.replace).not.toBe(bug.find);
  });

  test('is in a function that no later migration replaces', () => {
    expect(laterDefinitions(bug)).toEqual([]);
  });

  test('names tests that are there', () => {
    expect(bug.tests.filter((file) => !existsSync(join(root, 'test', file)))).toEqual([]);
  });

  test('stands in the documentation with its guard, and was caught', () => {
    const row = doc.split('\n').find((line) => cellsOf(line)[0] === bug.name);
    expect(cellsOf(row ?? '')[1]).toBe(bug.guard);
    expect(cellsOf(row ?? '')[4]).toMatch(/^caught: /);
  });
});

test('the documentation lists no other bug, and none twice', () => {
  const names = doc.split('\n').flatMap((line) => cellsOf(line).slice(0, 1));
  expect(names.slice(2)).toEqual(seededBugs.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

/** The later migrations that define the function anew in which the bug is; none for other files. */
function laterDefinitions({ file, find }: SeededBug): readonly string[] {
  if (!file.startsWith(`${migrations}/`)) return [];
  const text = readFileSync(join(root, file), 'utf8');
  const before = text.slice(0, text.indexOf(find));
  const definition = [...before.matchAll(/CREATE (?:OR REPLACE )?FUNCTION\s+([\w.]+)\s*\(/gi)].at(-1);
  if (definition === undefined) return [];
  // What stands behind its second quote is no part of the function.
  if (before.slice(definition.index).split(/\$\w*\$/).length > 2) return [];
  const [, name = ''] = definition;
  const later = readdirSync(join(root, migrations)).filter(
    (other) => other > basename(file) && other.endsWith('.sql'),
  );
  return later.filter((other) => {
    const sql = readFileSync(join(root, migrations, other), 'utf8');
    return new RegExp(`CREATE (OR REPLACE )?FUNCTION\\s+${name}\\s*\\(`, 'i').test(sql);
  });
}

/** The cells of a line of the table; none for other lines. */
function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
