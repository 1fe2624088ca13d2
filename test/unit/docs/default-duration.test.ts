import { expect, test } from 'vitest';
import { liveSources } from '../../../src/sources/registry.ts';
import { defaultDuration, secondsFor } from '../../support/docs/default-duration.ts';
import { readDocument } from '../../support/docs/markdown.ts';

test('the README states how long 1,000 companies take at the default rates: the shortest and the longest time', () => {
  const timed = liveSources
    .filter(({ companiesPerCall = 1 }) => companiesPerCall === 1)
    .toSorted((a, b) => secondsFor(a, 1000) - secondsFor(b, 1000));
  const [fastest, slowest] = [timed.at(0), timed.at(-1)].map((source) =>
    source === undefined ? '' : `${defaultDuration(source, 1000)} (\`${source.id}\`)`,
  );
  expect(readDocument('README.md')).toContain(`1,000 companies take from ${fastest} to ${slowest} at the`);
});

test('the time follows from the rate and from the companies of a call, and is in the reference', () => {
  const page = readDocument('docs/reference/sources.md');
  for (const source of liveSources) expect(page).toContain(`| ${defaultDuration(source, 1000)} |\n`);
  const found = Object.fromEntries(liveSources.map((source) => [source.id, defaultDuration(source, 1000)]));
  expect(found).toMatchObject({
    transparency: '67 min',
    serpapi: '5 h 33 min',
    dataforseo: '34 s',
    bigquery: 'one call',
  });
});
