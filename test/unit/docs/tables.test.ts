import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { sourceIds } from '../../../src/sources/registry.ts';
import { readDocument, tableRowsOf } from '../../support/docs/markdown.ts';

test('the README has at most 9,000 characters', () => {
  expect(readDocument('README.md').length).toBeLessThanOrEqual(9000);
});

test('the README names every runtime dependency with its purpose', () => {
  const { dependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const named = tableRowsOf('README.md').flatMap((row) => (row.split('|')[1] ?? '').trim().split(', '));
  expect(named).toEqual(expect.arrayContaining(Object.keys(dependencies)));
});

test.each([
  ['README.md', 1],
  ['docs/guides/ad-sources.md', 4],
])('%s has a row for every source in each of its tables of sources: %d', (file, tables) => {
  const firstCells = tableRowsOf(file).map((row) => row.split('|')[1]?.trim());
  const rowsOf = (id: string) => firstCells.filter((cell) => cell === `\`${id}\``).length;
  const incomplete = sourceIds.filter((id) => rowsOf(id) !== tables);
  expect(incomplete, `give each of them a row in every table of sources in ${file}`).toEqual([]);
});

test('each of the ten published journeys of the console has one test, and each of those tests is published', () => {
  const folder = join(packageRoot, 'test/console/journeys');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const tested = [...texts.join('').matchAll(/startJourney\(browser\(\), '([^']+)'\)/g)].map(
    ([, name]) => name,
  );
  const published = tableRowsOf('docs/contributing/console-journeys.md')
    .slice(2)
    .map((row) => row.split('|')[1]?.trim());
  expect(tested.toSorted()).toEqual(published.toSorted());
  expect(new Set(published).size).toBe(10);
});
