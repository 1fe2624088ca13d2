import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
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
