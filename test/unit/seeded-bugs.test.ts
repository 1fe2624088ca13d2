import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededBugs } from '../seeded-bugs/bugs.ts';
import { countPlaces } from '../seeded-bugs/patch.ts';

const root = join(import.meta.dirname, '../..');
const doc = readFileSync(join(root, 'docs/contributing/seeded-bugs.md'), 'utf8');

describe.each(seededBugs)('seeded bug "$name"', (bug) => {
  test('applies at exactly one place and changes it', () => {
    expect(countPlaces(root, bug)).toBe(1);
    expect(bug.replace).not.toBe(bug.find);
  });

  test('names existing test files', () => {
    expect(bug.tests.filter((file) => !existsSync(join(root, 'test', file)))).toEqual([]);
  });

  test('is documented with its guard and as caught', () => {
    const row = doc.split('\n').find((line) => cellsOf(line)[0] === bug.name);
    expect(cellsOf(row ?? '')[1]).toBe(bug.guard);
    expect(cellsOf(row ?? '')[4]).toMatch(/^caught: /);
  });
});

test('the documentation lists each seeded bug once and no others', () => {
  const names = doc.split('\n').flatMap((line) => cellsOf(line).slice(0, 1));
  expect(names.slice(2)).toEqual(seededBugs.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

/** Cells of a table row; none for other lines. */
function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
