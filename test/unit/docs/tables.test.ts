import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingList } from '../../../src/config/settings.ts';
import { limitedSources } from '../../../src/config/source-settings.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { readDocument, tableRowsOf } from '../../support/docs/markdown.ts';

test('the guide to ad sources lists the default limits of every source', () => {
  const rows = tableRowsOf('docs/guides/ad-sources.md');
  for (const source of limitedSources) {
    const [pace, burst, deadline] = ['REQUESTS_PER_SECOND', 'BURST', 'DEADLINE_SECONDS'].map(
      (limit) => settingList.find(({ name }) => name === `NIGHTSHIFT_${source}_${limit}`)?.defaultText,
    );
    expect(rows).toContain(`| \`${source.toLowerCase()}\` | ${pace} | ${burst} | ${deadline} |`);
  }
});

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
