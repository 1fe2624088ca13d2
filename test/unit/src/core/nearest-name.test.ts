import { expect, test } from 'vitest';
import { nearestName } from '../../../../src/core/nearest-name.ts';

const known = ['snapshot', 'sample', 'serpapi', 'dataforseo', 'upstream'];

test.each([
  ['sampel', 'sample'],
  ['smaple', 'sample'],
  ['serp-api', 'serpapi'],
  ['dataforsoe', 'dataforseo'],
  ['upstreams', 'upstream'],
  ['gossip', null],
  ['x', null],
  ['', null],
])('name similar to %j is %j', (text, name) => {
  expect(nearestName(text, known)).toBe(name);
});
