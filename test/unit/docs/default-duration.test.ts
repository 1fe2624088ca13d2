import { expect, test } from 'vitest';
import { liveSources } from '../../../src/sources/registry.ts';
import { defaultDuration } from '../../support/docs/default-duration.ts';
import { readDocument } from '../../support/docs/markdown.ts';

test('the README states how long 1,000 companies take at the default rate of each source', () => {
  const readme = readDocument('README.md');
  for (const source of liveSources)
    expect(readme).toMatch(
      new RegExp(String.raw`^\| \`${source.id}\` \|.*\| ${defaultDuration(source, 1000)} \|$`, 'm'),
    );
});

test('the duration follows from the rate and from the companies of a call', () => {
  const found = Object.fromEntries(liveSources.map((source) => [source.id, defaultDuration(source, 1000)]));
  expect(found).toMatchObject({
    transparency: '67 min',
    serpapi: '5 h 33 min',
    dataforseo: '34 s',
    bigquery: 'one call',
  });
});
